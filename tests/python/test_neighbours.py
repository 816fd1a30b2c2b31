"""Neighbours against brute force: all distances, sorted; equal ones by number."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from intarsia.neighbours import Neighbours

pytestmark = pytest.mark.kernels


def squared_distances(queries, X):
    total = np.zeros((len(queries), len(X)))
    for j in range(X.shape[1]):
        total += (queries[:, None, j] - X[None, :, j]) ** 2
    return total


def plain_nearest(queries, X, k, own=False):
    squared = squared_distances(queries, X)
    if own:
        np.fill_diagonal(squared, np.nan)  # comes last, behind squares that overflow
    ids = np.argsort(squared, axis=1, kind="stable")[:, :k]
    return ids, np.sqrt(np.take_along_axis(squared, ids, axis=1))


def check_nearest(X, k, queries=None):
    ids, distances = Neighbours(X, 1).nearest(k, queries)
    expected = plain_nearest(X if queries is None else queries, X, k, own=queries is None)
    np.testing.assert_array_equal(ids, expected[0])
    np.testing.assert_array_equal(distances, expected[1])


def check_within(X, radius, queries=None):
    found = Neighbours(X, 1).within(radius, queries)
    squared = squared_distances(X if queries is None else queries, X)
    if queries is None:
        np.fill_diagonal(squared, np.nan)
    near = squared <= radius * radius
    rows, ids = np.nonzero(near)
    np.testing.assert_array_equal(found.offsets, np.concatenate([[0], np.cumsum(near.sum(axis=1))]))
    np.testing.assert_array_equal(found.ids, ids)
    np.testing.assert_array_equal(found.distances, np.sqrt(squared[rows, ids]))


def points(n, d, kind, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "grid":  # many equal distances, many copies
        return rng.integers(0, 4, (n, d)).astype(float)
    if kind == "far away":  # digits lost in products, not in differences
        return rng.normal(size=(n, d)) + 1e7
    if kind == "clustered":
        return rng.normal(size=(n, d)) * 0.01 + rng.integers(0, 5, (n, 1))
    return rng.random((n, d))


@pytest.mark.parametrize("d", range(1, 31))
@pytest.mark.parametrize("kind", ["uniform", "grid", "clustered", "far away"])
def test_nearest_and_within_are_those_of_brute_force(d, kind):
    X = points(200, d, kind)
    check_nearest(X, 5)
    radius = float(np.quantile(np.sqrt(squared_distances(X[:50], X)), 0.05))
    check_within(X, radius)
    places = points(70, d, kind, seed=1)
    check_nearest(X, 7, places)
    check_within(X, radius, places)


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("n", [2, 15, 16, 17, 128, 129, 300])
def test_as_many_as_there_are(d, n):
    X = points(n, d, "grid", seed=n)
    check_nearest(X, n - 1)
    check_nearest(X, n, X[:5])
    ids, _ = Neighbours(X, 1).nearest(n - 1)
    assert all(sorted([i, *row]) == list(range(n)) for i, row in enumerate(ids))


@pytest.mark.parametrize("d", [1, 3, 20])
@pytest.mark.parametrize("k", [1, 24, 25, 200])
def test_few_and_many_neighbours(d, k):
    check_nearest(points(700, d, "uniform"), k)
    check_nearest(points(700, d, "grid"), k)


@pytest.mark.parametrize("d", [2, 15])
def test_copies_of_one_point(d):
    X = np.ones((2000, d))
    ids, distances = Neighbours(X, 1).nearest(3)
    np.testing.assert_array_equal(ids[0], [1, 2, 3])
    np.testing.assert_array_equal(ids[5:], np.tile([0, 1, 2], (1995, 1)))
    assert not distances.any()


@pytest.mark.parametrize("d", [2, 15])
def test_radius_zero_finds_the_copies(d):
    X = np.repeat(points(40, d, "uniform"), 3, axis=0)
    found = Neighbours(X, 1).within(0.0)
    np.testing.assert_array_equal(np.diff(found.offsets), 2)
    np.testing.assert_array_equal(found.ids[:6], [1, 2, 0, 2, 0, 1])
    check_within(X, 0.0)


@pytest.mark.parametrize("d", [3, 18])
def test_constant_columns(d):
    X = points(200, d, "uniform")
    X[:, ::2] = 7.0
    check_nearest(X, 4)
    check_within(X, 0.3)


@pytest.mark.parametrize("d", [2, 12])
def test_squares_that_overflow(d):
    X = points(60, d, "uniform")
    X[::3] *= 1e200
    with np.errstate(over="ignore"):
        check_nearest(X, 59)
        check_within(X, 1e10)


@pytest.mark.parametrize("d", [2, 12])
def test_some_of_the_points(d):
    X = points(300, d, "uniform")
    whole = Neighbours(X, 1).nearest(4)
    part = Neighbours(X, 1).nearest(4, slice(100, 250))
    np.testing.assert_array_equal(part[0], whole[0][100:250])
    assert Neighbours(X, 1).nearest(4, slice(7, 7))[0].shape == (0, 4)


def test_other_types_and_layouts():
    X = points(100, 3, "uniform")
    expected = Neighbours(X.astype(np.float32).astype(float)).nearest(3)[0]
    np.testing.assert_array_equal(Neighbours(X.astype(np.float32)).nearest(3)[0], expected)
    np.testing.assert_array_equal(
        Neighbours(np.asfortranarray(X)).nearest(3)[0], Neighbours(X, 1).nearest(3)[0]
    )


def test_it_travels():
    neighbours = Neighbours(points(50, 2, "uniform"))
    again = pickle.loads(pickle.dumps(neighbours))
    np.testing.assert_array_equal(again.nearest(3)[0], neighbours.nearest(3)[0])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda n: n.nearest(20), "k=20 should be <= 19, the number of other points"),
        (lambda n: n.nearest(21, np.ones((1, 2))), "k=21 should be <= 20, the number of points"),
        (lambda n: n.nearest(0), "k=0 should be >= 1"),
        (lambda n: n.nearest(1, np.ones((3, 5))), "queries have 5 features, should have 2"),
        (lambda n: n.nearest(1, slice(0, 9, 2)), "should be a slice of step 1"),
        (lambda n: n.nearest(1, [[np.nan, 1.0]]), "contains NaN"),
        (lambda n: n.within(-1.0), "radius=-1.0 should be a finite number >= 0"),
        (lambda n: n.within(np.inf), "radius=inf should be a finite number >= 0"),
        (lambda n: n.within("near"), "radius='near' should be a finite number >= 0"),
        (lambda n: Neighbours([[np.inf, 1.0]]), "contains infinity"),
    ],
)
def test_bad_input(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(Neighbours(points(20, 2, "uniform")))


def plain_distances(queries, X, metric):
    """Differences added, or compared, in the order of the features."""
    total = np.zeros((len(queries), len(X)))
    for j in range(X.shape[1]):
        apart = np.abs(queries[:, None, j] - X[None, :, j])
        total = total + apart if metric == "manhattan" else np.maximum(total, apart)
    return total


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
@pytest.mark.parametrize("kind", ["uniform", "grid", "clustered", "far away"])
@pytest.mark.parametrize("d", [1, 2, 5, 8, 9, 13, 30])
def test_other_metrics_are_those_of_brute_force(d, kind, metric):
    X, places = points(200, d, kind), points(40, d, kind, seed=1)
    index, far = Neighbours(X, 1, metric), plain_distances(places, X, metric)
    ids, distances = index.nearest(7, places)
    expected = np.argsort(far, axis=1, kind="stable")[:, :7]
    np.testing.assert_array_equal(ids, expected)
    np.testing.assert_array_equal(distances, np.take_along_axis(far, expected, axis=1))
    radius = float(np.quantile(far, 0.05))
    found = index.within(radius, places)
    np.testing.assert_array_equal(found.ids, np.nonzero(far <= radius)[1])
    np.testing.assert_array_equal(found.distances, far[far <= radius])
    others, _ = index.nearest(199)
    assert all(sorted([i, *row]) == list(range(200)) for i, row in enumerate(others))
    again = pickle.loads(pickle.dumps(index)).nearest(7, places)
    np.testing.assert_array_equal(again[0], ids)


def test_an_unknown_metric_is_refused():
    with pytest.raises(ValueError, match="metric='cosine' should be one of"):
        Neighbours(np.zeros((3, 2)), 1, "cosine")
