"""The pool of clusters and the best partition made from it: what every step of the search adds to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from intarsia._core import ColumnPool
from intarsia.arrays import Labels
from intarsia.examce.cover.problem import CoverSolution, cost_of
from intarsia.examce.criteria.protocol import Criterion, Partition, count_clusters


@dataclass
class Incumbent:
    """Clusters of any partition join the pool; the best partition within the limits is kept."""

    criterion: Criterion
    pool: ColumnPool
    best: Partition | None = None

    @property
    def partition(self) -> Partition:
        """The best partition; there is one once the base runs are done."""
        assert self.best is not None
        return self.best

    def offer(self, labels: Labels, origin: int) -> Partition | None:
        """Put the clusters into the pool and keep the partition if it is the best; None if out of bounds."""
        ids = self.criterion.add_clusters(self.pool, labels, origin)
        if (ids < 0).any():
            return None
        partition = self.criterion.partition(labels)
        self.best = better(self.best, partition)
        return partition

    def add_run(self, labels: Labels, origin: int) -> Partition | None:
        """Take in a run of any number of clusters; return it if it is a partition within the limits."""
        if count_clusters(labels) in self.criterion.data.counts and labels.min() >= 0:
            return self.offer(labels, origin)
        self._add_some(labels, origin)
        return None

    def _add_some(self, labels: Labels, origin: int) -> None:
        # points labelled -1 belong to no cluster: they form one more, which is left behind
        k, scratch = count_clusters(labels), ColumnPool(self.pool.n_points)
        ids = self.criterion.add_clusters(scratch, np.where(labels < 0, k, labels).astype(np.int32), origin)
        self.pool.absorb(scratch.subset(ids[:k][ids[:k] >= 0]), origin)

    def cover_start(self) -> CoverSolution:
        """Return the best partition as columns of the pool."""
        ids = self.criterion.add_clusters(self.pool, self.partition.labels, 0)
        return CoverSolution(np.sort(ids), cost_of(self.pool, ids))

    def copy(self) -> Incumbent:
        """Return one that can grow by itself."""
        return replace(self, pool=self.columns_since(0))

    def columns_since(self, n_columns: int) -> ColumnPool:
        """Return the columns that came after the first n."""
        return self.pool.subset(np.arange(n_columns, len(self.pool)))


def better(a: Partition | None, b: Partition) -> Partition:
    """Return the cheaper one; the first where they cost the same."""
    return b if a is None or b.cost < a.cost else a
