"""Pools of k-means clusters for the cover benchmark: many runs, spread over the bracket around k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids
from intarsia.base.runs import base_runs
from intarsia.bench.quality.instances import Instance
from intarsia.examce.base_runs import bracket_of, spread_runs
from intarsia.examce.cover.problem import CountRange, Improve, Improved, cost_of
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Data, SizeLimits


@dataclass(frozen=True)
class PooledInstance:
    """Points, the number of clusters, and a pool of columns to choose them from."""

    label: str
    X: Floats
    k: int
    pool: ColumnPool

    def copy_pool(self) -> ColumnPool:
        """Return a pool of the same columns: a solver may add to its own."""
        return self.pool.subset(np.arange(len(self.pool)))

    def improver(self, pool: ColumnPool) -> Improve:
        """Return what turns chosen columns into an HK-means optimum whose clusters join that pool."""
        counts, sizes = CountRange(self.k, self.k), SizeLimits(1, len(self.X))
        criterion = Mssc().on(Data(self.X, None, counts, sizes))

        def improve(columns: Ids) -> Improved:
            labels = criterion.local_search(criterion.remove_duplicates(pool, columns))
            ids = criterion.add_clusters(pool, labels, -1)
            return Improved(ids, labels, cost_of(pool, ids))

        return improve


def bracket_sizes(k: int, n_runs: int, n_distinct: int) -> list[tuple[int, int]]:
    """Return (number of clusters, runs) over the bracket of EXAMCE's own base runs."""
    spread = spread_runs(n_runs, k, *bracket_of(CountRange(k, k), None, n_distinct))
    sizes, counts = np.unique(spread, return_counts=True)
    return list(zip(sizes.tolist(), counts.tolist(), strict=True))


def bracket_pool(instance: Instance, X: Floats, n_runs: int, seed: int) -> PooledInstance:
    """Collect the clusters of k-means runs from random starts."""
    pool, n_distinct = ColumnPool(len(X)), _core.count_distinct(X, len(X))
    for size, count in bracket_sizes(instance.n_clusters, n_runs, n_distinct):
        own_seed = seed * 1_000_003 + size  # otherwise the runs of all sizes would start alike
        for origin, found in enumerate(base_runs(X, "kmeans", size, n_runs=count, seed=own_seed)):
            _core.add_clusters(pool, X, None, found.labels, size, origin)
    return PooledInstance(instance.label, X, instance.n_clusters, pool)
