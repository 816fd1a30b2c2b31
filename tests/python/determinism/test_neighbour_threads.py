"""Neighbours (tasks of 64 queries) and the spanning tree: the same bits for any threads."""

import numpy as np
import pytest

from intarsia.base.single_link import spanning_tree
from intarsia.neighbours import Neighbours

pytestmark = pytest.mark.kernels

THREADS = (1, 2, 3, 7)


@pytest.mark.parametrize("d", [2, 12])
def test_neighbours(d):
    X = np.random.default_rng(d).integers(0, 40, (3000, d)).astype(float)  # many are equally far
    found = set()
    for threads in THREADS:
        neighbours = Neighbours(X, threads)
        near = neighbours.within(3.0)
        parts = (*neighbours.nearest(9), near.offsets, near.ids, near.distances)
        found.add(b"".join(part.tobytes() for part in parts))
    assert len(found) == 1


@pytest.mark.parametrize(
    ("n", "d"), [(3000, 2), (4000, 140)]
)  # enough for threads to be worth it in both ways
def test_spanning_tree(n, d):
    X = np.random.default_rng(d).integers(0, 40, (n, d)).astype(float)
    found = {b"".join(part.tobytes() for part in spanning_tree(X, threads)) for threads in THREADS}
    assert len(found) == 1
