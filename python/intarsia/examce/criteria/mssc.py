"""Minimum sum of squares: a cluster costs the squared distances of its points to their mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids, Labels
from intarsia.examce.partition import Partition
from intarsia.examce.sizes import SizeLimits, repair_sizes, settle_sizes

_NONE = np.empty(0)
_SMALL_CLUSTERS = 60  # points a cluster on average
_LEAST_SWAPS = 1000
_MOST_SWAPS_EACH = 50  # a cluster: few clusters have few swaps that differ
_FEW_SWAPS = 50
_FLOW_WORK = 4e6  # points times clusters, summed over the swaps made by flows
_MOST_FLOW_SWAPS = 200
_SWAP_WORK = 6e5  # a repair looks at the points of a few clusters: swaps times points a cluster


@dataclass(frozen=True)
class Mssc:
    """The steps of the loop for weighted points under size limits.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
        C-ordered float64 points.
    weights : array of shape (n_samples,) or None
        Positive weights; None when all are one.
    sizes : SizeLimits
        Least and largest number of points in a cluster.
    n_threads : int
        Threads inside one kernel call.
    """

    X: Floats
    weights: Floats | None
    sizes: SizeLimits
    n_threads: int = 1

    monotone = True

    def subset(self, points: Ids) -> Mssc:
        """Return the criterion on some of the points, for one thread."""
        weights = None if self.weights is None else np.ascontiguousarray(self.weights[points])
        return Mssc(np.ascontiguousarray(self.X[points]), weights, self.sizes)

    def partition(self, labels: Labels, k: int) -> Partition:
        """Return the labels with their centres and cost."""
        centers, _, cost = _core.summarise(self.X, self._weights, labels, k)
        return Partition(labels, centers, cost)

    def add_clusters(self, pool: ColumnPool, labels: Labels, k: int, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds."""
        return _core.add_clusters(
            pool, self.X, self.weights, labels, k, origin, self.sizes.least, self.sizes.most
        )

    def add_some_clusters(self, pool: ColumnPool, labels: Labels, k: int, origin: int) -> None:
        """Put the clusters into the pool, where points labelled -1 belong to none."""
        scratch = ColumnPool(len(self.X))
        ids = self.add_clusters(scratch, np.where(labels < 0, k, labels).astype(np.int32), k + 1, origin)[:k]
        pool.absorb(scratch.subset(ids[ids >= 0]), origin)

    def remove_duplicates(self, pool: ColumnPool, columns: Ids) -> Labels:
        """Make a partition of chosen columns: each point stays where the centre is nearest."""
        labels = _core.remove_duplicates(pool, columns, self.X, self.weights)
        return self.within_sizes(labels, len(columns))

    def within_sizes(self, labels: Labels, k: int) -> Labels:
        """Return the cheapest change of a partition that keeps the size limits."""
        return repair_sizes(self.X, self.weights, labels, k, self.sizes)

    def settle(self, labels: Labels, k: int, is_late: Callable[[], bool]) -> Labels:
        """Bring a partition within the size limits, then to a local optimum: flows, then single moves."""
        settled = settle_sizes(self.X, self.weights, labels, k, self.sizes, is_late=is_late)
        return self.local_search(settled, k)

    def local_search(self, labels: Labels, k: int) -> Labels:
        """HK-means from a partition."""
        if not self.sizes.are_free(len(self.X)):
            # Lloyd's step knows no bounds: single-point moves alone keep to them.
            return _core.hartigan(self.X, self._weights, labels, k, self.sizes.least, self.sizes.most)[0]
        centers = _core.summarise(self.X, self._weights, labels, k)[0]
        lloyd = _core.kmeans(self.X, self._weights, centers, 1000, 0.0, self.n_threads)[0]
        return _core.hartigan(self.X, self._weights, lloyd, k, 1, len(self.X))[0]

    def expand(self, pool: ColumnPool, labels: Labels, k: int, tau: int, origin: int) -> None:
        """Add each cluster with its nearest non-members joined and its farthest members dropped."""
        _core.expand_partition(
            pool,
            self.X,
            self.weights,
            labels,
            k,
            tau,
            origin,
            self.sizes.least,
            self.sizes.most,
            self.n_threads,
        )

    def affordable_swaps(self, k: int, swaps_per_cluster: float) -> int:
        """Return how many swaps to try: by the number of clusters, fewer where clusters are large."""
        least = min(_LEAST_SWAPS, _MOST_SWAPS_EACH * k)
        wanted = max(least, int(swaps_per_cluster * k))
        n, d = self.X.shape
        return max(_FEW_SWAPS, min(wanted, int(_SWAP_WORK * k / (n * (1 + d / 4)))))

    def swap_search(
        self, labels: Labels, k: int, *, n_swaps: int, seconds: float, seed: int, task: int, substream: int
    ) -> tuple[Labels, int, int, ColumnPool]:
        """Random swaps; return labels, trials, trials kept and the clusters that good trials made."""
        # Large clusters seldom fit together again: of those only what improved is worth its memory.
        keep_within = 0.3 if len(self.X) <= _SMALL_CLUSTERS * k else 0.0
        options = _core.SwapSearchOptions(
            n_swaps, keep_within, seconds, self.sizes.least, self.sizes.most, self._flow_swaps(k)
        )
        return _core.swap_search(self.X, self.weights, labels, k, seed, task, substream, options)

    def _flow_swaps(self, k: int) -> int:
        n_samples = len(self.X)
        return (
            0 if self.sizes.are_free(n_samples) else min(_MOST_FLOW_SWAPS, int(_FLOW_WORK / (n_samples * k)))
        )

    @property
    def _weights(self) -> Floats:
        return _NONE if self.weights is None else self.weights
