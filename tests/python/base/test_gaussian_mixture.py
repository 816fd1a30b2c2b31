"""EM against scikit-learn's GaussianMixture and SciPy's densities, and on degenerate input."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture as SklearnMixture

from intarsia import GaussianMixture, _core

pytestmark = pytest.mark.kernels

FORMS = ["full", "diag", "spherical"]


def blobs(n=900, d=3, k=4, seed=0, spread=1.5):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    return rng.uniform(-6, 6, (k, d))[truth] + rng.normal(scale=spread, size=(n, d)), truth


def shared_start(X, k, form):
    labels = _core.assign_to_centres(X, None, np.ascontiguousarray(X[:k]), 1)[0]
    weights, means, covariances = _core.gmm_from_labels(X, None, labels, k, form, 1e-6, 1)
    precisions = np.linalg.inv(covariances) if form == "full" else 1 / covariances
    return {"weights_init": weights, "means_init": means, "precisions_init": precisions}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("d", [1, 3, 9])
def test_same_course_as_scikit_learn(form, d):
    X, _ = blobs(d=d)
    start = shared_start(X, 4, form)
    options = {"covariance_type": form, "tol": 1e-5, "max_iter": 500, **start}
    theirs, ours = SklearnMixture(4, **options).fit(X), GaussianMixture(4, **options).fit(X)
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.converged_
    assert ours.lower_bound_ == pytest.approx(theirs.lower_bound_, rel=1e-10)
    np.testing.assert_allclose(ours.weights_, theirs.weights_, rtol=1e-7)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.covariances_, theirs.covariances_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    np.testing.assert_array_equal(ours.labels_, theirs.predict(X))
    assert ours.bic(X) == pytest.approx(theirs.bic(X), rel=1e-9)
    assert ours.aic(X) == pytest.approx(theirs.aic(X), rel=1e-9)


def test_log_likelihoods_are_scipys():
    X, _ = blobs()
    model = GaussianMixture(3, random_state=0).fit(X)
    parts = [
        np.log(w) + multivariate_normal(m, c).logpdf(X)
        for w, m, c in zip(model.weights_, model.means_, model.covariances_, strict=True)
    ]
    np.testing.assert_allclose(model.score_samples(X), np.logaddexp.reduce(parts), rtol=1e-11)
    assert model.score(X) == pytest.approx(np.logaddexp.reduce(parts).mean())


@pytest.mark.parametrize("form", FORMS)
def test_weights_are_repeated_points(form):
    X, _ = blobs(n=300)
    counts = np.random.default_rng(1).integers(0, 4, len(X))
    start = shared_start(X, 3, form)
    weighted = GaussianMixture(3, covariance_type=form, **start).fit(X, sample_weight=counts)
    repeated = GaussianMixture(3, covariance_type=form, **start).fit(np.repeat(X, counts, axis=0))
    assert weighted.n_iter_ == repeated.n_iter_
    np.testing.assert_allclose(weighted.means_, repeated.means_, rtol=1e-9)
    np.testing.assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-7, atol=1e-10)


def test_float32_is_nearly_float64():
    X, _ = blobs()
    start = shared_start(X, 4, "full")
    narrow = GaussianMixture(4, **start).fit(X.astype(np.float32))
    np.testing.assert_allclose(narrow.means_, GaussianMixture(4, **start).fit(X).means_, rtol=1e-4)


@pytest.mark.parametrize("start", ["kmeans", "k-means++", "random_from_data"])
def test_every_start_finds_separate_clusters(start):
    X, truth = blobs(spread=0.3)
    model = GaussianMixture(4, init_params=start, n_init=5, random_state=3).fit(X)
    assert adjusted_rand_score(truth, model.labels_) > 0.99


def test_responsibilities_as_start_are_one_m_step():
    X, truth = blobs()
    shares = np.eye(4)[truth]
    by_shares = GaussianMixture(4, resp_init=shares, max_iter=1).fit(X)
    theirs = SklearnMixture(4, max_iter=1, weights_init=np.bincount(truth) / len(X))
    theirs.set_params(
        means_init=np.stack([X[truth == c].mean(axis=0) for c in range(4)]),
        precisions_init=np.stack(
            [np.linalg.inv(np.cov(X[truth == c].T, bias=True) + 1e-6 * np.eye(3)) for c in range(4)]
        ),
    )
    with pytest.warns(UserWarning, match="converge"):
        theirs.fit(X)
    np.testing.assert_allclose(by_shares.means_, theirs.means_, rtol=1e-9)
    np.testing.assert_allclose(by_shares.covariances_, theirs.covariances_, rtol=1e-7, atol=1e-9)


def test_far_from_the_origin_no_digits_are_lost():
    X, _ = blobs(spread=0.5)
    here = GaussianMixture(4, random_state=0, tol=1e-6).fit(X)
    there = GaussianMixture(4, random_state=0, tol=1e-6).fit(X + 1e6)
    np.testing.assert_allclose(there.means_ - 1e6, here.means_, atol=1e-5)
    np.testing.assert_allclose(there.covariances_, here.covariances_, atol=1e-5)


def test_means_far_from_the_data_cost_no_digits():
    X, _ = blobs(spread=0.5)
    far = np.full((1, 3), 1e8)
    model = GaussianMixture(1, means_init=far, weights_init=[1.0], precisions_init=np.eye(3)[None]).fit(X)
    np.testing.assert_allclose(model.covariances_[0], np.cov(X.T, bias=True), atol=2e-6)


@pytest.mark.parametrize("form", FORMS)
def test_one_component_is_mean_and_covariance(form):
    X, _ = blobs(n=100)
    model = GaussianMixture(1, covariance_type=form, reg_covar=0).fit(X)
    full = np.cov(X.T, bias=True)
    expected = {"full": full, "diag": np.diag(full), "spherical": np.diag(full).mean()}[form]
    np.testing.assert_allclose(model.means_[0], X.mean(axis=0))
    np.testing.assert_allclose(model.covariances_[0], expected)
    assert (model.labels_ == 0).all()


@pytest.mark.parametrize("form", FORMS)
def test_duplicates_and_constant_columns(form):
    X = np.repeat([[0.0, 5.0], [10.0, 5.0], [20.0, 5.0]], 20, axis=0)
    model = GaussianMixture(3, covariance_type=form, random_state=0).fit(X)
    assert len(np.unique(model.labels_)) == 3
    assert np.isfinite(model.lower_bound_)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_more_components_than_distinct_points_are_refused():
    with pytest.raises(ValueError, match="number of distinct points=2 should be >= n_clusters=3"):
        GaussianMixture(3).fit(np.repeat([[0.0], [1.0]], 5, axis=0))


def test_a_singular_covariance_is_refused_in_one_line():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    with pytest.raises(ValueError, match="not positive definite: increase reg_covar"):
        GaussianMixture(2, reg_covar=0.0, random_state=0).fit(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 0}, "n_components=0 should be >= 1"),
        ({"n_components": 6}, "n_samples=5 should be >= n_components=6"),
        ({"covariance_type": "tied"}, "covariance_type='tied' should be one of"),
        ({"init_params": "x"}, "init_params='x' should be one of"),
        ({"reg_covar": -1}, "reg_covar=-1 should be >= 0"),
        ({"means_init": np.zeros((2, 2))}, r"means_init.shape=\(2, 2\) should be \(1, 2\)"),
        ({"weights_init": [0.5]}, "weights_init should be > 0 and sum to 1"),
        ({"precisions_init": -np.eye(2)[None]}, "positive definite"),
        ({"resp_init": np.full((5, 1), 0.5)}, "rows should sum to 1"),
    ],
)
def test_bad_parameters(options, message):
    X = np.arange(10.0).reshape(5, 2) ** 1.5
    with pytest.raises(ValueError, match=message):
        GaussianMixture(**{"n_components": 1, **options}).fit(X)
