"""The same bits for any number of threads, on data of at least eight chunks."""

import numpy as np
import pytest

from intarsia import HKMeans, KMeans, RandomSwap
from intarsia.base.runs import base_runs
from intarsia.executor import make_executor

pytestmark = pytest.mark.kernels

N_POINTS = 4_700  # ten chunks: they have 512 points


def points(dtype, d):
    return np.random.default_rng(d).normal(size=(N_POINTS, d)).astype(dtype)


def fingerprint(model):
    return model.labels_.tobytes(), model.cluster_centers_.tobytes(), model.inertia_, model.n_iter_


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("init", ["random", "k-means++"])
@pytest.mark.parametrize("d", [3, 17])
def test_kmeans(dtype, weighted, init, d):
    X = points(dtype, d)
    weights = np.random.default_rng(0).uniform(0.1, 3, N_POINTS) if weighted else None
    prints = [
        fingerprint(KMeans(23, init=init, random_state=5, n_threads=t).fit(X, sample_weight=weights))
        for t in (1, 2, 3, 7)
    ]
    assert all(p == prints[0] for p in prints)


@pytest.mark.parametrize("weighted", [False, True])
def test_few_large_clusters(weighted):
    X = points(np.float64, 4)
    weights = np.random.default_rng(0).uniform(0.1, 3, N_POINTS) if weighted else None
    prints = [
        fingerprint(KMeans(2, random_state=1, n_threads=t).fit(X, sample_weight=weights))
        for t in (1, 2, 3, 7)
    ]
    assert all(p == prints[0] for p in prints)


@pytest.mark.parametrize("cls", [HKMeans, RandomSwap])
def test_searches(cls):
    X = points(np.float64, 2)
    more = {"n_swaps": 20} if cls is RandomSwap else {}
    prints = [
        fingerprint(cls(40, random_state=2, n_init=3, n_threads=t, **more).fit(X)) for t in (1, 2, 3, 7)
    ]
    assert all(p == prints[0] for p in prints)


def test_runs_do_not_depend_on_who_computes_them():
    X = points(np.float64, 2)[:3000]
    serial = base_runs(X, "hk-means", 30, n_runs=9, seed=4)
    threads = base_runs(X, "hk-means", 30, n_runs=9, seed=4, executor=make_executor(3))
    more = base_runs(X, "hk-means", 30, n_runs=12, seed=4)
    for a, b, c in zip(serial, threads, more, strict=False):
        assert a.labels.tobytes() == b.labels.tobytes() == c.labels.tobytes()
        assert a.cost == b.cost == c.cost
    assert len({r.cost for r in serial}) > 1
