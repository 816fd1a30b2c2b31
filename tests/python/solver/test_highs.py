"""The solver's seam against SciPy and brute force: values, duals, limits, and a program that grows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from intarsia.solver import HighsError, LinearProgram, highs_version, solve_lp, solve_mip
from intarsia.solver.growing import GrowingLp


def program(
    costs: np.ndarray, A: np.ndarray, row_lower: np.ndarray, row_upper: np.ndarray, most: float = np.inf
) -> LinearProgram:
    return LinearProgram(
        np.asarray(costs, dtype=float),
        np.zeros(len(costs)),
        np.full(len(costs), most),
        np.asarray(row_lower, dtype=float),
        np.asarray(row_upper, dtype=float),
        *compressed(A),
    )


def compressed(A: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    columns = [np.flatnonzero(column) for column in A.T]
    starts = np.cumsum([0, *map(len, columns)]).astype(np.int32)
    index = np.concatenate(columns) if columns else np.empty(0)
    values = np.concatenate([A[rows, j] for j, rows in enumerate(columns)]) if columns else np.empty(0)
    return starts, index.astype(np.int32), values.astype(float)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 8), m=st.integers(1, 6))
def test_a_linear_program_and_its_duals(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    costs, A = rng.uniform(0.1, 5, n), rng.integers(-2, 4, (m, n)).astype(float)
    low = np.minimum(A @ rng.uniform(0, 1, n), 3.0)  # some x between 0 and 1 fulfils it
    found = solve_lp(program(costs, A, low, np.full(m, np.inf), most=1.0))
    known = linprog(costs, A_ub=-A, b_ub=-low, bounds=(0, 1))
    assert found.status == "optimal"
    assert found.value == pytest.approx(known.fun, abs=1e-7)
    assert costs @ found.x == pytest.approx(found.value, abs=1e-7)
    np.testing.assert_allclose(found.reduced_costs, costs - A.T @ found.row_duals, atol=1e-7)
    # the dual's value: prices of rows at their bounds, and what columns at their upper bound still gain
    gained = np.minimum(found.reduced_costs, 0).sum()
    assert found.row_duals @ low + gained == pytest.approx(found.value, abs=1e-6)
    assert (found.row_duals >= -1e-9).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 7), m=st.integers(1, 4))
def test_whole_numbers_equal_brute_force(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    costs, A = rng.uniform(-3, 5, n), rng.integers(0, 3, (m, n)).astype(float)
    low, high = rng.integers(0, 3, m), rng.integers(2, 6, m)
    within = [np.array(x) for x in product((0, 1), repeat=n) if ((A @ x >= low) & (A @ x <= high)).all()]
    found = solve_mip(program(costs, A, low, high, most=1.0))
    if not within:
        assert found.status == "infeasible"
        assert found.x is None
        return
    best = min(costs @ x for x in within)
    assert found.status == "optimal"
    assert found.value == pytest.approx(best, abs=1e-7)
    assert found.bound == pytest.approx(best, abs=1e-6)
    assert found.x is not None
    assert np.abs(found.x - np.round(found.x)).max() < 1e-6


def knapsack(n: int) -> LinearProgram:
    """Many items of nearly the same worth: its optimum takes a while to prove."""
    rng = np.random.default_rng(4)
    weights = rng.integers(500, 1000, (4, n)).astype(float)
    return program(
        -weights.sum(axis=0) - rng.uniform(0, 1, n), weights, np.zeros(4), weights.sum(axis=1) / 2, 1.0
    )


def test_limits_of_work_and_time_are_told() -> None:
    hard = knapsack(60)
    worked = solve_mip(hard, max_nodes=1)
    assert worked.status == "work_limit"
    assert worked.x is not None
    assert worked.bound <= worked.value
    assert solve_mip(hard, time_limit=0.0).status == "time_limit"


def test_a_start_is_no_worse_and_a_cutoff_below_the_optimum_leaves_nothing() -> None:
    A = np.array([[1.0, 1, 0], [0, 1, 1], [1, 0, 1]])
    cover = program(np.ones(3), A, np.ones(3), np.full(3, np.inf), most=1.0)
    assert solve_mip(cover, start=np.array([0, 1, 2]), max_nodes=0).value <= 3
    assert solve_mip(cover).value == pytest.approx(2)
    assert solve_mip(cover, cutoff=1.5).status == "infeasible"


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(ValueError, match=r"index should be in \[0, 1\), the rows"):
        LinearProgram(*np.ones((3, 1)), np.ones(1), np.ones(1), np.array([0, 1]), np.array([1]), np.ones(1))
    with pytest.raises(ValueError, match="do not fit together"):
        LinearProgram(*np.ones((3, 1)), np.ones(1), np.ones(1), np.array([0, 2]), np.array([0]), np.ones(1))
    with pytest.raises(ValueError, match="one entry for each column"):
        LinearProgram(np.ones(2), *np.ones((4, 1)), np.array([0, 1, 1]), np.array([0]), np.ones(1))
    with pytest.raises(HighsError, match="Unbounded"):
        solve_lp(program(np.array([-1.0]), np.array([[1.0]]), np.zeros(1), np.full(1, np.inf)))
    assert highs_version()[0].isdigit()


WIDTH, PIECES, DEMAND = 100, np.array([45, 36, 31, 14]), np.array([97.0, 610, 395, 211])


def best_pattern(prices: np.ndarray) -> tuple[float, np.ndarray]:
    """The most valuable pattern of a roll, by trying all."""
    best, found = 0.0, np.zeros(len(PIECES))
    for pattern in product(*(range(WIDTH // piece + 1) for piece in PIECES)):
        if np.dot(pattern, PIECES) <= WIDTH and prices @ pattern > best:
            best, found = prices @ pattern, np.array(pattern, dtype=float)
    return best, found


def test_cutting_stock_by_columns_equals_all_patterns_at_once() -> None:
    every = [p for p in product(*(range(WIDTH // q + 1) for q in PIECES)) if 0 < np.dot(p, PIECES) <= WIDTH]
    A = np.array(every, dtype=float).T
    whole = linprog(np.ones(A.shape[1]), A_ub=-A, b_ub=-DEMAND)
    start = np.diag(WIDTH // PIECES).astype(float)
    master = GrowingLp(program(np.ones(4), start, DEMAND, np.full(4, np.inf)))
    grown, values, steps = start, [], []
    while True:
        found = master.solve()
        values.append(found.value)
        steps.append(found.n_iterations)
        scratch = solve_lp(program(np.ones(grown.shape[1]), grown, DEMAND, np.full(4, np.inf)))
        assert found.value == pytest.approx(scratch.value, rel=1e-9)
        worth, pattern = best_pattern(found.row_duals)
        if worth <= 1 + 1e-9:
            break
        grown = np.column_stack([grown, pattern])
        master.add_columns(np.ones(1), np.zeros(1), np.full(1, np.inf), *compressed(pattern[:, None]))
    assert values == sorted(values, reverse=True)
    assert len(values) > 2
    assert values[-1] == pytest.approx(whole.fun, rel=1e-9)
    assert master.n_columns == grown.shape[1] == len(found.x)


def test_a_grown_program_goes_on_from_its_basis() -> None:
    rng = np.random.default_rng(0)
    A = (rng.random((60, 400)) < 0.1).astype(float)
    A[:, :60] = np.eye(60)
    costs = rng.uniform(1, 2, 400) * A.sum(axis=0)
    ones, free = np.ones(60), np.full(60, np.inf)
    grown = GrowingLp(program(costs[:390], A[:, :390], ones, free))
    first = grown.solve()
    grown.add_columns(costs[390:] * 0.8, np.zeros(10), np.full(10, np.inf), *compressed(A[:, 390:]))
    again = grown.solve()
    costs[390:] *= 0.8
    scratch = solve_lp(program(costs, A, ones, free))
    assert again.value == pytest.approx(scratch.value, rel=1e-9)
    assert again.value < first.value
    assert 0 < again.n_iterations < first.n_iterations / 2
    assert grown.solve(time_limit=30.0).n_iterations == 0


def test_a_grown_program_refuses_rows_that_it_has_not() -> None:
    grown = GrowingLp(program(np.ones(2), np.eye(2), np.ones(2), np.ones(2)))
    with pytest.raises(ValueError, match=r"index should be in \[0, 2\), the rows"):
        grown.add_columns(np.ones(1), np.zeros(1), np.ones(1), *compressed(np.ones((3, 1))))
