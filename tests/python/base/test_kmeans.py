"""k-means against the plain algorithm written with NumPy, and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans as SklearnKMeans

from intarsia import KMeans, _core

pytestmark = pytest.mark.kernels


def plain_lloyd(X, weights, start, max_iter=1000):
    """The textbook algorithm in the precision of X: ties to the lowest index; no cluster may become empty."""
    centers = start.astype(np.float64)
    labels = None
    for _ in range(max_iter):
        c = centers.astype(X.dtype)
        distances = np.zeros((len(X), len(c)), X.dtype)
        for j in range(X.shape[1]):
            distances += (X[:, j, None] - c[None, :, j]) ** 2
        new = distances.argmin(axis=1)
        if labels is not None and (new == labels).all():
            return labels, centers
        labels = new
        w = weights if weights is not None else np.ones(len(X))
        for a in range(len(c)):
            member = labels == a
            assert member.any()
            centers[a] = (w[member, None] * X[member]).sum(axis=0) / w[member].sum()
    raise AssertionError("did not converge")


def blobs(n, d, k, seed, dtype=np.float64, spread=3.0):
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(k, d)) * spread
    return (centers[rng.integers(k, size=n)] + rng.normal(size=(n, d))).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("n", "d", "k"), [(900, 1, 7), (1500, 2, 60), (1200, 3, 20), (2500, 5, 40), (800, 9, 11), (1500, 33, 30)]
)
def test_labels_are_those_of_the_plain_algorithm(n, d, k, dtype, weighted):
    X = blobs(n, d, k, seed=n + d, dtype=dtype)
    weights = np.random.default_rng(1).uniform(0.5, 2, n) if weighted else None
    start = X[_core.seed_points(X, None, k, "k-means++", 3, 0, 1)]
    expected_labels, expected_centers = plain_lloyd(X, weights, start)
    model = KMeans(k, init=start, n_threads=1).fit(X, sample_weight=weights)
    np.testing.assert_array_equal(model.labels_, expected_labels)
    close = 1e-9 if dtype == np.float64 else 1e-6  # centres have the type of the points
    np.testing.assert_allclose(model.cluster_centers_, expected_centers, rtol=close, atol=close)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10_000))
def test_ties_on_a_grid_go_to_the_lowest_index(d, k, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(40, d)).astype(np.float64)
    centers = rng.integers(0, 3, size=(k, d)).astype(np.float64)
    labels, _, inertia, _, _ = _core.assign_to_centres(X, None, centers, 1)
    distances = ((X[:, None] - centers[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(labels, distances.argmin(axis=1))
    assert inertia == distances.min(axis=1).sum()


def test_ties_in_many_dimensions_go_to_the_lowest_index():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(500, 40)).astype(np.float64)
    centers = np.repeat(rng.integers(0, 2, size=(30, 40)), 2, axis=0).astype(np.float64)
    labels = _core.assign_to_centres(X, None, centers, 1)[0]
    expected = ((X[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(labels, expected)
    assert (labels % 2 == 0).all()


def test_far_from_the_origin_labels_stay_exact():
    X = blobs(3000, 12, 25, seed=5) + 1e7
    start = X[:25]
    labels = _core.assign_to_centres(X, None, np.ascontiguousarray(start), 1)[0]
    expected = ((X[:, None] - start[None]) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(labels, expected)


@pytest.mark.parametrize(("n", "d", "k"), [(2000, 2, 50), (3000, 6, 30), (2000, 20, 12)])
def test_agrees_with_scikit_learn(n, d, k):
    X = blobs(n, d, k, seed=d)
    start = X[_core.seed_points(X, None, k, "random", 0, 0, 1)]
    theirs = SklearnKMeans(k, init=start, n_init=1, tol=0, max_iter=1000).fit(X)
    ours = KMeans(k, init=start).fit(X)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-9)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)


def test_an_empty_cluster_takes_the_costliest_point():
    X = np.array([[0.0], [1.0], [2.0], [50.0]])
    start = np.array([[1.0], [200.0], [-300.0]])
    model = KMeans(3, init=start).fit(X)
    assert len(set(model.labels_.tolist())) == 3
    assert model.labels_[3] != model.labels_[2]


def test_max_iter_returns_labels_of_the_returned_centers():
    X = blobs(2000, 2, 30, seed=1, spread=1.0)
    model = KMeans(30, max_iter=2, random_state=0).fit(X)
    assert model.n_iter_ == 2
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_tol_stops_early():
    X = blobs(4000, 3, 20, seed=2, spread=1.0)
    exact = KMeans(20, random_state=0).fit(X)
    loose = KMeans(20, random_state=0, tol=1e-2).fit(X)
    assert loose.n_iter_ < exact.n_iter_
    assert loose.inertia_ >= exact.inertia_
