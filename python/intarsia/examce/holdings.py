"""The pool of clusters and the best partition made from it: what every step of the search adds to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from intarsia._core import ColumnPool
from intarsia.arrays import Labels
from intarsia.examce.cover_result import CoverSolution
from intarsia.examce.criteria import Mssc
from intarsia.examce.partition import Partition, better
from intarsia.examce.pool import cost_of


@dataclass
class Holdings:
    """Clusters of any partition join the pool; the best partition into k clusters is kept."""

    criterion: Mssc
    k: int
    pool: ColumnPool
    best: Partition | None = None

    @property
    def incumbent(self) -> Partition:
        """The best partition; there is one once the base runs are done."""
        assert self.best is not None
        return self.best

    def offer(self, labels: Labels, origin: int) -> Partition | None:
        """Put the clusters into the pool and keep the partition if it is the best; None if out of bounds."""
        ids = self.criterion.add_clusters(self.pool, labels, self.k, origin)
        if (ids < 0).any():
            return None
        partition = self.criterion.partition(labels, self.k)
        self.best = better(self.best, partition)
        return partition

    def add_run(self, labels: Labels, origin: int) -> Partition | None:
        """Take in a run of any number of clusters; return it if it is a partition into k."""
        k = int(labels.max()) + 1
        if k == self.k and labels.min() >= 0:
            return self.offer(labels, origin)
        self.criterion.add_some_clusters(self.pool, labels, k, origin)
        return None

    def cover_start(self) -> CoverSolution:
        """Return the best partition as columns of the pool."""
        ids = self.criterion.add_clusters(self.pool, self.incumbent.labels, self.k, 0)
        return CoverSolution(np.sort(ids), cost_of(self.pool, ids))

    def copy(self) -> Holdings:
        """Return holdings that can grow by themselves."""
        return replace(self, pool=self.columns_since(0))

    def columns_since(self, n_columns: int) -> ColumnPool:
        """Return the columns that came after the first n."""
        return self.pool.subset(np.arange(n_columns, len(self.pool)))
