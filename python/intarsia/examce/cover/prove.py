"""From a good bound to a proof: fixing, and HiGHS on the cores that it leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from intarsia import _core
from intarsia.arrays import Ids
from intarsia.examce.cover.model import CoverOutcome, solve_mip
from intarsia.examce.cover.state import INFINITY, SAME, CoverState


def finish(state: CoverState, guess: bool) -> None:
    """Guessed cores for a better cover, then all columns that a cheaper cover could use."""
    state.n_core = len(core_within(state, state.upper_bound))
    if state.limits.use_highs:
        prepare(state, guess)
    if not state.is_done() and fits(state, core := core_within(state, state.upper_bound)):
        solve_core(state, core, state.upper_bound, state.upper_bound)
    if state.is_closed():
        state.status = "optimal"
    elif state.clock.stopped_something:
        state.status = "time_limit"


def prepare(state: CoverState, guess: bool) -> None:
    """A better cover, or a better bound, so that little is left to decide."""
    if guess:
        guess_cores(state)
    if not state.is_done() and not fits(state, core_within(state, state.upper_bound)):
        tighten(state)


def guess_cores(state: CoverState) -> None:
    """Cutoffs guessed so that few columns are left; a cover found within a guess is optimal."""
    ranked, k = np.sort(state.reduced_costs), state.n_taken
    # what a column replaces, or nothing where one more may be taken
    replaced = ranked[k - 1] if k == state.counts.most else max(ranked[k - 1], 0.0)
    least_with = state.lagrangian + ranked - replaced  # no cover with this column is cheaper
    for factor in sorted({state.limits.first_core_factor, state.limits.core_factor}):
        if state.is_done() or fits(state, core_within(state, state.upper_bound)):
            return
        n_columns = min(max(int(factor * k), k), len(ranked))
        cutoff = min(state.reach, state.upper_bound)
        guess = min(float(least_with[n_columns - 1]), cutoff)
        solve_core(state, core_within(state, guess), guess, cutoff)


def core_within(state: CoverState, cutoff: float) -> Ids:
    """Columns that a cover within the cutoff can use."""
    fixed = _core.fix_columns(
        state.reduced_costs, state.lagrangian, cutoff, state.counts.pair, state.magnitude
    )
    return np.flatnonzero(fixed >= 0)


def fits(state: CoverState, core: Ids) -> bool:
    """Whether HiGHS can be expected to finish on all that is left."""
    near = state.limits.use_highs and state.upper_bound <= state.reach
    wide = state.limits.core_factor * state.n_taken
    return len(core) <= state.limits.small_core or (near and len(core) <= wide)


def tighten(state: CoverState) -> None:
    """One more climb when only the size of the core stands between the best cover and a proof."""
    if state.upper_bound <= state.reach:
        state.climb(state.limits.cold_iterations)
        state.bound = max(state.bound, state.lagrangian)


def solve_core(state: CoverState, core: Ids, guess: float, cutoff: float) -> None:
    """Best cover within the cutoff from a core that holds every cover within the guess."""
    outcome, state.n_core = branch_core(state, core, cutoff)
    if outcome.columns is not None:
        state.offer(outcome.columns)
    conclude(state, outcome, guess)


def branch_core(state: CoverState, core: Ids, cutoff: float) -> tuple[CoverOutcome, int]:
    """Climb and fix once more, then HiGHS on what is left: the outcome in pool ids, and HiGHS's columns."""
    assert state.multipliers is not None
    if len(core) < state.counts.least:
        return CoverOutcome("infeasible", None, INFINITY), len(core)
    sub, counts = state.pool.subset(core), state.counts.pair
    options = state.ascent_options(state.limits.warm_iterations, cutoff)
    bound, _, reduced, _ = _core.ascend(sub, counts, state.multipliers, options)
    if bound > cutoff + SAME * max(abs(cutoff), state.magnitude):
        return CoverOutcome("infeasible", None, bound), 0
    fixed = _core.fix_columns(reduced, bound, cutoff, counts, state.magnitude)
    kept = np.flatnonzero(fixed >= 0)
    ids = core[kept]
    outcome = solve_mip(
        sub.subset(kept),
        state.counts,
        equality=state.equality,
        cutoff=cutoff,
        magnitude=state.magnitude,
        start=_positions(state, ids),
        fixed_in=np.flatnonzero(fixed[kept] > 0),
        max_nodes=state.limits.max_nodes,
        time_limit=state.clock.remaining(),
        seed=state.seed,
    )
    return (outcome if outcome.columns is None else replace(outcome, columns=ids[outcome.columns])), len(ids)


def _positions(state: CoverState, ids: Ids) -> Ids | None:
    # the best cover is a start when all of its columns are in what is left
    if state.best is None or not np.isin(state.best.columns, ids).all():
        return None
    return np.searchsorted(ids, state.best.columns)


def conclude(state: CoverState, outcome: CoverOutcome, guess: float) -> None:
    """Raise the pool bound by what the outcome proves."""
    if outcome.status in ("optimal", "infeasible"):
        # Every cover within the guess was considered, so none is cheaper than the best and the guess.
        state.bound = max(state.bound, min(state.upper_bound, guess))
        return
    state.bound = max(state.bound, min(outcome.bound, guess, state.upper_bound))
    state.status = "work_limit"
    state.clock.stopped_something |= outcome.status == "time_limit"
