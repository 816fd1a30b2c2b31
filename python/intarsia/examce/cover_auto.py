"""solver="auto": Lagrangian bound, rounding, reduced-cost fixing, then HiGHS on the few columns left."""

from __future__ import annotations

from intarsia import _core
from intarsia.arrays import Ids
from intarsia.examce.cover_finish import finish
from intarsia.examce.cover_result import CoverResult, Improve, InfeasibleCoverError
from intarsia.examce.cover_state import INFINITY, CoverState


def solve_auto(state: CoverState, improve: Improve | None) -> CoverResult:
    """Bound, round, bound again, fix, finish."""
    bound_pool(state)
    # Without improvement the pool stays as it is, and more roundings of it gain little.
    for round_ in range(state.limits.n_rounds if improve is not None else 1):
        if state.is_done() or (state.improved and state.upper_bound <= state.reach):
            break
        round_and_improve(state, improve, round_)
        bound_pool(state)
    # A partition that was improved and is still far off says that the relaxation itself is weak.
    far = state.upper_bound > state.reach + state.limits.max_gap * abs(state.bound)
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
        state.pool, state.k, state.multipliers, state.reduced_costs, state.seed, state.task, substream, noise
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
        return f"no {state.k} columns of the pool cover all {state.pool.n_points} points."
    return f"found no cover by {state.k} columns within the limits; give an incumbent or larger limits."
