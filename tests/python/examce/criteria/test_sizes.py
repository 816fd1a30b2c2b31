"""Size bounds: the flow against brute force and SciPy, and whole runs that must keep to them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, linprog

from intarsia import Examce
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Data, SizeLimits
from intarsia.examce.criteria.room import move_to_room
from intarsia.examce.criteria.sizes import check_sizes, kmeans_within_sizes
from intarsia.examce.settings import EFFORTS

pytestmark = pytest.mark.kernels

SMALL = {"paper": {}, "default": {"max_steps": 3}, "high": {"max_steps": 5}}


@pytest.fixture
def small_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, less in SMALL.items():
        monkeypatch.setitem(EFFORTS, name, replace(EFFORTS[name], n_base_runs=20, **less))


def data(X: np.ndarray, w: np.ndarray | None, k: int, least: int, most: int) -> Data:
    return Data(X, w, CountRange(k, k), SizeLimits(least, most))


def squared(X: np.ndarray, w: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    centers = np.array([np.average(X[labels == c], axis=0, weights=w[labels == c]) for c in range(k)])
    return w[:, None] * ((X[:, None] - centers) ** 2).sum(axis=2)


def brute_force(costs: np.ndarray, least: int, most: int) -> float:
    n, k = costs.shape
    best = np.inf
    for labels in product(range(k), repeat=n):
        sizes = np.bincount(labels, minlength=k)
        if sizes.min() >= least and sizes.max() <= most:
            best = min(best, costs[np.arange(n), labels].sum())
    return best


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(3, 7),
    k=st.integers(1, 3),
    least=st.integers(1, 3),
    most=st.integers(1, 7),
    weighted=st.booleans(),
    scale=st.sampled_from([1.0, 1e-9, 1e9]),
)
def test_repair_equals_brute_force(
    seed: int, n: int, k: int, least: int, most: int, weighted: bool, scale: float
) -> None:
    assume(least <= most and k * least <= n <= k * most)
    rng = np.random.default_rng(seed)
    X = scale * rng.normal(size=(n, 2))
    w = rng.uniform(0.1, 9, n) if weighted else np.ones(n)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)]).astype(np.int32)
    repaired = Mssc().on(data(X, w if weighted else None, k, least, most)).within_sizes(labels)
    sizes = np.bincount(repaired, minlength=k)
    assert least <= sizes.min()
    assert sizes.max() <= most
    if SizeLimits(least, most).allow(np.bincount(labels, minlength=k)):
        assert repaired is labels
        return
    costs = squared(X, w, labels, k)
    assert costs[np.arange(n), repaired].sum() == pytest.approx(brute_force(costs, least, most), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_repair_looks_beyond_the_nearest_clusters(seed: int) -> None:
    # More clusters than the flow starts with, and all must be equally large.
    rng = np.random.default_rng(seed)
    k, each = 25, 4
    n = k * each
    X = rng.normal(size=(n, 2)) ** 3
    labels = np.concatenate([np.arange(k), np.zeros(n - k, dtype=int)]).astype(np.int32)
    repaired = Mssc().on(data(X, None, k, each, each)).within_sizes(labels)
    costs = squared(X, np.ones(n), labels, k)
    seats = np.repeat(costs, each, axis=1)
    rows, columns = linear_sum_assignment(seats)
    assert np.bincount(repaired, minlength=k).tolist() == [each] * k
    assert costs[np.arange(n), repaired].sum() == pytest.approx(seats[rows, columns].sum(), rel=1e-9)


def test_repair_fills_an_empty_cluster() -> None:
    X = np.arange(6.0)[:, None]
    broken = np.array([0, 0, 0, 2, 2, 2], dtype=np.int32)
    repaired = Mssc().on(data(X, None, 3, 1, 6)).within_sizes(broken)
    assert np.bincount(repaired, minlength=3).min() >= 1


@pytest.mark.parametrize(
    ("effort", "solver"),
    [
        ("paper", "auto"),
        ("paper", "highs"),
        ("paper", "lp"),
        ("default", "auto"),
        ("default", "lp"),
        ("high", "auto"),
    ],
)
@pytest.mark.parametrize(("least", "most"), [(None, 14), (8, None), (9, 12), (10, 10)])
def test_whole_runs_keep_the_bounds(
    small_effort: None, effort: str, solver: str, least: int | None, most: int | None
) -> None:
    X = np.random.default_rng(1).normal(size=(60, 2)) ** 3
    w = np.random.default_rng(2).uniform(0.2, 5, 60)
    model = Examce(
        6, effort=effort, solver=solver, min_size=least, max_size=most, random_state=0, n_threads=2
    )
    for weights in (None, w):
        model.fit(X, sample_weight=weights)
        sizes = np.bincount(model.labels_, minlength=6)
        assert sizes.min() >= (least or 1)
        assert sizes.max() <= (most or 60)
        assert model.inertia_ <= model.best_base_inertia_
        assert model.status_ == "done"


@pytest.mark.parametrize(
    ("n", "k", "least", "most"), [(8, 2, 4, 4), (8, 2, 3, 8), (7, 3, 2, 3), (6, 3, 1, 2)]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_small_runs_are_optimal_under_the_bounds(
    small_effort: None, n: int, k: int, least: int, most: int, weighted: bool
) -> None:
    # Not promised, but on so few points the search should find the best of all partitions within the bounds.
    rng = np.random.default_rng(n + k)
    X = rng.normal(size=(n, 2))
    w = rng.uniform(0.5, 2, n) if weighted else np.ones(n)
    best = np.inf
    for labels in product(range(k), repeat=n):
        sizes = np.bincount(labels, minlength=k)
        if sizes.min() >= least and sizes.max() <= most:
            costs = squared(X, w, np.array(labels), k)
            best = min(best, costs[np.arange(n), labels].sum())
    model = Examce(k, min_size=least, max_size=most, bracket=k, random_state=0, n_threads=1)
    model.fit(X, sample_weight=w if weighted else None)
    assert model.inertia_ >= best - 1e-9
    assert model.inertia_ <= best * (1 + 1e-9)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(30, 120),
    k=st.integers(2, 12),
    slack=st.integers(0, 5),
    weighted=st.booleans(),
)
def test_the_flow_costs_what_a_linear_program_says(
    seed: int, n: int, k: int, slack: int, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3 + n % 30)) ** 3  # clusters of very different sizes
    w = rng.uniform(0.1, 9, n) if weighted else np.ones(n)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)]).astype(np.int32)
    least, most = max(1, n // k - slack), -(-n // k) + slack
    repaired = kmeans_within_sizes(data(X, w if weighted else None, k, least, most), labels, max_flows=1)
    sizes = np.bincount(repaired, minlength=k)
    assert least <= sizes.min()
    assert sizes.max() <= most
    costs = squared(X, w, labels, k)
    each_once, per_cluster = np.kron(np.eye(n), np.ones(k)), np.kron(np.ones(n), np.eye(k))
    program = linprog(
        costs.ravel(),
        A_ub=np.vstack([per_cluster, -per_cluster]),
        b_ub=np.repeat([most, -least], k),
        A_eq=each_once,
        b_eq=np.ones(n),
    )
    assert costs[np.arange(n), repaired].sum() == pytest.approx(program.fun, rel=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_the_flow_is_optimal_where_points_go_far_beyond_their_nearest_clusters(seed: int) -> None:
    # most points crowd around few of the many means: their candidates are not enough
    rng = np.random.default_rng(seed)
    k, each = 40, 6
    X = rng.normal(size=(k * each, 2 + 9 * seed)) ** (3 if seed % 2 else 1)
    X[: k * each // 2] *= 0.01
    labels = np.arange(k * each, dtype=np.int32) % k
    labels[np.argsort(X[:, 0], kind="stable")] = np.sort(labels)[:: 1 if seed < 3 else -1]
    found = kmeans_within_sizes(data(X, None, k, each, each), labels, max_flows=1)
    costs = squared(X, np.ones(len(X)), labels, k)
    rows, places = linear_sum_assignment(np.repeat(costs, each, axis=1))
    assert (np.bincount(found, minlength=k) == each).all()
    assert costs[rows, found].sum() == pytest.approx(costs[rows, places // each].sum(), rel=1e-9)


def test_bounds_that_bind_nothing_change_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    free = Examce(5, effort="paper", random_state=0).fit(X)
    bound = Examce(5, effort="paper", random_state=0, min_size=1, max_size=10**30).fit(X)
    assert np.array_equal(free.labels_, bound.labels_)


@pytest.mark.parametrize(
    ("least", "most", "message"),
    [
        (16, None, r"^n_clusters \* min_size = 64 should be <= n_samples=60\.$"),
        (None, 14, r"^n_clusters \* max_size = 56 should be >= n_samples=60\.$"),
        (12, 11, r"^min_size=12 should be <= max_size=11\.$"),
        (0, None, r"^min_size=0 should be >= 1\.$"),
        (None, 0, r"^max_size=0 should be >= 1\.$"),
    ],
)
def test_impossible_bounds_are_refused(least: int | None, most: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_sizes(least, most, CountRange(4, 4), 60)
    with pytest.raises(ValueError, match=message):
        Examce(4, min_size=least, max_size=most).fit(np.random.default_rng(0).normal(size=(60, 2)))


@pytest.mark.parametrize(("least", "most"), [(2.0, None), (None, 20.5), (True, None), ("3", None)])
def test_sizes_are_whole_numbers(least: object, most: object) -> None:
    with pytest.raises(TypeError, match=r"should be a whole number >= 1\.$"):
        check_sizes(least, most, CountRange(4, 4), 60)  # type: ignore[arg-type]


def test_a_range_of_clusters_is_narrowed_by_the_sizes() -> None:
    assert SizeLimits(3, 5).narrow(CountRange(1, 20), 16) == CountRange(4, 5)
    assert check_sizes(3, 5, CountRange(1, 20), 16) == SizeLimits(3, 5)
    with pytest.raises(ValueError, match=r"^2 to 3 clusters of 3 to 3 points cannot hold n_samples=7\.$"):
        check_sizes(3, 3, CountRange(2, 3), 7)


def test_weightless_points_do_not_count() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    w = np.ones(60)
    w[:20] = 0
    model = Examce(4, effort="paper", min_size=10, max_size=10, random_state=0).fit(X, sample_weight=w)
    assert np.bincount(model.labels_[20:]).tolist() == [10] * 4
    with pytest.raises(ValueError, match=r"max_size = 36 should be >= 40 points of positive weight\.$"):
        Examce(4, max_size=9).fit(X, sample_weight=w)


def balanced_kmeans(X: np.ndarray, k: int, seed: int) -> float:
    """Clusters of equal size by SciPy's assignment, alternating with means, from random points."""
    size, best = len(X) // k, np.inf
    centers = X[np.random.default_rng(seed).choice(len(X), k, replace=False)]
    while True:
        costs = ((X[:, None] - centers) ** 2).sum(axis=2)
        labels = linear_sum_assignment(np.repeat(costs, size, axis=1))[1] // size
        centers = np.array([X[labels == c].mean(axis=0) for c in range(k)])
        cost = ((X - centers[labels]) ** 2).sum()
        if cost >= best - 1e-12:
            return best
        best = cost


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_equal_sizes_are_no_worse_than_many_runs_of_balanced_kmeans(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(60, 2))
    model = Examce(6, min_size=10, max_size=10, random_state=0, n_threads=1).fit(X)
    assert (np.bincount(model.labels_) == 10).all()
    assert model.inertia_ <= min(balanced_kmeans(X, 6, start) for start in range(40)) * (1 + 1e-9)


def test_a_time_limit_leaves_one_flow_and_says_so() -> None:
    X = np.random.default_rng(0).normal(size=(600, 2))
    model = Examce(12, min_size=50, max_size=50, random_state=0, n_threads=1, time_limit=1e-9).fit(X)
    assert np.bincount(model.labels_).tolist() == [50] * 12
    assert model.status_ == "time_limit"


def test_flows_end_when_they_are_late() -> None:
    X = np.random.default_rng(0).normal(size=(400, 2))
    labels = np.arange(400, dtype=np.int32) % 8
    asked: list[bool] = []
    equal = data(X, None, 8, 50, 50)
    kmeans_within_sizes(equal, labels, is_late=lambda: bool(asked.append(True)))
    assert len(asked) > 1
    late = kmeans_within_sizes(equal, labels, is_late=lambda: True)
    assert np.bincount(late).tolist() == [50] * 8


@pytest.mark.parametrize(
    ("n", "k", "least", "most"), [(60, 6, 10, 10), (60, 6, 8, 12), (50, 7, 1, 8), (9, 3, 3, 9)]
)
def test_without_time_for_a_flow_points_move_to_where_there_is_room(
    n: int, k: int, least: int, most: int
) -> None:
    rng = np.random.default_rng(k)
    X = rng.normal(size=(n, 2)) ** 3  # most points near one another
    means = X[:k].copy()
    labels = ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1).astype(np.int32)
    found = move_to_room(data(X, None, k, least, most), labels, means)
    sizes = np.bincount(found, minlength=k)
    assert least <= sizes.min()
    assert sizes.max() <= most
    free = move_to_room(data(X, None, k, 1, n), labels, means)
    np.testing.assert_array_equal(free, labels)
