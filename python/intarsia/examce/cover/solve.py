"""The cover stage: the cheapest columns of a pool that together hold every point."""

from __future__ import annotations

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids
from intarsia.clock import Clock
from intarsia.examce.cover.problem import (
    CountRange,
    CoverLimits,
    CoverResult,
    CoverSolution,
    Improve,
    InfeasibleCoverError,
    Solver,
    is_cover,
)
from intarsia.examce.cover.prove import INFINITY, CoverState, finish


def solve_cover(
    pool: ColumnPool,
    k: int | CountRange,
    *,
    solver: Solver = "auto",
    incumbent: CoverSolution | None = None,
    improve: Improve | None = None,
    equality: bool = False,
    multipliers: Floats | None = None,
    limits: CoverLimits | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    stage: Stage = Stage.COVER,
    task: int = 0,
    n_threads: int = 1,
) -> CoverResult:
    """Choose columns of least total cost that cover every point.

    Parameters
    ----------
    pool, k
        The columns, whose costs may be negative, and how many to take: so many, or the cheapest number in a
        range.
    solver
        "auto": bound, rounding, fixing and HiGHS on what is left; "highs": the whole pool to HiGHS;
        "lp": the columns of largest value in the linear relaxation (need not be a cover).
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
    seed, stage, task
        Name the random stream of the roundings.

    Returns
    -------
    CoverResult
        Its `bound` holds for covers from this pool only.
    """
    counts = k if isinstance(k, CountRange) else CountRange(k, k)
    _check_pool(pool, counts)
    _check_incumbent(pool, counts, incumbent, equality)
    clock = Clock(time_limit)
    if solver in ("highs", "lp"):
        from intarsia.examce.cover.whole_pool import solve_whole_pool

        return solve_whole_pool(pool, counts, solver, incumbent, equality, clock, seed)
    if solver != "auto":
        raise ValueError(f"solver={solver!r} should be 'auto', 'highs' or 'lp'.")
    limits = limits or CoverLimits()
    state = CoverState(
        pool, counts, equality, limits, seed, stage, task, n_threads, clock, incumbent, multipliers
    )
    return solve_auto(state, improve)


def _check_pool(pool: ColumnPool, counts: CountRange) -> None:
    if not 1 <= counts.least <= min(len(pool), counts.most):
        raise InfeasibleCoverError(f"k={counts} should be between 1 and the {len(pool)} columns of the pool.")
    held = np.zeros(pool.n_points, dtype=np.bool_)
    held[pool.members] = True
    if not held.all():
        raise InfeasibleCoverError(f"point {int(np.argmin(held))} is in no column of the pool.")


def _check_incumbent(
    pool: ColumnPool, counts: CountRange, incumbent: CoverSolution | None, equality: bool
) -> None:
    if incumbent is not None and not is_cover(pool, incumbent.columns, counts, equality):
        raise ValueError(f"incumbent should be {counts} distinct columns that cover every point.")


def solve_auto(state: CoverState, improve: Improve | None) -> CoverResult:
    """Lagrangian bound, rounding, bound again, reduced-cost fixing, then HiGHS on the few columns left."""
    bound_pool(state)
    # Without improvement the pool stays as it is, and more roundings of it gain little.
    for round_ in range(state.limits.n_rounds if improve is not None else 1):
        if state.is_done() or (state.improved and state.upper_bound <= state.reach):
            break
        round_and_improve(state, improve, round_)
        bound_pool(state)
    # A partition that was improved and is still far off says that the relaxation itself is weak.
    far = state.upper_bound > state.above_bound(2)
    finish(state, guess=improve is None or not far)
    return result(state)


def bound_pool(state: CoverState) -> None:
    """The bound over the pool as it is now; new columns may have lowered it."""
    cold = state.multipliers is None
    state.climb(state.limits.cold_iterations if cold else state.limits.warm_iterations)
    state.bound = state.lagrangian


def round_and_improve(state: CoverState, improve: Improve | None, round_: int) -> None:
    """Noisy roundings; each is a cover as it stands or is made a partition by `improve`."""
    # All roundings come first: improving adds columns, which the reduced costs do not know yet.
    for chosen in [rounding(state, round_, r) for r in range(state.limits.n_roundings)]:
        if state.clock.is_over():
            return
        state.offer(chosen)
        partition = improve(chosen) if improve is not None else None
        if partition is not None:
            state.improved.append(partition)
            state.offer(partition.columns)


def rounding(state: CoverState, round_: int, r: int) -> Ids:
    """The r-th rounding of a round: the first without noise, the last with all of it."""
    assert state.multipliers is not None
    noise = state.limits.noise * r / max(1, state.limits.n_roundings - 1)
    substream = round_ * state.limits.n_roundings + r
    return _core.round_lagrangian(
        state.pool,
        state.counts.pair,
        state.multipliers,
        state.reduced_costs,
        state.seed,
        state.stage,
        state.task,
        substream,
        noise,
    )


def result(state: CoverState) -> CoverResult:
    """What was found, or InfeasibleCoverError when nothing was."""
    if state.best is None:
        raise InfeasibleCoverError(why_nothing(state))
    return CoverResult(
        columns=state.best.columns,
        cost=state.best.cost,
        bound=min(state.bound, state.best.cost),
        status=state.status,
        multipliers=state.multipliers,
        n_fixed=len(state.pool) - state.n_core,
        n_core=state.n_core,
        n_iterations=state.n_iterations,
        seconds=state.clock.seconds(),
        reproducible=not state.clock.stopped_something,
        improved=tuple(state.improved),
    )


def why_nothing(state: CoverState) -> str:
    """The message for a search that ends without a cover."""
    if state.bound == INFINITY:
        return f"no {state.counts} columns of the pool cover all {state.pool.n_points} points."
    return f"found no cover by {state.counts} columns within the limits; give an incumbent or larger limits."
