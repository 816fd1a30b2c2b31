"""Pools of k-means clusters for the cover benchmark: many runs, spread over the bracket around k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base import BaseSettings, base_runs
from intarsia.bench.problems import Problem
from intarsia.examce.bracket import bracket_of, spread_runs
from intarsia.examce.pool import ColumnPool, MsscImprover


@dataclass(frozen=True)
class PooledProblem:
    """Points, the number of clusters, and a pool of columns to choose them from."""

    label: str
    X: Floats
    k: int
    pool: ColumnPool

    def copy_pool(self) -> ColumnPool:
        """Return a pool of the same columns: a solver may add to its own."""
        return self.pool.subset(np.arange(len(self.pool)))

    def improver(self, pool: ColumnPool) -> MsscImprover:
        """Return what turns chosen columns into an HK-means optimum whose clusters join that pool."""
        return MsscImprover(pool, self.X, None, self._local_search)

    def _local_search(self, labels: Labels) -> tuple[Labels, float]:
        improved, _ = _core.hartigan(self.X, np.empty(0), labels, self.k, 1, len(self.X))
        return improved, _core.summarise(self.X, np.empty(0), improved, self.k)[2]


def bracket_sizes(k: int, n_runs: int, n_distinct: int) -> list[tuple[int, int]]:
    """Return (number of clusters, runs) over the bracket of EXAMCE's own base runs."""
    spread = spread_runs(n_runs, k, *bracket_of(k, None, n_distinct))
    sizes, counts = np.unique(spread, return_counts=True)
    return list(zip(sizes.tolist(), counts.tolist(), strict=True))


def bracket_pool(problem: Problem, X: Floats, n_runs: int, seed: int) -> PooledProblem:
    """Collect the clusters of k-means runs from random starts."""
    pool, n_distinct = ColumnPool(len(X)), _core.count_distinct(X, len(X))
    for size, count in bracket_sizes(problem.n_clusters, n_runs, n_distinct):
        settings = BaseSettings(method="kmeans", n_clusters=size)
        # a seed of its own for each size: otherwise the runs of all sizes would start alike
        for origin, found in enumerate(base_runs(X, settings, n_runs=count, seed=seed * 1_000_003 + size)):
            _core.add_clusters(pool, X, None, found.labels, size, origin)
    return PooledProblem(problem.label, X, problem.n_clusters, pool)
