"""The cover stage: the cheapest k columns of a pool that together hold every point."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from intarsia.arrays import Floats, Ids
from intarsia.examce.cover_auto import solve_auto
from intarsia.examce.cover_highs import solve_lp, solve_mip
from intarsia.examce.cover_result import (
    Clock,
    CoverLimits,
    CoverResult,
    CoverSolution,
    Improve,
    InfeasibleCoverError,
    Solver,
    Status,
)
from intarsia.examce.cover_state import CoverState, is_cover
from intarsia.examce.pool import ColumnPool, cost_of

__all__ = ["CoverLimits", "CoverResult", "CoverSolution", "InfeasibleCoverError", "solve_cover"]


def solve_cover(
    pool: ColumnPool,
    k: int,
    *,
    solver: Solver = "auto",
    incumbent: CoverSolution | None = None,
    improve: Improve | None = None,
    equality: bool = False,
    multipliers: Floats | None = None,
    limits: CoverLimits | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    task: int = 0,
    n_threads: int = 1,
) -> CoverResult:
    """Choose exactly k columns of least total cost that cover every point.

    Parameters
    ----------
    pool, k
        The columns and how many to take.
    solver
        "auto": bound, rounding, fixing and HiGHS on what is left; "highs": the whole pool to HiGHS;
        "lp": the k columns of largest value in the linear relaxation (need not be a cover).
    incumbent
        A known cover: start and cutoff.
    improve
        Turns a choice of columns into a better partition and adds its clusters to the pool ("auto" only).
    equality
        Every point exactly once, for criteria that are not monotone.
    multipliers
        One for each point, from an earlier result: a warm start of the bound.
    limits, time_limit
        Work allowed; where seconds stop the search the result says that it is not reproducible.
    seed, task
        Name the random stream of the roundings.

    Returns
    -------
    CoverResult
        Its `bound` holds for covers from this pool only.
    """
    _check_pool(pool, k)
    _check_incumbent(pool, k, incumbent, equality)
    clock = Clock(time_limit)
    if solver in ("highs", "lp"):
        return _solve_by_highs(pool, k, solver, incumbent, equality, clock, seed)
    if solver != "auto":
        raise ValueError(f"solver={solver!r} should be 'auto', 'highs' or 'lp'.")
    limits = limits or CoverLimits()
    state = CoverState(pool, k, equality, limits, seed, task, n_threads, clock, incumbent, multipliers)
    return solve_auto(state, improve)


def _check_pool(pool: ColumnPool, k: int) -> None:
    if not 1 <= k <= len(pool):
        raise InfeasibleCoverError(f"k={k} should be between 1 and the {len(pool)} columns of the pool.")
    held = np.zeros(pool.n_points, dtype=np.bool_)
    held[pool.members] = True
    if not held.all():
        raise InfeasibleCoverError(f"point {int(np.argmin(held))} is in no column of the pool.")


def _check_incumbent(pool: ColumnPool, k: int, incumbent: CoverSolution | None, equality: bool) -> None:
    if incumbent is not None and not is_cover(pool, incumbent.columns, k, equality):
        raise ValueError(f"incumbent should be {k} distinct columns that cover every point.")


def _solve_by_highs(
    pool: ColumnPool,
    k: int,
    solver: Solver,
    incumbent: CoverSolution | None,
    equality: bool,
    clock: Clock,
    seed: int,
) -> CoverResult:
    """Solve without columns dearer than a whole known cover: beside them HiGHS would see no others."""
    ids = _affordable(pool, incumbent)
    if len(ids) < len(pool):
        assert incumbent is not None
        pool = pool.subset(ids)
        incumbent = replace(incumbent, columns=np.searchsorted(ids, np.sort(incumbent.columns)))
    if solver == "highs":
        result = _solve_highs(pool, k, incumbent, equality, clock, seed)
    else:
        result = _solve_lpmce(pool, k, equality, clock, seed)
    known = math.inf if incumbent is None else incumbent.cost
    return replace(result, columns=ids[result.columns], bound=min(result.bound, known))


def _affordable(pool: ColumnPool, incumbent: CoverSolution | None) -> Ids:
    if incumbent is None or pool.costs.min() < 0:
        return np.arange(len(pool))
    return np.flatnonzero(pool.costs <= incumbent.cost * (1 + 1e-9))


def _solve_highs(
    pool: ColumnPool, k: int, incumbent: CoverSolution | None, equality: bool, clock: Clock, seed: int
) -> CoverResult:
    """Give the whole pool to HiGHS: the reference."""
    start = None if incumbent is None else incumbent.columns
    outcome = solve_mip(pool, k, equality=equality, start=start, time_limit=clock.remaining(), seed=seed)
    columns = _cheaper(pool, outcome.columns, start)
    if columns is None:
        reason = "in the time limit" if outcome.status == "time_limit" else f"of {pool.n_points} points"
        raise InfeasibleCoverError(f"HiGHS found no cover by {k} columns {reason}.")
    if not is_cover(pool, columns, k, equality):
        raise RuntimeError("HiGHS returned columns that are no cover.")
    status: Status = "optimal" if outcome.status == "optimal" else "time_limit"
    cost = cost_of(pool, columns)
    return CoverResult(
        columns=columns,
        cost=cost,
        bound=cost if status == "optimal" else min(outcome.bound, cost),
        status=status,
        n_core=len(pool),
        seconds=clock.seconds(),
        reproducible=outcome.status != "time_limit",
    )


def _cheaper(pool: ColumnPool, found: Ids | None, known: Ids | None) -> Ids | None:
    if found is None or known is None:
        return known if found is None else found
    return found if cost_of(pool, found) <= cost_of(pool, known) else known


def _solve_lpmce(pool: ColumnPool, k: int, equality: bool, clock: Clock, seed: int) -> CoverResult:
    """Take the k columns of largest value in the linear relaxation, ties to the lower id."""
    status, value, x = solve_lp(pool, k, equality=equality, seed=seed, time_limit=clock.remaining())
    if status == "infeasible":
        raise InfeasibleCoverError(f"no {k} columns of the pool cover all {pool.n_points} points.")
    # Values are rounded so that equal ones tie whatever the last bits are.
    columns = np.sort(np.argsort(-np.round(x, 9), kind="stable")[:k])
    stopped = status != "optimal"
    return CoverResult(
        columns=columns,
        cost=cost_of(pool, columns),
        bound=-np.inf if stopped else value,
        status="time_limit" if stopped else "lp",
        n_core=len(pool),
        seconds=clock.seconds(),
        reproducible=not stopped,
    )
