"""HK-means is locally optimal: brute force over all single moves, and over exchanges under size bounds."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intarsia import HKMeans, KMeans, RandomSwap, _core

pytestmark = pytest.mark.kernels


def cost(X, weights, labels):
    total = 0.0
    for c in np.unique(labels):
        w, x = weights[labels == c], X[labels == c]
        mean = (w[:, None] * x).sum(axis=0) / w.sum()
        total += (w * ((x - mean) ** 2).sum(axis=1)).sum()
    return total


def best_single_move(X, weights, labels, k, min_size=1, max_size=10**9):
    """The least cost that moving one point can give, each tried in full."""
    sizes = np.bincount(labels, minlength=k)
    best = np.inf
    for i in range(len(X)):
        if sizes[labels[i]] <= min_size:
            continue
        for c in range(k):
            if c == labels[i] or sizes[c] >= max_size:
                continue
            moved = labels.copy()
            moved[i] = c
            best = min(best, cost(X, weights, moved))
    return best


def best_exchange(X, weights, labels, k, min_size, max_size):
    """The least cost that two points can give by changing places, where bounds forbid one of them to move."""
    sizes = np.bincount(labels, minlength=k)
    best = np.inf
    for i, j in combinations(range(len(X)), 2):
        a, b = labels[i], labels[j]
        is_blocked = min(sizes[a], sizes[b]) <= min_size or max(sizes[a], sizes[b]) >= max_size
        if a != b and is_blocked:
            exchanged = labels.copy()
            exchanged[i], exchanged[j] = b, a
            best = min(best, cost(X, weights, exchanged))
    return best


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(4, 26)), draw(st.integers(1, 7))
    k = draw(st.integers(2, min(n - 1, 6)))
    X = rng.normal(size=(n, d)) * draw(st.sampled_from([1.0, 1e-3, 1e4]))
    if draw(st.booleans()):
        X = np.round(X, 1)
    weights = rng.uniform(0.1, 5, n) if draw(st.booleans()) else None
    return X, weights, k


def unit(weights, n):
    return np.ones(n) if weights is None else weights


@settings(max_examples=60, deadline=None)
@given(problems(), st.integers(0, 100))
def test_no_single_move_improves(problem, seed):
    X, weights, k = problem
    if _core.count_distinct(X, k) < k:
        return
    model = HKMeans(k, random_state=seed).fit(X, sample_weight=weights)
    w = unit(weights, len(X))
    assert model.inertia_ == pytest.approx(cost(X, w, model.labels_), rel=1e-9, abs=1e-12)
    assert best_single_move(X, w, model.labels_, k) >= model.inertia_ * (1 - 1e-9) - 1e-12
    lloyd = KMeans(k, init="random", n_init=1, random_state=seed).fit(X, sample_weight=weights)
    assert model.inertia_ <= lloyd.inertia_ * (1 + 1e-12)
    assert len(np.unique(model.labels_)) == k


@settings(max_examples=30, deadline=None)
@given(problems(), st.integers(0, 100))
def test_random_swap_ends_locally_optimal(problem, seed):
    X, weights, k = problem
    if _core.count_distinct(X, k) < k:
        return
    model = RandomSwap(k, n_swaps=25, random_state=seed).fit(X, sample_weight=weights)
    w = unit(weights, len(X))
    assert best_single_move(X, w, model.labels_, k) >= model.inertia_ * (1 - 1e-9) - 1e-12
    hk = HKMeans(k, random_state=seed).fit(X, sample_weight=weights)
    assert model.inertia_ <= hk.inertia_ * (1 + 1e-12)


@settings(max_examples=100, deadline=None)
@given(problems(), st.integers(0, 100), st.data())
def test_size_bounds_are_kept(problem, seed, data):
    X, weights, k = problem
    n = len(X)
    labels = np.random.default_rng(seed).permutation(np.arange(n) % k).astype(np.int32)
    low = data.draw(st.integers(1, n // k))
    high = data.draw(st.integers(-(-n // k), n))
    moved, _ = _core.hartigan(X, weights, labels, k, low, high)
    sizes = np.bincount(moved, minlength=k)
    assert sizes.min() >= low
    assert sizes.max() <= high
    found = cost(X, unit(weights, n), moved)
    assert best_single_move(X, unit(weights, n), moved, k, low, high) >= found * (1 - 1e-9) - 1e-12
    if low > 1 or high < n:
        assert best_exchange(X, unit(weights, n), moved, k, low, high) >= found * (1 - 1e-9) - 1e-12
    assert found <= cost(X, unit(weights, n), labels) * (1 + 1e-12)


def test_a_larger_problem_is_locally_optimal():
    X = np.random.default_rng(0).random((600, 2))
    model = HKMeans(60, random_state=0).fit(X)
    labels, centers = model.labels_, model.cluster_centers_
    sizes = np.bincount(labels)
    d2 = ((X[:, None] - centers[None]) ** 2).sum(axis=2)
    own = d2[np.arange(600), labels]
    a = sizes[labels]
    gain = np.where(a > 1, a / np.maximum(a - 1, 1) * own, 0.0)
    insert = d2 * (sizes / (sizes + 1))
    insert[np.arange(600), labels] = np.inf
    assert (insert.min(axis=1) >= gain * (1 - 1e-8)).all()
