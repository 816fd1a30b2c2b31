"""From a good bound to a proof: fixing, and HiGHS on the cores that it leaves."""

from __future__ import annotations

import numpy as np

from intarsia import _core
from intarsia.arrays import Ids
from intarsia.examce.cover_core import BranchSettings, branch_core
from intarsia.examce.cover_highs import MipOutcome
from intarsia.examce.cover_state import CoverState


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
    ranked = np.sort(state.reduced_costs)
    least_with = state.lagrangian + ranked - ranked[state.k - 1]  # no cover with this column is cheaper
    for factor in sorted({state.limits.first_core_factor, state.limits.core_factor}):
        if state.is_done() or fits(state, core_within(state, state.upper_bound)):
            return
        n_columns = min(max(int(factor * state.k), state.k), len(ranked))
        cutoff = min(state.reach, state.upper_bound)
        guess = min(float(least_with[n_columns - 1]), cutoff)
        solve_core(state, core_within(state, guess), guess, cutoff)


def core_within(state: CoverState, cutoff: float) -> Ids:
    """Columns that a cover within the cutoff can use."""
    return np.flatnonzero(_core.fix_columns(state.reduced_costs, state.lagrangian, cutoff, state.k) >= 0)


def fits(state: CoverState, core: Ids) -> bool:
    """Whether HiGHS can be expected to finish on all that is left."""
    near = state.limits.use_highs and state.upper_bound <= state.reach
    return len(core) <= state.limits.small_core or (near and len(core) <= state.limits.core_factor * state.k)


def tighten(state: CoverState) -> None:
    """One more climb when only the size of the core stands between the best cover and a proof."""
    if state.upper_bound <= state.reach:
        state.climb(state.limits.cold_iterations)
        state.bound = max(state.bound, state.lagrangian)


def solve_core(state: CoverState, core: Ids, guess: float, cutoff: float) -> None:
    """Best cover within the cutoff from a core that holds every cover within the guess."""
    assert state.multipliers is not None
    options = state.ascent_options(state.limits.warm_iterations, cutoff)
    known = None if state.best is None else state.best.columns
    settings = BranchSettings(state.equality, state.limits.max_nodes, state.clock.remaining(), state.seed)
    outcome, state.n_core = branch_core(
        state.pool, core, state.k, state.multipliers, options, known, settings
    )
    if outcome.columns is not None:
        state.offer(outcome.columns)
    conclude(state, outcome, guess)


def conclude(state: CoverState, outcome: MipOutcome, guess: float) -> None:
    """Raise the pool bound by what the outcome proves."""
    if outcome.status in ("optimal", "infeasible"):
        # Every cover within the guess was considered, so none is cheaper than the best and the guess.
        state.bound = max(state.bound, min(state.upper_bound, guess))
        return
    state.bound = max(state.bound, min(outcome.bound, guess, state.upper_bound))
    state.status = "work_limit"
    state.clock.stopped_something |= outcome.status == "time_limit"
