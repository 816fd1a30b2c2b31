"""Points far from zero are clustered as the same points near it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.spatial.distance import cdist

from intarsia import Examce, FuzzyCMeans, GaussianMixture, HKMeans, KMeans, RandomSwap
from intarsia.arrays import column_ranges, origin_of, put_back, take_off
from intarsia.metrics import adjusted_rand_index

OFFSETS = (1e9, -3e10, 1e12)
MODELS = [KMeans, HKMeans, RandomSwap, Examce, FuzzyCMeans]


def whole_points(n: int = 300, seed: int = 0) -> np.ndarray:
    """Points of whole numbers: they stand any of these offsets without rounding."""
    rng = np.random.default_rng(seed)
    middles = rng.integers(-4000, 4000, (6, 3))
    return (middles[rng.integers(6, size=n)] + rng.integers(-900, 900, (n, 3))).astype(np.float64)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (511, 1), (512, 1), (513, 1), (1000, 7), (3, 2000)])
def test_column_ranges_are_the_smallest_and_largest_values(shape: tuple[int, int], dtype: type) -> None:
    X = np.random.default_rng(0).normal(size=shape).astype(dtype)
    low, high = column_ranges(X)
    assert low.dtype == high.dtype == dtype
    assert_array_equal(low, X.min(axis=0))
    assert_array_equal(high, X.max(axis=0))


def test_points_near_zero_stay_as_they_are() -> None:
    X = np.random.default_rng(0).normal(5, 1, (50, 3))
    assert origin_of(X) is None
    assert take_off(X, None) is X
    assert put_back(X, None) is X


@settings(max_examples=200, deadline=None)
@given(
    low=st.floats(1e-3, 1e15),
    width=st.floats(0, 0.05),
    sign=st.sampled_from([-1.0, 1.0]),
    dtype=st.sampled_from([np.float64, np.float32]),
)
def test_what_is_taken_off_is_taken_off_exactly(low: float, width: float, sign: float, dtype: type) -> None:
    X = (sign * np.linspace(low, low * (1 + width), 7)).reshape(-1, 1).astype(dtype)
    origin = origin_of(X)
    if origin is None:
        return
    assert take_off(X, origin).dtype == dtype
    for x, near in zip(X[:, 0], take_off(X, origin)[:, 0], strict=True):
        assert Fraction(float(near)) == Fraction(float(x)) - Fraction(float(origin[0]))


def test_the_number_taken_off_is_round() -> None:
    rng = np.random.default_rng(0)
    for offset in OFFSETS:
        assert origin_of(rng.normal(size=(40, 2)) + offset) == pytest.approx([offset, offset], rel=0)
    assert origin_of(np.array([[1987.0, 0.5], [2024.0, -3.0]])) == pytest.approx([2000, 0], rel=0)


def test_columns_of_one_value_become_nothing() -> None:
    X = np.column_stack([np.full(9, 0.1), np.arange(9.0), np.full(9, -1e12)])
    assert not take_off(X, origin_of(X))[:, [0, 2]].any()


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("model", MODELS)
def test_an_offset_changes_no_bit_of_the_labels(model: type, offset: float) -> None:
    X = whole_points()
    near, far = model(6, random_state=0, n_threads=1).fit(X), None
    far = model(6, random_state=0, n_threads=1).fit(X + offset)
    np.testing.assert_array_equal(near.labels_, far.labels_)
    cost = "objective_" if model is FuzzyCMeans else "inertia_"
    assert getattr(near, cost) == getattr(far, cost)
    np.testing.assert_array_equal(far.cluster_centers_, near.cluster_centers_ + offset)
    np.testing.assert_array_equal(far.predict(X + offset), near.predict(X))
    np.testing.assert_allclose(far.transform(X + offset), near.transform(X), rtol=1e-6, atol=1e-3)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("form", ["full", "diag", "spherical"])
def test_an_offset_changes_no_mixture(form: str, offset: float) -> None:
    X = whole_points()
    near = GaussianMixture(4, covariance_type=form, random_state=0, n_threads=1).fit(X)
    far = GaussianMixture(4, covariance_type=form, random_state=0, n_threads=1).fit(X + offset)
    np.testing.assert_array_equal(near.labels_, far.labels_)
    np.testing.assert_array_equal(near.covariances_, far.covariances_)
    assert near.lower_bound_ == far.lower_bound_


@pytest.mark.parametrize("offset", [1e9, 123_456_789.0, -7.7e11, 1e12])
@pytest.mark.parametrize("model", MODELS)
def test_cost_and_labels_keep_the_digits_that_the_points_have(model: type, offset: float) -> None:
    X = np.random.default_rng(1).normal(size=(200, 2)) + 20 * (np.arange(200) % 5)[:, None]
    far = model(5, random_state=0, n_threads=1).fit(X + offset)
    kept = (X + offset) - offset  # what the offset has left of the points, without rounding
    near = model(5, random_state=0, n_threads=1).fit(kept)
    # the same clusters: a search of many steps may number them otherwise where last digits differ
    assert adjusted_rand_index(near.labels_, far.labels_) == 1
    cost = "objective_" if model is FuzzyCMeans else "inertia_"
    assert getattr(far, cost) == pytest.approx(getattr(near, cost), rel=1e-12)
    assert np.abs(cdist(far.cluster_centers_ - offset, near.cluster_centers_).min(axis=1)).max() < 3e-4


def test_float32_points_far_from_zero() -> None:
    X = (np.arange(200)[:, None] % 4 * 500 + np.arange(200)[:, None] % 7).astype(np.float32)
    near, far = KMeans(4, random_state=0).fit(X), KMeans(4, random_state=0).fit(X + np.float32(8e6))
    np.testing.assert_array_equal(near.labels_, far.labels_)
    assert near.inertia_ == far.inertia_


def test_given_centres_are_moved_too() -> None:
    X = whole_points()
    near = KMeans(3, init=X[:3]).fit(X)
    far = KMeans(3, init=X[:3] + 1e12).fit(X + 1e12)
    np.testing.assert_array_equal(near.labels_, far.labels_)


def test_size_limits_weights_and_checkpoints_far_from_zero(tmp_path) -> None:
    X, w = whole_points(120), np.random.default_rng(2).uniform(0, 2, 120)
    w[:10] = 0
    options = {"min_size": 15, "max_size": 25, "random_state": 0, "n_threads": 1, "effort": "fast"}
    near = Examce(5, **options).fit(X, sample_weight=w)
    far = Examce(5, **options, checkpoint=tmp_path).fit(X + 1e12, sample_weight=w)
    again = Examce(5, **options, checkpoint=tmp_path, resume=True).fit(X + 1e12, sample_weight=w)
    np.testing.assert_array_equal(near.labels_, far.labels_)
    assert near.inertia_ == far.inertia_ == again.inertia_
    np.testing.assert_array_equal(far.cluster_centers_, again.cluster_centers_)
