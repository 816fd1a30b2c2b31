"""The pool of columns, and how a choice of columns becomes an improved partition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids, Labels

__all__ = ["ColumnPool", "Improved", "MsscImprover", "cost_of", "coverage"]

LocalSearch: TypeAlias = Callable[[Labels], tuple[Labels, float]]


@dataclass(frozen=True)
class Improved:
    """A partition whose clusters are columns of the pool."""

    columns: Ids
    labels: Labels
    cost: float


def coverage(pool: ColumnPool, columns: Ids) -> npt.NDArray[np.int64]:
    """How many of the columns hold each point."""
    return np.bincount(pool.subset(columns).members, minlength=pool.n_points)


def cost_of(pool: ColumnPool, columns: Ids) -> float:
    """Sum of the columns' costs, always added in the order of their ids."""
    return float(np.sum(pool.costs[np.sort(columns)]))


@dataclass(frozen=True)
class MsscImprover:
    """Chosen columns → duplicates removed → local search → clusters added to the pool.

    Parameters
    ----------
    pool, x, weights
        The pool that grows, the data (C-ordered float64) and its weights or None.
    local_search
        Takes labels, returns improved labels and their cost.
    origin, min_size, max_size
        Written to, and asked of, the columns that are added.
    """

    pool: ColumnPool
    x: Floats
    weights: Floats | None
    local_search: LocalSearch
    origin: int = -1
    min_size: int = 1
    max_size: int = 2**31 - 1

    def __call__(self, columns: Ids) -> Improved | None:
        """Improve one choice; None when a cluster of the result breaks the size bounds."""
        labels = _core.remove_duplicates(self.pool, columns, self.x, self.weights)
        labels, _ = self.local_search(labels)
        ids = _core.add_clusters(
            self.pool, self.x, self.weights, labels, len(columns), self.origin, self.min_size, self.max_size
        )
        if (ids < 0).any():
            return None
        return Improved(ids, labels, cost_of(self.pool, ids))
