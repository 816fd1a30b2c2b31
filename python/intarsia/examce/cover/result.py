"""What the cover stage answers: columns of a pool, their cost, and what is known about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids, Labels
from intarsia.examce.cover.limits import CountRange

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
