"""Isolation, connectivity and robust Z-scores against the plain definitions."""

import numpy as np
import pytest

from intarsia.metrics import connectivity, isolation, robust_z
from intarsia.metrics.validity import N_PAIRS, draw_pairs, kernel_width, pair_densities

pytestmark = pytest.mark.kernels


def plain_isolation(X, labels, k):
    """All distances, sorted; equal ones by index."""
    X = X.astype(float)
    d2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(d2, np.inf)
    nearest = np.argsort(d2, axis=1, kind="stable")[:, :k]
    return np.mean(labels[nearest] == labels[:, None])


def plain_density(X, places, width):
    """Equation 8."""
    n, d = X.shape
    return [
        sum((1 / (2 * np.pi * width**2)) ** (d / 2) * np.exp(-((p - X) ** 2).sum(axis=1) / (2 * width**2)))
        / n
        for p in places
    ]


def points(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(3, size=n)


@pytest.mark.parametrize(("n", "d"), [(2, 1), (57, 1), (300, 2), (450, 8)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_isolation_is_that_of_brute_force(n, d, dtype):
    X, labels = points(n, d)
    X = X.astype(dtype)
    k = int(np.ceil(0.01 * n))
    assert isolation(X, labels) == plain_isolation(X, labels, k)
    assert isolation(X, labels, n_neighbors=n - 1) == plain_isolation(X, labels, n - 1)


def test_isolation_of_few_blocks_and_many(monkeypatch):
    X, labels = points(300, 2)
    expected = isolation(X, labels)
    monkeypatch.setattr("intarsia.metrics.validity._HELD", 50)
    assert isolation(X, labels) == expected


def test_isolation_of_one_cluster_and_of_none():
    X, _ = points(50, 2)
    assert isolation(X, np.zeros(50, dtype=int)) == 1
    assert isolation(X, np.arange(50)) == 0
    labels = np.full(50, -1)
    labels[0] = 0
    assert isolation(X, labels) == 0  # in no cluster is not in the same cluster


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("d", [1, 2, 8])
def test_connectivity_given_the_pairs(stratified, d):
    X, labels = points(400, d)
    first, second, shares = draw_pairs(labels, 50, stratified=stratified, random_state=3)
    density = plain_density(X, (X[first] + X[second]) / 2, kernel_width(X))
    found = connectivity(X, labels, n_pairs=50, stratified=stratified, random_state=3)
    assert found == pytest.approx(np.dot(density, shares), rel=1e-10)
    wide = plain_density(X, (X[first] + X[second]) / 2, 2.5)
    found = connectivity(X, labels, n_pairs=50, stratified=stratified, bandwidth=2.5, random_state=3)
    assert found == pytest.approx(np.dot(wide, shares), rel=1e-10)


def test_the_width():
    X, _ = points(100, 3)
    assert kernel_width(X) == pytest.approx(X.std(axis=0).mean() * (4 / (5 * 100)) ** (1 / 7), rel=1e-12)


@pytest.mark.parametrize("stratified", [True, False])
def test_pairs_are_of_one_cluster_and_two_points(stratified):
    labels = np.array([0] * 10 + [1] * 30 + [2] + [-1] * 5, dtype=np.int32)
    first, second, shares = draw_pairs(labels, 500, stratified=stratified)
    assert (first != second).all()
    assert (labels[first] == labels[second]).all()
    assert set(labels[first]) == {0, 1}  # a point alone has no partner, points in no cluster neither
    assert shares.sum() == pytest.approx(1)
    of_second = shares[labels[first] == 1].sum()
    assert of_second == pytest.approx(0.75, abs=1e-12 if stratified else 0.1)


def test_few_pairs_are_all_taken():
    labels = np.repeat([0, 1], 6).astype(np.int32)
    first, second, _ = draw_pairs(labels, 30)
    assert len(set(zip(first, second, strict=True))) == 30
    X = np.random.default_rng(0).normal(size=(12, 2))
    assert connectivity(X, labels, random_state=1) == connectivity(X, labels, random_state=2)


def test_plain_pairs_are_drawn_evenly():
    labels = np.repeat([0, 1, 2], [3, 5, 2]).astype(np.int32)
    first, second, _ = draw_pairs(labels, 200_000, stratified=False)
    table = np.zeros((10, 10))
    np.add.at(table, (first, second), 1 / 200_000)
    sizes = np.bincount(labels)[labels]
    expected = (labels[:, None] == labels) & ~np.eye(10, dtype=bool)
    np.testing.assert_allclose(table, expected / (10 * (sizes - 1)), atol=0.002)


def test_a_share_of_the_points():
    labels = np.zeros(1000, dtype=np.int32)
    assert len(draw_pairs(labels, 0.05, stratified=False)[0]) == 50
    assert len(draw_pairs(labels, N_PAIRS)[0]) == N_PAIRS


def test_redrawing_the_default_pairs_moves_connectivity_little():
    X, _ = points(2000, 2)
    labels = (X[:, 0] > 0).astype(int) + 2 * (X[:, 1] > 0)
    many = [connectivity(X, labels, random_state=s) for s in range(8)]
    few = [connectivity(X, labels, n_pairs=0.05, stratified=False, random_state=s) for s in range(8)]
    assert np.std(many) / np.mean(many) < 0.01
    assert np.std(few) > 3 * np.std(many)


def test_robust_z():
    rng = np.random.default_rng(0)
    for n in (1, 3, 4, 9):
        x = rng.normal(size=n)
        mad = np.median(np.abs(x - np.median(x)))
        expected = (x - np.median(x)) / mad if mad > 0 else np.zeros(n)
        np.testing.assert_allclose(robust_z(x), expected, rtol=1e-12)


def test_robust_z_where_the_deviation_is_zero():
    np.testing.assert_array_equal(robust_z([2, 2, 2]), [0, 0, 0])
    np.testing.assert_allclose(robust_z([2, 2, 5]), [0, 0, 3])  # mean deviation 1
    np.testing.assert_allclose(robust_z([1, 2, 2, 2, 2]), [-5, 0, 0, 0, 0])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda X, y: isolation(X[:1], y[:1]), "n_samples=1 should be >= 2"),
        (lambda X, y: isolation(X, y, n_neighbors=20), "n_neighbors=20 should be < n_samples=20"),
        (lambda X, y: isolation(X, y[:5]), r"labels.shape=\(5,\) should be \(20,\)"),
        (lambda X, y: connectivity(X, np.arange(20)), "connectivity needs a cluster of at least two points"),
        (lambda X, y: connectivity(X, y, bandwidth=0.0), "bandwidth=0.0 should be > 0"),
        (lambda X, y: connectivity(X, y, n_pairs=0), "n_pairs=0 should be >= 1"),
        (lambda X, y: connectivity(X, y, n_pairs=-0.5), "n_pairs=-0.5 should be > 0"),
        (lambda X, y: connectivity(np.ones((20, 2)), y), "all points are equal: give a bandwidth > 0"),
        (lambda X, y: robust_z([1.0, np.nan]), "should be a vector of finite numbers"),
        (lambda X, y: robust_z([]), "should be a vector of finite numbers"),
    ],
)
def test_bad_input(call, complaint):
    X, labels = points(20, 2)
    with pytest.raises(ValueError, match=complaint):
        call(X, labels)


def test_strange_number_of_pairs():
    X, labels = points(20, 2)
    with pytest.raises(TypeError, match="n_pairs='many' should be a count"):
        connectivity(X, labels, n_pairs="many")


def test_threads_do_not_change_densities():
    X, labels = points(5000, 3)
    first, second, _ = draw_pairs(labels, 1000)
    found = {pair_densities(X, first, second, 0.3, n_threads=t).tobytes() for t in (1, 2, 3, 7)}
    assert len(found) == 1
