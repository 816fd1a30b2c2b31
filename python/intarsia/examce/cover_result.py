"""What the cover stage is asked and what it answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intarsia.arrays import Floats, Ids
from intarsia.examce.pool import Improved

Solver: TypeAlias = Literal["auto", "highs", "lp"]
Status: TypeAlias = Literal["optimal", "gap", "work_limit", "time_limit", "lp"]
Improve: TypeAlias = Callable[[Ids], "Improved | None"]


class InfeasibleCoverError(ValueError):
    """No choice of exactly k columns of the pool covers every point."""


@dataclass(frozen=True)
class CoverSolution:
    """k distinct columns of a pool that cover every point, and the sum of their costs."""

    columns: Ids
    cost: float


@dataclass(frozen=True)
class CoverLimits:
    """How much work the cover stage may do; counted, not timed, so that results repeat.

    Attributes
    ----------
    cold_iterations, warm_iterations
        Lagrangian steps without and with multipliers to start from.
    n_rounds, n_roundings, noise
        Primal rounds at most (fewer once within max_gap of the bound), roundings in each, their noise.
    max_gap, core_factor, first_core_factor
        HiGHS is called on a core of at most core_factor · k columns, for covers within max_gap of the bound;
        while no good cover is known, first on a core of first_core_factor · k.
    small_core
        A core of at most this many columns goes to HiGHS whatever the gap.
    max_nodes
        Branch-and-bound nodes of one HiGHS call.
    use_highs
        Without it only bound and roundings are used; a core of small_core columns is solved all the same.
    """

    cold_iterations: int = 600
    warm_iterations: int = 200
    n_rounds: int = 5
    n_roundings: int = 10
    noise: float = 0.2
    max_gap: float = 0.002
    core_factor: float = 12.0
    first_core_factor: float = 6.0
    small_core: int = 120
    max_nodes: int = 2000
    use_highs: bool = True


@dataclass(frozen=True)
class CoverResult:
    """The best cover found over a pool and what is known about it.

    `bound` is a lower bound on covers by columns of *this pool*; it says nothing about other clusterings.
    `improved` lists the partitions that the primal heuristic made (their clusters are in the pool).
    `n_core` columns were left after fixing and went to HiGHS, if it was called; `n_fixed` is the rest.
    """

    columns: Ids
    cost: float
    bound: float
    status: Status
    multipliers: Floats | None = None
    n_fixed: int = 0
    n_core: int = 0
    n_iterations: int = 0
    seconds: float = 0.0
    reproducible: bool = True
    improved: tuple[Improved, ...] = field(default=())

    @property
    def gap(self) -> float:
        """Relative distance between cost and bound; 0 when optimal."""
        if self.status == "optimal":
            return 0.0
        return max(0.0, self.cost - self.bound) / max(abs(self.cost), 1e-300)


class Clock:
    """Seconds since it was made, and whether a time limit has passed."""

    def __init__(self, time_limit: float | None = None) -> None:
        self._start = time.perf_counter()
        self._limit = time_limit
        self.stopped_something = False

    def go_on_from(self, seconds: float, stopped_something: bool) -> None:
        """Count what an earlier run has spent, as if it had been this one."""
        self._start -= seconds
        self.stopped_something |= stopped_something

    def seconds(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - self._start

    def remaining(self) -> float:
        """Seconds left; infinite without a limit."""
        return float("inf") if self._limit is None else max(0.0, self._limit - self.seconds())

    def is_over(self) -> bool:
        """Whether the limit has passed; remembered, since such a result does not repeat."""
        over = self.remaining() <= 0.0
        self.stopped_something |= over
        return over
