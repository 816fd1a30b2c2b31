"""Boosting, bagging and the validity of labels: the same bits for any threads, on eight chunks or more."""

import numpy as np
import pytest

from intarsia import BaggingClustering, BoostClustering
from intarsia.executor import SerialExecutor, ThreadExecutor
from intarsia.metrics import connectivity, isolation

pytestmark = pytest.mark.kernels

THREADS = (1, 2, 3, 7)
N_POINTS = 12_345  # chunks have 512 points


def points(d=3):
    rng = np.random.default_rng(d)
    return rng.normal(size=(N_POINTS, d)) + 3 * rng.integers(4, size=(N_POINTS, 1))


def bits(model, X):
    rounds = tuple((r.epsilon, r.vote, r.centers.tobytes(), r.names.tobytes()) for r in model.rounds_)
    return (model.labels_.tobytes(), model.predict_proba(X).tobytes(), model.stop_reason_, rounds)


@pytest.mark.parametrize("base", ["kmeans", "fcm"])
@pytest.mark.parametrize("quality", ["minmax", "entropy"])
def test_boosting(base, quality):
    X = points()
    options = {"base": base, "quality": quality, "max_rounds": 4, "random_state": 0}
    assert len({bits(BoostClustering(5, n_threads=t, **options).fit(X), X) for t in THREADS}) == 1


def test_bagging():
    X = points()
    found = {bits(BaggingClustering(5, n_rounds=5, random_state=0, n_threads=t).fit(X), X) for t in THREADS}
    for executor in (SerialExecutor(), ThreadExecutor(2), ThreadExecutor(9)):
        model = BaggingClustering(5, n_rounds=5, random_state=0, n_threads=2, executor=executor)
        found.add(bits(model.fit(X), X))
    assert len(found) == 1


def test_aggregate():
    X = points()[:3000]
    options = {"aggregate": "eac", "round_clusters": 12, "max_rounds": 6, "random_state": 0}
    found = {BoostClustering(4, n_threads=t, **options).fit_predict(X).tobytes() for t in THREADS}
    assert len(found) == 1


def test_validity():
    X = points(2)[:6000]
    labels = (X[:, 0] > 1).astype(int)
    assert len({isolation(X, labels, n_threads=t) for t in THREADS}) == 1
    assert len({connectivity(X, labels, n_pairs=2000, n_threads=t) for t in THREADS}) == 1
