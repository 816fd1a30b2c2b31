"""solver="highs", the reference, and solver="lp", the paper's LPMCE: the whole pool to HiGHS."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from intarsia._core import ColumnPool
from intarsia.arrays import Ids
from intarsia.clock import Clock
from intarsia.examce.cover.model import solve_lp, solve_mip
from intarsia.examce.cover.problem import (
    CountRange,
    CoverResult,
    CoverSolution,
    InfeasibleCoverError,
    Solver,
    Status,
    cost_of,
    is_cover,
)
from intarsia.examce.cover.prove import SAME, magnitude_of


def solve_whole_pool(
    pool: ColumnPool,
    counts: CountRange,
    solver: Solver,
    incumbent: CoverSolution | None,
    equality: bool,
    clock: Clock,
    seed: int,
) -> CoverResult:
    """Solve without columns dearer than a whole known cover: beside them HiGHS would see no others."""
    ids = _affordable(pool, counts, incumbent)
    if len(ids) < len(pool):
        assert incumbent is not None
        pool = pool.subset(ids)
        incumbent = replace(incumbent, columns=np.searchsorted(ids, np.sort(incumbent.columns)))
    if solver == "highs":
        result = _solve_highs(pool, counts, incumbent, equality, clock, seed)
    else:
        result = _solve_lpmce(pool, counts, equality, clock, seed)
    known = math.inf if incumbent is None else incumbent.cost
    return replace(result, columns=ids[result.columns], bound=min(result.bound, known))


def _affordable(pool: ColumnPool, counts: CountRange, incumbent: CoverSolution | None) -> Ids:
    if incumbent is None:
        return np.arange(len(pool))
    # the other columns of a cover can pay back at most this
    n_others = min(counts.most - 1, len(pool))
    paid_back = float(np.minimum(np.sort(pool.costs)[:n_others], 0.0).sum())
    slack = SAME * max(abs(incumbent.cost), magnitude_of(pool, counts))
    return np.flatnonzero(pool.costs + paid_back <= incumbent.cost + slack)


def _solve_highs(
    pool: ColumnPool,
    counts: CountRange,
    incumbent: CoverSolution | None,
    equality: bool,
    clock: Clock,
    seed: int,
) -> CoverResult:
    start = None if incumbent is None else incumbent.columns
    outcome = solve_mip(pool, counts, equality=equality, start=start, time_limit=clock.remaining(), seed=seed)
    columns = _cheaper(pool, outcome.columns, start)
    if columns is None:
        reason = "in the time limit" if outcome.status == "time_limit" else f"of {pool.n_points} points"
        raise InfeasibleCoverError(f"HiGHS found no cover by {counts} columns {reason}.")
    if not is_cover(pool, columns, counts, equality):
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


def _solve_lpmce(
    pool: ColumnPool, counts: CountRange, equality: bool, clock: Clock, seed: int
) -> CoverResult:
    """Take the columns of largest value in the linear relaxation, ties to the lower id."""
    status, value, x = solve_lp(pool, counts, equality=equality, seed=seed, time_limit=clock.remaining())
    if status == "infeasible":
        raise InfeasibleCoverError(f"no {counts} columns of the pool cover all {pool.n_points} points.")
    n_taken = int(np.clip(round(float(x.sum())), counts.least, min(counts.most, len(pool))))
    # Values are rounded so that equal ones tie whatever the last bits are.
    columns = np.sort(np.argsort(-np.round(x, 9), kind="stable")[:n_taken])
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
