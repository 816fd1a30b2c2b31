"""Philox against NumPy's."""

import numpy as np
import pytest

from intarsia import _core

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("seed", range(5))
def test_blocks_are_numpys(seed):
    rng = np.random.default_rng(seed)
    counter = [int(v) for v in rng.integers(0, 2**63, 4)]
    key = [int(v) for v in rng.integers(0, 2**63, 2)]
    # NumPy steps its counter before it draws.
    numpys = np.random.Philox(counter=np.array(counter, dtype=np.uint64), key=np.array(key, dtype=np.uint64))
    expected = numpys.random_raw(4)
    assert _core.philox4x64([counter[0] + 1, *counter[1:]], key) == expected.tolist()
