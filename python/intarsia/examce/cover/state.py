"""What a running search for a cover knows: the best cover, the bound, the reduced costs behind it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids
from intarsia.clock import Clock
from intarsia.examce.cover.limits import CountRange, CoverLimits
from intarsia.examce.cover.result import CoverSolution, Improved, Status, cost_of, is_cover

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
