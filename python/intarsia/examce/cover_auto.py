"""solver="auto": Lagrangian bound, rounding, reduced-cost fixing, then HiGHS on the few columns left."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from intarsia import _core
from intarsia.examce.cover_core import BranchSettings, branch_core
from intarsia.examce.cover_highs import MipOutcome
from intarsia.examce.cover_result import (
    Clock,
    CoverLimits,
    CoverResult,
    CoverSolution,
    Improve,
    InfeasibleCoverError,
    Status,
)
from intarsia.examce.pool import ColumnPool, Floats, Ids, Improved, cost_of, coverage

_INF = float("inf")
_SAME = 1e-9  # relative: costs closer than this are one cost to HiGHS


@dataclass
class AutoCover:
    """One search for the best cover; `run` reads like the method."""

    pool: ColumnPool
    k: int
    equality: bool
    limits: CoverLimits
    seed: int
    task: int
    n_threads: int
    clock: Clock
    improve: Improve | None
    best: CoverSolution | None
    multipliers: Floats | None
    lagrangian: float = -_INF  # the bound that belongs to the reduced costs
    bound: float = -_INF  # the best bound proved, by whatever means
    reduced_costs: Floats = field(default_factory=lambda: np.empty(0))
    improved: list[Improved] = field(default_factory=list)
    status: Status = "gap"
    n_fixed: int = 0
    n_core: int = 0
    n_iterations: int = 0

    def run(self) -> CoverResult:
        """Bound, round, bound again, fix, finish."""
        self.climb()
        # Without improvement the pool stays as it is, and more roundings of it gain little.
        for round_ in range(self.limits.n_rounds if self.improve is not None else 1):
            if self.clock.is_over() or self.upper_bound <= self._goal():
                break
            self.round_and_improve(round_)
            self.climb()
        self.finish()
        return self.result()

    @property
    def upper_bound(self) -> float:
        """Cost of the best cover so far, infinite before the first."""
        return _INF if self.best is None else self.best.cost

    def is_closed(self) -> bool:
        """Whether bound and best cover meet."""
        return self.upper_bound - self.bound <= _SAME * abs(self.bound)

    def _goal(self) -> float:
        """Near enough to the bound for HiGHS to finish: rounding always runs once, for its partitions."""
        return self._reach() if self.improved else self.bound + _SAME * abs(self.bound)

    def climb(self) -> None:
        """Raise the bound over the present pool, from the multipliers at hand."""
        cold = self.multipliers is None
        options = self._ascent_options(self.limits.cold_iterations if cold else self.limits.warm_iterations)
        self.lagrangian, self.multipliers, self.reduced_costs, n = _core.ascend(
            self.pool, self.k, self.multipliers, options
        )
        self.bound = self.lagrangian
        self.n_iterations += n

    def _ascent_options(self, max_iterations: int, upper_bound: float | None = None) -> _core.AscentOptions:
        options = _core.AscentOptions()
        options.equality = self.equality
        options.max_iterations = max_iterations
        options.upper_bound = self.upper_bound if upper_bound is None else upper_bound
        options.n_threads = self.n_threads
        return options

    def round_and_improve(self, round_: int) -> None:
        """Noisy roundings; each is a cover as it stands or is made a partition by `improve`."""
        # All roundings come first: improving adds columns, which the reduced costs do not know yet.
        for chosen in [self._rounding(round_, r) for r in range(self.limits.n_roundings)]:
            if self.clock.is_over():
                return
            self._offer(chosen)
            partition = self.improve(chosen) if self.improve is not None else None
            if partition is not None:
                self.improved.append(partition)
                self._offer(partition.columns)

    def _rounding(self, round_: int, r: int) -> Ids:
        noise = self.limits.noise * r / max(1, self.limits.n_roundings - 1)
        substream = round_ * self.limits.n_roundings + r
        assert self.multipliers is not None
        return _core.round_lagrangian(
            self.pool, self.k, self.multipliers, self.reduced_costs, self.seed, self.task, substream, noise
        )

    def _offer(self, columns: Ids) -> None:
        """Keep the columns if they are a cover and cheaper than the best."""
        cost = cost_of(self.pool, columns)
        if cost < self.upper_bound and is_cover(self.pool, columns, self.k, self.equality):
            self.best = CoverSolution(np.sort(columns), cost)

    def finish(self) -> None:
        """HiGHS on what fixing leaves: small guessed cores for a better cover, then all that is left."""
        for factor in (self.limits.first_core_factor, self.limits.core_factor):
            if self._is_done() or self._fits(self._core(self.upper_bound), self.upper_bound):
                break
            self._solve_guess(int(factor * self.k))
        if not self._is_done() and self._fits(core := self._core(self.upper_bound), self.upper_bound):
            self._solve_core(core, self.upper_bound, self.upper_bound)
        if self.is_closed():
            self.status = "optimal"
        elif self.clock.stopped_something:
            self.status = "time_limit"

    def _is_done(self) -> bool:
        return self.is_closed() or self.status == "work_limit" or self.clock.is_over()

    def _core(self, cutoff: float) -> Ids:
        """Columns that a cover within the cutoff can use."""
        return np.flatnonzero(_core.fix_columns(self.reduced_costs, self.lagrangian, cutoff, self.k) >= 0)

    def _fits(self, core: Ids, cutoff: float) -> bool:
        near = cutoff <= self._reach()
        return len(core) <= self.limits.small_core or (near and len(core) <= self.limits.core_factor * self.k)

    def _reach(self) -> float:
        return self.bound + self.limits.max_gap * abs(self.bound)

    def _solve_guess(self, n_columns: int) -> None:
        """Guess a cutoff that leaves about n_columns; a cover found there within the guess is optimal."""
        # A partition that was improved and is still far off says that the relaxation itself is weak.
        if self.improve is not None and self.upper_bound > self._reach() + self.limits.max_gap * abs(
            self.bound
        ):
            return
        ranked = np.sort(self.reduced_costs)
        guess = self.lagrangian + ranked[min(n_columns, len(ranked)) - 1] - ranked[self.k - 1]
        guess = min(guess, self._reach(), self.upper_bound)
        self._solve_core(self._core(guess), guess, min(self._reach(), self.upper_bound))

    def _solve_core(self, core: Ids, guess: float, cutoff: float) -> None:
        """Best cover within the cutoff from a core that holds every cover within the guess."""
        options = self._ascent_options(self.limits.warm_iterations, cutoff)
        assert self.multipliers is not None
        known = None if self.best is None else self.best.columns
        settings = BranchSettings(self.equality, self.limits.max_nodes, self.clock.remaining(), self.seed)
        outcome, self.n_core = branch_core(
            self.pool, core, self.k, self.multipliers, options, known, settings
        )
        self.n_fixed = len(self.pool) - self.n_core
        if outcome.columns is not None:
            self._offer(outcome.columns)
        self._conclude(outcome, guess)

    def _conclude(self, outcome: MipOutcome, guess: float) -> None:
        """Raise the pool bound by what the outcome proves."""
        if outcome.status in ("optimal", "infeasible"):
            # Every cover within the guess was considered, so none is cheaper than the best and the guess.
            self.bound = max(self.bound, min(self.upper_bound, guess))
            return
        self.bound = max(self.bound, min(outcome.bound, guess, self.upper_bound))
        self.status = "work_limit"
        self.clock.stopped_something |= outcome.status == "time_limit"

    def result(self) -> CoverResult:
        """What was found, or InfeasibleCoverError when nothing was."""
        if self.best is None:
            raise InfeasibleCoverError(self._why_nothing())
        return CoverResult(
            columns=self.best.columns,
            cost=self.best.cost,
            bound=min(self.bound, self.best.cost),
            status=self.status,
            multipliers=self.multipliers,
            n_fixed=self.n_fixed,
            n_core=self.n_core,
            n_iterations=self.n_iterations,
            seconds=self.clock.seconds(),
            reproducible=not self.clock.stopped_something,
            improved=tuple(self.improved),
        )

    def _why_nothing(self) -> str:
        if self.bound == _INF:
            return f"no {self.k} columns of the pool cover all {self.pool.n_points} points."
        return f"found no cover by {self.k} columns within the limits; give an incumbent or larger limits."


def is_cover(pool: ColumnPool, columns: Ids, k: int, equality: bool) -> bool:
    """Whether these are k distinct columns that hold every point (exactly once with equality rows)."""
    counts = coverage(pool, columns)
    return len(np.unique(columns)) == k and bool(np.all(counts == 1 if equality else counts >= 1))
