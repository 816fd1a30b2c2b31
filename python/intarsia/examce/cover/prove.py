"""What is known about a cover, and from a good bound to a proof: fixing, and HiGHS on what it leaves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids
from intarsia.clock import Clock
from intarsia.examce.cover.model import CoverOutcome, solve_mip
from intarsia.examce.cover.problem import (
    CountRange,
    CoverLimits,
    CoverSolution,
    Improved,
    Status,
    cost_of,
    is_cover,
)

INFINITY = float("inf")
SAME = 1e-9  # relative: costs closer than this are one cost to HiGHS
_WARM_STEP = 0.3  # from good multipliers a full step first destroys what they know


@dataclass
class CoverState:
    """The problem, what is known about it, and the two ways to learn more: `climb` and `offer`."""

    pool: ColumnPool
    counts: CountRange
    equality: bool
    limits: CoverLimits
    seed: int
    stage: Stage
    task: int
    n_threads: int
    clock: Clock
    best: CoverSolution | None = None
    multipliers: Floats | None = None
    reduced_costs: Floats = field(default_factory=lambda: np.empty(0))
    lagrangian: float = -INFINITY  # the bound that belongs to the reduced costs
    bound: float = -INFINITY  # the best bound proved, by whatever means
    improved: list[Improved] = field(default_factory=list)
    status: Status = "gap"
    n_core: int = 0
    n_iterations: int = 0
    magnitude: float = field(init=False)  # what tolerances are relative to at least

    def __post_init__(self) -> None:
        self.magnitude = magnitude_of(self.pool, self.counts)

    @property
    def upper_bound(self) -> float:
        """Cost of the best cover so far, infinite before the first."""
        return INFINITY if self.best is None else self.best.cost

    @property
    def reach(self) -> float:
        """The largest cost that counts as near the bound."""
        return self.above_bound(1)

    def above_bound(self, n_gaps: int) -> float:
        """Return a cost so many times the allowed gap above the bound."""
        return self.bound + n_gaps * self.limits.max_gap * max(abs(self.bound), self.magnitude)

    @property
    def n_taken(self) -> int:
        """How many columns the relaxation takes: those that pay for themselves, within the limits."""
        counts = self.counts
        if counts.least == counts.most:
            return counts.least
        return int(np.clip((self.reduced_costs < 0).sum(), counts.least, counts.most))

    def is_closed(self) -> bool:
        """Whether bound and best cover meet."""
        return self.upper_bound - self.bound <= SAME * max(abs(self.bound), self.magnitude)

    def is_done(self) -> bool:
        """Whether there is nothing left to do or to spend."""
        return self.is_closed() or self.status == "work_limit" or self.clock.is_over()

    def ascent_options(self, max_iterations: int, upper_bound: float) -> _core.AscentOptions:
        """Options of one ascent of this search."""
        options = _core.AscentOptions()
        options.equality = self.equality
        options.max_iterations = max_iterations
        options.upper_bound = upper_bound
        options.magnitude = self.magnitude
        options.n_threads = self.n_threads
        options.step = 1.0 if self.multipliers is None else _WARM_STEP
        return options

    def climb(self, max_iterations: int) -> None:
        """Raise the Lagrangian bound over the present pool, from the multipliers at hand."""
        self.lagrangian, self.multipliers, self.reduced_costs, n = _core.ascend(
            self.pool,
            self.counts.pair,
            self.multipliers,
            self.ascent_options(max_iterations, self.upper_bound),
        )
        self.n_iterations += n

    def offer(self, columns: Ids) -> None:
        """Keep the columns if they are a cover and cheaper than the best."""
        cost = cost_of(self.pool, columns)
        if cost < self.upper_bound and is_cover(self.pool, columns, self.counts, self.equality):
            self.best = CoverSolution(np.sort(columns), cost)


def magnitude_of(pool: ColumnPool, counts: CountRange) -> float:
    """Return the size of what is added up in a cover where costs of both signs may cancel; else 0."""
    costs = pool.costs
    return counts.least * float(np.mean(np.abs(costs))) if costs.min() < 0 else 0.0


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
