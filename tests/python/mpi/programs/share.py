"""Prints by how many copies of a large array all ranks together grew when they came to share it."""

import re
from pathlib import Path

import numpy as np
from mpi4py import MPI

from intarsia.executor import make_executor

executor = make_executor(1)


def memory_of_all_ranks():
    """Sum of proportional sizes: a page that several ranks map counts once."""
    pss = re.search(r"^Pss:\s+(\d+) kB", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)
    return total(int(pss[1]) * 1024)


def total(value):
    return MPI.COMM_WORLD.allreduce(value)


def read():
    """The 100k x 50 points, as a file would give them: on rank 0 only."""
    return np.random.default_rng(0).random((100_000, 50)) if executor.rank == 0 else None


before = memory_of_all_ranks()
X = executor.share(read())
check = total(float(X.sum()))
after = memory_of_all_ranks()
assert not X.flags.writeable
assert X.flags.c_contiguous
assert abs(check - executor.n_ranks * float(X.sum())) < 1e-3
assert executor.share(None) is None
for odd in (np.empty((0, 4)), np.arange(6, dtype=np.int32).reshape(2, 3).T):
    got = executor.share(odd if executor.rank == 0 else None)
    assert got.dtype == odd.dtype
    assert np.array_equal(got, odd)
if executor.rank == 0:
    print((after - before) / X.nbytes)
