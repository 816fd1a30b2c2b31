"""Inputs at the edge: handled on purpose."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from intarsia import HKMeans, KMeans, RandomSwap
from intarsia.base.runs import base_runs

ESTIMATORS = [KMeans, HKMeans, RandomSwap]


def too_few_distinct(cls):
    """Expect two distinct points for three clusters to be said: by `KMeans` as scikit-learn says it."""
    if cls is KMeans:
        return pytest.warns(ConvergenceWarning, match=r"clusters \(2\) found smaller than n_clusters \(3\)")
    return pytest.raises(ValueError, match=r"number of distinct points=2 should be >= n_clusters=3\.")


@pytest.mark.parametrize("cls", ESTIMATORS)
class TestEdges:
    def test_one_cluster(self, cls):
        X = np.random.default_rng(0).normal(size=(50, 3))
        model = cls(1, random_state=0).fit(X)
        np.testing.assert_allclose(model.cluster_centers_[0], X.mean(axis=0))
        assert model.inertia_ == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())

    def test_as_many_clusters_as_points(self, cls):
        X = np.random.default_rng(0).normal(size=(20, 2))
        model = cls(20, random_state=0).fit(X)
        assert sorted(model.labels_) == list(range(20))
        assert model.inertia_ == 0

    def test_more_clusters_than_points(self, cls):
        with pytest.raises(ValueError, match=r"n_samples=5 should be >= n_clusters=8\."):
            cls(8).fit(np.zeros((5, 2)))

    def test_more_clusters_than_distinct_points(self, cls):
        X = np.repeat([[0.0, 1.0], [2.0, 3.0]], 10, axis=0)
        with too_few_distinct(cls):
            cls(3).fit(X)

    @pytest.mark.parametrize("init", ["random", "k-means++"])
    def test_duplicate_points(self, cls, init):
        X = np.repeat(np.arange(6.0)[:, None], 30, axis=0)
        model = cls(6, init=init, random_state=0).fit(X)
        assert model.inertia_ == 0
        assert len(np.unique(model.labels_)) == 6

    def test_constant_columns_and_one_dimension(self, cls):
        rng = np.random.default_rng(0)
        X = np.column_stack([np.full(200, 7.0), rng.normal(size=200), np.zeros(200)])
        wide = cls(5, random_state=0).fit(X)
        narrow = cls(5, random_state=0).fit(X[:, 1:2])
        assert wide.inertia_ == pytest.approx(narrow.inertia_)

    def test_minus_zero_is_zero(self, cls):
        X = np.array([[0.0], [-0.0], [1.0]])
        with too_few_distinct(cls):
            cls(3).fit(X)

    def test_weightless_points_do_not_matter(self, cls):
        rng = np.random.default_rng(3)
        X = rng.normal(size=(300, 2))
        weights = (rng.random(300) < 0.7).astype(float)
        model = cls(9, random_state=4).fit(X, sample_weight=weights)
        heavy = cls(9, random_state=4).fit(X[weights > 0])
        np.testing.assert_allclose(model.cluster_centers_, heavy.cluster_centers_, rtol=1e-12)
        assert model.labels_.shape == (300,)
        assert model.labels_.min() >= 0

    def test_huge_and_tiny_values(self, cls):
        X = np.random.default_rng(0).normal(size=(200, 2))
        for scale in (1e-150, 1e100):
            model = cls(4, random_state=0).fit(X * scale)
            assert np.isfinite(model.inertia_)
            assert len(np.unique(model.labels_)) == 4

    @pytest.mark.parametrize(("scale", "words"), [(1e-160, "too close together"), (1e160, "too far apart")])
    def test_values_whose_squares_vanish_or_overflow(self, cls, scale, words):
        X = np.random.default_rng(0).normal(size=(60, 2))
        with pytest.raises(ValueError, match=words):
            cls(4, random_state=0).fit(X * scale)
        with pytest.raises(ValueError, match=words):
            cls(4, random_state=0).fit(X * scale**0.7, sample_weight=np.full(60, scale**0.62))

    @pytest.mark.parametrize("weight", [1e-90, 1e90])
    def test_the_unit_of_weights_does_not_matter(self, cls, weight):
        X = np.random.default_rng(0).normal(size=(200, 2))
        plain = cls(20, random_state=0).fit(X)
        model = cls(20, random_state=0).fit(X, sample_weight=np.full(200, weight))
        assert model.inertia_ / weight == pytest.approx(plain.inertia_, rel=1e-9)

    @pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf, 1e-200, 1e308])
    def test_bad_weights(self, cls, weight):
        weights = np.ones(10)
        weights[3] = weight
        with pytest.raises(ValueError, match=r"sample_weight\[3\]"):
            cls(2).fit(np.arange(20.0).reshape(10, 2), sample_weight=weights)

    def test_all_weights_zero(self, cls):
        with pytest.raises(ValueError, match="zero everywhere"):
            cls(2).fit(np.arange(20.0).reshape(10, 2), sample_weight=np.zeros(10))

    @pytest.mark.parametrize(
        ("option", "value", "error"),
        [
            ("n_clusters", 0, ValueError),
            ("n_clusters", 2.5, TypeError),
            ("init", "kmeans", ValueError),
            ("n_init", 0, ValueError),
            ("max_iter", 0, ValueError),
            ("tol", -1.0, ValueError),
            ("n_threads", 0, ValueError),
            ("random_state", -1, ValueError),
        ],
    )
    def test_bad_options(self, cls, option, value, error):
        with pytest.raises(error, match=option):
            cls(**{"n_clusters": 2, option: value}).fit(np.arange(20.0).reshape(10, 2))

    def test_bad_given_centres(self, cls):
        with pytest.raises(ValueError, match=r"initial centers .* does not match the number of clusters 2"):
            cls(2, init=np.zeros((3, 2))).fit(np.arange(20.0).reshape(10, 2))


def test_weight_counts_as_repetition():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    times = rng.integers(1, 4, 120)
    start = X[:6]
    weighted = HKMeans(6, init=start).fit(X, sample_weight=times)
    repeated = KMeans(6, init=start).fit(np.repeat(X, times, axis=0))
    lloyd = KMeans(6, init=start).fit(X, sample_weight=times)
    assert lloyd.inertia_ == pytest.approx(repeated.inertia_)
    assert weighted.inertia_ <= lloyd.inertia_ * (1 + 1e-12)


def test_unknown_method():
    with pytest.raises(ValueError, match=r"base='x' should be one of 'kmeans', .* or a scikit-learn"):
        base_runs(np.zeros((3, 1)), "x", 1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_whose_squares_overflow_are_refused(dtype):
    far = 1e155 if dtype is np.float64 else 1e20
    X = np.array([[1, far], [2, -far], [3, 4], [5, 6]], dtype=dtype)
    with pytest.raises(ValueError, match=r"feature 1: values from .* are too far apart"):
        KMeans(2, random_state=0).fit(X)
