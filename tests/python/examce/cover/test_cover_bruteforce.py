"""The cover stage against brute force on small pools, and against HiGHS on moderate ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.examce.cover.model import solve_lp
from intarsia.examce.cover.problem import (
    CountRange,
    CoverLimits,
    CoverSolution,
    Improved,
    InfeasibleCoverError,
    cost_of,
    coverage,
)
from intarsia.examce.cover.solve import solve_cover

pytestmark = pytest.mark.kernels


def random_pool(seed: int, n: int, n_columns: int, lowered: float = 0.0) -> ColumnPool:
    """Arbitrary columns with arbitrary costs, negative ones where lowered; need not cover anything."""
    rng = np.random.default_rng(seed)
    pool = ColumnPool(n)
    for _ in range(n_columns):
        members = np.flatnonzero(rng.random(n) < rng.uniform(0.2, 0.8)).astype(np.int32)
        if len(members):
            cost = float(rng.integers(0, 20)) if seed % 2 else float(rng.uniform(0, 10))
            pool.add(members, cost - lowered)
    return pool


def covers(pool: ColumnPool, counts: CountRange, equality: bool) -> list[np.ndarray]:
    """All of them."""
    found = []
    for k in range(counts.least, min(counts.most, len(pool)) + 1):
        for chosen in combinations(range(len(pool)), k):
            held = coverage(pool, np.array(chosen))
            if np.all(held == 1 if equality else held >= 1):
                found.append(np.array(chosen))
    return found


def brute_force(pool: ColumnPool, counts: CountRange, equality: bool) -> float:
    return min((cost_of(pool, chosen) for chosen in covers(pool, counts, equality)), default=np.inf)


LOWERED = st.sampled_from([0.0, 3.0, 10.0, 30.0])
RANGES = st.builds(
    lambda least, width: CountRange(least, least + width), st.integers(1, 4), st.integers(0, 6)
)


def kmeans_pool(n: int, k: int, n_runs: int, seed: int = 0) -> tuple[np.ndarray, ColumnPool]:
    x = np.random.default_rng(seed).uniform(size=(n, 2))
    pool = ColumnPool(n)
    for run in range(n_runs):
        labels = KMeans(k, init="random", n_init=1, random_state=run).fit(x).labels_
        _core.add_clusters(pool, x, None, labels.astype(np.int32), k, run)
    return x, pool


def check_cover(
    pool: ColumnPool, k: int | CountRange, solver: str, equality: bool, known: CoverSolution | None
) -> None:
    counts = k if isinstance(k, CountRange) else CountRange(k, k)
    expected = brute_force(pool, counts, equality)
    if np.isinf(expected):
        with pytest.raises(InfeasibleCoverError):
            solve_cover(pool, k, solver=solver, equality=equality)  # type: ignore[arg-type]
        return
    result = solve_cover(pool, k, solver=solver, equality=equality, incumbent=known)  # type: ignore[arg-type]
    assert result.status == "optimal"
    assert result.cost == pytest.approx(expected, rel=1e-9, abs=1e-8)
    assert result.bound <= expected + 1e-8
    held = coverage(pool, result.columns)
    assert np.all(held == 1 if equality else held >= 1)
    assert len(set(result.columns.tolist())) == len(result.columns)
    assert len(result.columns) in counts


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
    check_cover(random_pool(seed, n, n_columns), k, solver, equality, None)


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 7),
    n_columns=st.integers(2, 10),
    counts=RANGES,
    lowered=LOWERED,
    equality=st.booleans(),
    solver=st.sampled_from(["auto", "highs"]),
    knows_one=st.booleans(),
)
def test_any_costs_and_any_range_equal_brute_force(
    seed: int,
    n: int,
    n_columns: int,
    counts: CountRange,
    lowered: float,
    equality: bool,
    solver: str,
    knows_one: bool,
) -> None:
    pool = random_pool(seed, n, n_columns, lowered)
    known = None
    if knows_one and (all_covers := covers(pool, counts, equality)):
        any_ = all_covers[seed % len(all_covers)]
        known = CoverSolution(any_, cost_of(pool, any_))
    check_cover(pool, counts, solver, equality, known)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 7),
    n_columns=st.integers(4, 10),
    counts=RANGES,
    lowered=LOWERED,
    equality=st.booleans(),
    slack=st.sampled_from([0.0, 1.0, 5.0]),
)
def test_fixing_keeps_every_cover_within_the_bound(
    seed: int, n: int, n_columns: int, counts: CountRange, lowered: float, equality: bool, slack: float
) -> None:
    pool = random_pool(seed, n, n_columns, lowered)
    expected = brute_force(pool, counts, equality)
    if np.isinf(expected):
        return
    options = _core.AscentOptions()
    options.equality, options.magnitude = equality, 1.0
    bound, multipliers, reduced, _ = _core.ascend(pool, counts.pair, None, options)
    assert bound <= expected + 1e-9
    assert equality or multipliers.min() >= 0
    fixed = _core.fix_columns(reduced, bound, expected + slack, counts.pair, 1.0)
    for chosen in covers(pool, counts, equality):
        if cost_of(pool, chosen) <= expected + slack:
            assert all(fixed[j] >= 0 for j in chosen)
            assert set(np.flatnonzero(fixed > 0).tolist()) <= set(chosen)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 7),
    n_columns=st.integers(4, 10),
    counts=RANGES,
    lowered=LOWERED,
)
def test_the_bound_of_a_range_is_the_least_over_it(
    seed: int, n: int, n_columns: int, counts: CountRange, lowered: float
) -> None:
    # Lagrangian values, written out: for each number of columns the cheapest ones by reduced cost.
    pool = random_pool(seed, n, n_columns, lowered)
    if len(pool) < counts.least:
        return
    options = _core.AscentOptions()
    options.equality, options.magnitude = True, 1.0
    bound, multipliers, reduced, _ = _core.ascend(pool, counts.pair, None, options)
    ranked = np.sort(reduced)
    sums = [ranked[:k].sum() for k in range(counts.least, min(counts.most, len(pool)) + 1)]
    assert bound == pytest.approx(multipliers.sum() + min(sums), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 7),
    n_columns=st.integers(4, 10),
    counts=RANGES,
    lowered=LOWERED,
)
def test_roundings_of_any_costs_are_distinct_columns_within_the_range(
    seed: int, n: int, n_columns: int, counts: CountRange, lowered: float
) -> None:
    pool = random_pool(seed, n, n_columns, lowered)
    if len(pool) < counts.least:
        return
    multipliers = np.random.default_rng(seed).normal(size=n) * 10
    reduced = _core.price_columns(pool, multipliers)
    chosen = _core.round_lagrangian(
        pool, counts.pair, multipliers, reduced, seed, _core.Stage.COVER, 0, 0, 0.2, 100.0
    )
    assert len(set(chosen.tolist())) == len(chosen)
    assert len(chosen) in counts
    # everything was on offer: it stopped early only when all that can be covered is
    if len(chosen) < min(counts.most, len(pool)):
        assert ((coverage(pool, chosen) > 0) == (coverage(pool, np.arange(len(pool))) > 0)).all()


@pytest.mark.parametrize("equality", [False, True])
@pytest.mark.parametrize(("n", "k"), [(150, 20), (300, 40)])
def test_lagrangian_bound_meets_the_linear_relaxation(n: int, k: int, equality: bool) -> None:
    _, pool = kmeans_pool(n, k, 30)
    options = _core.AscentOptions()
    options.max_iterations = 1500
    options.equality = equality
    bound, *_ = _core.ascend(pool, (k, k), None, options)
    status, value, _ = solve_lp(pool, CountRange(k, k), equality=equality, seed=0, time_limit=60.0)
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

    def improve(columns: np.ndarray) -> Improved:
        labels = _core.remove_duplicates(pool, columns, x, None)
        ids = _core.add_clusters(pool, x, None, labels, 12, -1)
        return Improved(ids, labels, cost_of(pool, ids))

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
    _, value, x = solve_lp(pool, CountRange(25, 25), equality=False, seed=0, time_limit=60.0)
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
