"""The data are held once a node, whatever the number of ranks."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's smaps_rollup")
def test_four_ranks_hold_one_copy(mpirun):
    done = mpirun(4, "share.py")
    assert done.code == 0, done.err
    assert 0.9 < float(done.out) < 1.5
