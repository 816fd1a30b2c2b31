"""Fuzzy c-means against the plain formulas and scikit-fuzzy, and on degenerate input."""

import numpy as np
import pytest

from intarsia import FuzzyCMeans, KMeans

pytestmark = pytest.mark.kernels


def points(n=700, d=3, k=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-5, 5, (k, d))[rng.integers(k, size=n)] + rng.normal(size=(n, d))


def plain_memberships(X, centres, m):
    distances = ((X[:, None] - centres[None]) ** 2).sum(axis=-1)
    powers = distances ** (-1 / (m - 1))
    return powers / powers.sum(axis=1, keepdims=True), distances


def plain_fuzzy(X, centres, m, n_iter, weights=None):
    w = np.ones(len(X)) if weights is None else weights
    for _ in range(n_iter):
        u, _ = plain_memberships(X, centres, m)
        um = w[:, None] * u**m
        centres = um.T @ X / um.sum(axis=0)[:, None]
    u, distances = plain_memberships(X, centres, m)
    return centres, u, float((w[:, None] * u**m * distances).sum())


@pytest.mark.parametrize("m", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_plain_formulas(m, weighted):
    X = points()
    weights = np.random.default_rng(1).uniform(0, 3, len(X)) if weighted else None
    start = X[:4] + 0.01
    model = FuzzyCMeans(4, m=m, init=start, max_iter=12, tol=0).fit(X, sample_weight=weights)
    centres, shares, objective = plain_fuzzy(X, start, m, 12, weights)
    np.testing.assert_allclose(model.cluster_centers_, centres, rtol=1e-10)
    np.testing.assert_allclose(model.memberships_, shares, rtol=1e-8, atol=1e-12)
    assert model.objective_ == pytest.approx(objective, rel=1e-11)
    np.testing.assert_array_equal(model.labels_, shares.argmax(axis=1))
    assert model.n_iter_ == 12
    assert not model.converged_


@pytest.mark.parametrize("m", [1.5, 2.0])
def test_reaches_the_objective_of_scikit_fuzzy(m):
    skfuzzy = pytest.importorskip("skfuzzy", reason="scikit-fuzzy is not installed")
    X, start = points(seed=3), points(seed=4)[:4]
    shares, _ = plain_memberships(X, start, m)
    centres = skfuzzy.cmeans(X.T, 4, m, error=1e-6, maxiter=2000, init=shares.T)[0]
    _, _, theirs = plain_fuzzy(X, centres, m, 0)
    ours = FuzzyCMeans(4, m=m, init=start, tol=1e-7, max_iter=2000).fit(X)
    assert ours.converged_
    assert ours.objective_ <= theirs * (1 + 1e-9)


def test_nearly_hard_memberships_give_the_cost_of_k_means():
    X = points()
    hard = KMeans(4, random_state=0, n_init=5).fit(X)
    model = FuzzyCMeans(4, m=1.01, init=hard.cluster_centers_).fit(X)
    assert model.objective_ == pytest.approx(hard.inertia_, rel=2e-2)
    assert np.isfinite(model.memberships_).all()


def test_a_point_on_a_centre_belongs_to_it_alone():
    model = FuzzyCMeans(2, init=[[0.0], [4.0]]).fit([[0.0], [0.0], [4.0], [4.0]])
    np.testing.assert_allclose(model.memberships_, [[1, 0], [1, 0], [0, 1], [0, 1]], atol=1e-200)
    assert model.objective_ == pytest.approx(0, abs=1e-200)


def test_one_cluster_is_the_mean():
    X = points()
    model = FuzzyCMeans(1).fit(X)
    np.testing.assert_allclose(model.cluster_centers_[0], X.mean(axis=0))
    assert (model.memberships_ == 1).all()


def test_new_points_and_constant_columns():
    X = np.column_stack([points(d=1), np.full(700, 3.0)])
    model = FuzzyCMeans(3, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_allclose(model.predict_proba(X[:5]), model.memberships_[:5])
    np.testing.assert_allclose(model.cluster_centers_[:, 1], 3.0)


def test_the_best_of_several_runs_is_kept():
    X = points(k=7, seed=5)
    single = [FuzzyCMeans(7, random_state=0, n_init=n).fit(X).objective_ for n in (1, 4)]
    assert single[1] <= single[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"m": 1.0}, "m=1.0 should be > 1"),
        ({"init": "x"}, "init='x' should be one of"),
        ({"init": [[0.0]]}, r"initial centers \(1, 1\) does not match the number of clusters 2"),
        ({"init": [[0.0], [np.nan]]}, "finite"),
        ({"n_clusters": 9}, "n_samples=4 should be >= n_clusters=9"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        FuzzyCMeans(**{"n_clusters": 2, **options}).fit([[0.0], [1.0], [2.0], [3.0]])
