"""Graph consensus functions: the same bits for any number of threads, on at least eight chunks."""

import numpy as np
import pytest

from intarsia import Ensemble
from intarsia.consensus import combine_full

pytestmark = pytest.mark.kernels

N_POINTS = 5_000  # chunks have 512 points, tasks of similarities 64 rows or fewer


def labels():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=N_POINTS)
    copies = np.column_stack([rng.permutation(4)[truth] for _ in range(10)])
    noise = rng.random(copies.shape)
    return np.where(noise < 0.2, rng.integers(4, size=copies.shape), np.where(noise > 0.98, -1, copies))


def soft():
    rng = np.random.default_rng(1)
    return Ensemble.from_memberships([rng.dirichlet(np.full(4, 0.3), 1_500) for _ in range(4)])


def fingerprint(found):
    arrays = (found.labels, found.memberships, found.meta_clusters)
    return tuple(None if a is None else a.tobytes() for a in arrays), found.objective


@pytest.mark.parametrize("method", ["cspa", "mcla", "hbgf", "eac"])
def test_hard(method):
    prints = [
        fingerprint(combine_full(labels(), 4, method, random_state=3, n_threads=t)) for t in (1, 2, 3, 7)
    ]
    assert all(p == prints[0] for p in prints)


@pytest.mark.parametrize("method", ["scspa", "smcla", "shbgf", "eac"])
def test_soft(method):
    ensemble = soft()
    prints = [
        fingerprint(combine_full(ensemble, 4, method, random_state=3, n_threads=t)) for t in (1, 2, 3, 7)
    ]
    assert all(p == prints[0] for p in prints)
