"""The cover stage against brute force on small pools, and against HiGHS on moderate ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from intarsia import _core
from intarsia.examce.cover import CoverLimits, CoverSolution, InfeasibleCoverError, solve_cover
from intarsia.examce.cover_highs import solve_lp
from intarsia.examce.pool import ColumnPool, MsscImprover, cost_of, coverage


def random_pool(seed: int, n: int, n_columns: int) -> ColumnPool:
    """Arbitrary columns with arbitrary costs; need not cover anything."""
    rng = np.random.default_rng(seed)
    pool = ColumnPool(n)
    for _ in range(n_columns):
        members = np.flatnonzero(rng.random(n) < rng.uniform(0.2, 0.8)).astype(np.int32)
        if len(members):
            pool.add(members, float(rng.integers(0, 20)) if seed % 2 else float(rng.uniform(0, 10)))
    return pool


def brute_force(pool: ColumnPool, k: int, equality: bool) -> float:
    best = np.inf
    for chosen in combinations(range(len(pool)), k):
        counts = coverage(pool, np.array(chosen))
        if np.all(counts == 1 if equality else counts >= 1):
            best = min(best, cost_of(pool, np.array(chosen)))
    return best


def kmeans_pool(n: int, k: int, n_runs: int, seed: int = 0) -> tuple[np.ndarray, ColumnPool]:
    x = np.random.default_rng(seed).uniform(size=(n, 2))
    pool = ColumnPool(n)
    for run in range(n_runs):
        labels = KMeans(k, init="random", n_init=1, random_state=run).fit(x).labels_
        _core.add_clusters(pool, x, None, labels.astype(np.int32), k, run)
    return x, pool


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 7),
    st.integers(2, 11),
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from(["auto", "highs"]),
)
def test_cover_equals_brute_force(
    seed: int, n: int, n_columns: int, k: int, equality: bool, solver: str
) -> None:
    pool = random_pool(seed, n, n_columns)
    expected = brute_force(pool, k, equality)
    if np.isinf(expected):
        with pytest.raises(InfeasibleCoverError):
            solve_cover(pool, k, solver=solver, equality=equality)  # type: ignore[arg-type]
        return
    result = solve_cover(pool, k, solver=solver, equality=equality)  # type: ignore[arg-type]
    assert result.status == "optimal"
    assert result.cost == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert result.bound <= expected + 1e-9
    counts = coverage(pool, result.columns)
    assert np.all(counts == 1 if equality else counts >= 1)
    assert len(set(result.columns.tolist())) == k


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(4, 11), st.integers(1, 4), st.booleans())
def test_fixing_keeps_every_optimal_cover(seed: int, n: int, n_columns: int, k: int, equality: bool) -> None:
    pool = random_pool(seed, n, n_columns)
    expected = brute_force(pool, k, equality)
    if np.isinf(expected):
        return
    options = _core.AscentOptions()
    options.equality = equality
    bound, _, reduced, _ = _core.ascend(pool, k, None, options)
    assert bound <= expected + 1e-9
    fixed = _core.fix_columns(reduced, bound, expected, k)
    for chosen in combinations(range(len(pool)), k):
        counts = coverage(pool, np.array(chosen))
        is_cover = np.all(counts == 1 if equality else counts >= 1)
        if is_cover and cost_of(pool, np.array(chosen)) <= expected:
            assert all(fixed[j] >= 0 for j in chosen)
            assert set(np.flatnonzero(fixed > 0).tolist()) <= set(chosen)


@pytest.mark.parametrize("equality", [False, True])
@pytest.mark.parametrize(("n", "k"), [(150, 20), (300, 40)])
def test_lagrangian_bound_meets_the_linear_relaxation(n: int, k: int, equality: bool) -> None:
    _, pool = kmeans_pool(n, k, 30)
    options = _core.AscentOptions()
    options.max_iterations = 1500
    options.equality = equality
    bound, *_ = _core.ascend(pool, k, None, options)
    status, value, _ = solve_lp(pool, k, equality=equality, seed=0, time_limit=60.0)
    assert status == "optimal"
    assert bound <= value * (1 + 1e-7)
    assert bound >= value * (1 - 1e-3)


def test_auto_equals_highs_and_threads_do_not_matter() -> None:
    _, pool = kmeans_pool(300, 40, 40)
    reference = solve_cover(pool, 40, solver="highs")
    results = [solve_cover(pool, 40, n_threads=t) for t in (1, 2, 3, 7)]
    for result in results:
        assert result.status == "optimal"
        assert result.cost == pytest.approx(reference.cost, rel=1e-9)
        assert result.n_core < len(pool) / 3
        assert result.columns.tolist() == results[0].columns.tolist()
        assert result.multipliers is not None
        assert np.array_equal(result.multipliers, results[0].multipliers)


def test_improving_adds_columns_and_never_hurts() -> None:
    x, pool = kmeans_pool(300, 12, 20)
    run = np.arange(12)  # the first run's clusters came first
    improve = MsscImprover(pool, x, None, lambda labels: (labels, 0.0))
    result = solve_cover(pool, 12, improve=improve, incumbent=CoverSolution(run, cost_of(pool, run)))
    assert result.cost <= cost_of(pool, run)
    assert result.cost <= min(partition.cost for partition in result.improved)
    assert result.improved
    for partition in result.improved:
        assert np.all(coverage(pool, partition.columns) == 1)
        assert partition.cost == pytest.approx(cost_of(pool, partition.columns))


def test_limits_are_reported_honestly() -> None:
    x, pool = kmeans_pool(400, 8, 40)
    labels = KMeans(8, init="random", n_init=1, random_state=0).fit(x).labels_.astype(np.int32)
    ids = _core.add_clusters(pool, x, None, labels, 8, 0)
    incumbent = CoverSolution(ids, cost_of(pool, ids))
    nothing = CoverLimits(
        cold_iterations=5, max_gap=0.0, core_factor=0.0, first_core_factor=0.0, small_core=0
    )
    result = solve_cover(pool, 8, incumbent=incumbent, limits=nothing)
    assert result.status == "gap"
    assert result.gap > 0
    assert result.reproducible
    stopped = solve_cover(pool, 8, incumbent=incumbent, time_limit=0.0)
    assert stopped.status == "time_limit"
    assert not stopped.reproducible


def test_lpmce_takes_the_largest_values() -> None:
    _, pool = kmeans_pool(200, 25, 20)
    result = solve_cover(pool, 25, solver="lp")
    _, value, x = solve_lp(pool, 25, equality=False, seed=0, time_limit=60.0)
    assert result.status == "lp"
    assert result.bound == pytest.approx(value)
    assert x[result.columns].min() >= np.delete(x, result.columns).max() - 1e-9


def test_uncoverable_pools_say_why() -> None:
    pool = ColumnPool(3)
    pool.add(np.array([0, 1], dtype=np.int32), 1.0)
    with pytest.raises(InfeasibleCoverError, match="point 2 is in no column"):
        solve_cover(pool, 1)
    pool.add(np.array([2], dtype=np.int32), 1.0)
    with pytest.raises(InfeasibleCoverError, match="no 1 columns of the pool cover all 3 points"):
        solve_cover(pool, 1)
    with pytest.raises(InfeasibleCoverError, match="k=3 should be between 1 and the 2 columns"):
        solve_cover(pool, 3)
    with pytest.raises(ValueError, match="incumbent should be 2 distinct columns"):
        solve_cover(pool, 2, incumbent=CoverSolution(np.array([0, 0]), 0.0))
    with pytest.raises(ValueError, match="solver='cplex' should be"):
        solve_cover(pool, 2, solver="cplex")  # type: ignore[arg-type]
