"""What is asked of a cover (how many columns, how much work) and what is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids, Labels


@dataclass(frozen=True)
class CountRange:
    """Whole numbers from `least` to `most`, both included."""

    least: int
    most: int

    @property
    def pair(self) -> tuple[int, int]:
        """Both ends, as the kernels take them."""
        return self.least, self.most

    def __contains__(self, count: int) -> bool:
        return self.least <= count <= self.most

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


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


Solver: TypeAlias = Literal["auto", "highs", "lp"]
Status: TypeAlias = Literal["optimal", "gap", "work_limit", "time_limit", "lp"]
Improve: TypeAlias = Callable[[Ids], "Improved | None"]


class InfeasibleCoverError(ValueError):
    """No choice of so many columns of the pool covers every point."""


@dataclass(frozen=True)
class CoverSolution:
    """Distinct columns of a pool that cover every point, and the sum of their costs."""

    columns: Ids
    cost: float


@dataclass(frozen=True)
class Improved:
    """A partition whose clusters are columns of the pool."""

    columns: Ids
    labels: Labels
    cost: float


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


def is_cover(pool: ColumnPool, columns: Ids, counts: CountRange, equality: bool) -> bool:
    """Whether these are so many distinct columns that hold every point (exactly once with equality rows)."""
    held = coverage(pool, columns)
    n_distinct = len(np.unique(columns))
    is_right = n_distinct == len(columns) and n_distinct in counts
    return is_right and bool(np.all(held == 1 if equality else held >= 1))


def coverage(pool: ColumnPool, columns: Ids) -> npt.NDArray[np.int64]:
    """How many of the columns hold each point."""
    return np.bincount(pool.subset(columns).members, minlength=pool.n_points)


def cost_of(pool: ColumnPool, columns: Ids) -> float:
    """Sum of the columns' costs, always added in the order of their ids."""
    return float(np.sum(pool.costs[np.sort(columns)]))
