"""Arrays that move: the same values at the new place, the memory of the old one given back."""

from __future__ import annotations

import sys

import numpy as np
import pytest

pytest.importorskip("mpi4py", reason="no mpi4py: pip install intarsia[mpi]")

from intarsia.executor.mpi import memory

VALUES = np.random.default_rng(0).random((300_000, 5))


@pytest.fixture(autouse=True)
def small_steps(monkeypatch):
    monkeypatch.setattr(memory, "_LEAST", 2**20)
    monkeypatch.setattr(memory, "_STEP", 2**20 + 8)  # which ends within pages


@pytest.mark.skipif(sys.platform != "linux", reason="memory is given back on Linux only")
@pytest.mark.parametrize("reshaped", [False, True])
def test_a_large_array_moves(reshaped):
    source, target = VALUES.reshape(-1).copy() if reshaped else VALUES.copy(), np.empty_like(VALUES)
    memory.move_into(target, source.reshape(VALUES.shape))
    np.testing.assert_array_equal(target, VALUES)
    assert np.count_nonzero(source) < 0.1 * VALUES.size  # only the pages between two steps are left


@pytest.mark.parametrize("view", [lambda a: a[1:], lambda a: a.T, lambda a: a[:, :3], lambda a: a[:10]])
def test_what_may_be_somebody_elses_is_copied(view):
    whole = VALUES.copy()
    target = np.empty(view(whole).shape)
    memory.move_into(target, view(whole))
    np.testing.assert_array_equal(target, view(VALUES))
    np.testing.assert_array_equal(whole, VALUES)
