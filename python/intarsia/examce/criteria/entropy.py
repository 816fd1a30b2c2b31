"""Structural entropy: a cluster costs what it adds to the mixture of clusters around every point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from intarsia import _core
from intarsia._core import ColumnPool, Stage, StructuralEntropy
from intarsia.arrays import Floats, Ids, Labels, Members, Points
from intarsia.base.centroid import CentroidBase
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.by_cost import ByCost
from intarsia.examce.criteria.neighbourhoods import NeighbourRule, scaled
from intarsia.examce.criteria.protocol import (
    BaseTask,
    Data,
    Partition,
    SizeLimits,
    Started,
    Stream,
    SwapLimits,
    Swapped,
    count_clusters,
)
from intarsia.streams import generator
from intarsia.validation import check_positive

_LEAST_SHARE = 0.4  # of the mean size: smaller clusters are not what is looked for
_SAME = 1e-12  # a smaller difference of entropies is rounding


@dataclass(frozen=True)
class Entropy(ByCost):
    """Structural entropy of the clusters around every point (Li, Zhang, Jiang 2004).

    With p the share of a point's neighbours that lie in a cluster, the cluster costs the mean over all points
    of p^alpha (alpha < 1), of −p ln p (alpha = 1) or of p − p^alpha (alpha > 1). The entropy J of a partition
    is what its clusters cost, less 1 if alpha < 1: nothing where all neighbours are of one cluster. J alone
    is least with nearly all points in one cluster; hence clusters have at least 0.4 n / k points by default.

    Attributes
    ----------
    alpha : float
        Order of the entropy. Below 1 it is monotone; otherwise theorem 1 of EXAMCE does not hold.
    neighbours, radius, bandwidth, scaling, metric
        Who counts as a neighbour, as `NeighbourRule` says; by default the n / 2k nearest by the sum of
        differences of features scaled to between 0 and 1.
    swap_clusters : bool
        Whether the search, beyond its k-means starts, closes clusters and opens others around random points.
        It finds less entropy, and often by clusters of the least size that no start has.
    """

    alpha: float = 0.9
    neighbours: int | None = None
    radius: float | None = None
    bandwidth: float | None = None
    scaling: str = "minmax"
    metric: str = "manhattan"
    swap_clusters: bool = False
    _around: _Around | None = field(default=None, init=False, repr=False, compare=False)

    name = "entropy"
    takes_ranges = False  # one cluster of all points costs least

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        """Whether a subset of a cluster never costs more."""
        return self.alpha < 1

    @property
    def rule(self) -> NeighbourRule:
        """Who counts as a neighbour."""
        return NeighbourRule(self.neighbours, self.radius, self.bandwidth, self.scaling, self.metric)

    def __post_init__(self) -> None:
        check_positive("alpha", self.alpha)
        if not isinstance(self.swap_clusters, bool):
            raise TypeError(f"swap_clusters={self.swap_clusters!r} should be True or False.")

    def check(self, X: Points, weights: Floats | None, counts: CountRange) -> None:
        """Refuse a rule that cannot be, and points that the k-means of the base runs cannot take."""
        self.rule.check(len(X))
        super().check(X, weights, counts)

    def on(self, data: Data) -> Entropy:
        """Return the criterion on these points, with their neighbourhoods."""
        placed = super().on(data)
        X = scaled(data.X, self.scaling)
        offsets, ids = self.rule.rows(X, data.counts.most, data.n_threads)
        entropy = StructuralEntropy(offsets, ids, self.alpha)
        around = _Around(X, np.diff(offsets), _parts(offsets, ids), entropy)
        object.__setattr__(placed, "_around", around)
        return placed

    @property
    def around(self) -> _Around:
        """The neighbourhoods of the points."""
        assert self._around is not None, "the criterion is on no points"
        return self._around

    # What clusters cost.

    def cost(self, members: Ids) -> float:
        """Return what the cluster adds to the entropy around every point."""
        return self.around.entropy.cost(members.astype(np.int32))

    def costs_of(self, labels: Labels) -> Floats:
        """Return the cost of each cluster."""
        return self.around.entropy.costs(labels, count_clusters(labels))

    def entropy_of(self, partition: Partition) -> float:
        """Return J, which is 0 where all neighbours of every point are of its cluster."""
        return max(0.0, partition.cost - (1.0 if self.alpha < 1 else 0.0))  # rounding is no entropy

    def attributes(self, partition: Partition) -> dict[str, Any]:
        """Return the entropy J."""
        return {**super().attributes(partition), "entropy_": self.entropy_of(partition)}

    def add_clusters(self, pool: ColumnPool, labels: Labels, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds."""
        k, sizes = count_clusters(labels), self.data.sizes
        return self.around.entropy.add_clusters(pool, labels, k, origin, sizes.least, sizes.most)

    # The steps of a round.

    def remove_duplicates(self, pool: ColumnPool, columns: Ids) -> Labels:
        """Each point stays where it costs least; points left out join the cluster where they do."""
        return self.within_sizes(self.around.entropy.remove_duplicates(pool, columns))

    def local_search(self, labels: Labels) -> Labels:
        """Visit the points in turn and move each to its best cluster until none moves."""
        return self._improved(labels, self.data.sizes)

    def _improved(self, labels: Labels, sizes: SizeLimits) -> Labels:
        return self.around.entropy.moves(labels, count_clusters(labels), sizes.least, sizes.most, True)

    def expand(self, pool: ColumnPool, labels: Labels, tau: int, origin: int) -> None:
        """Add each cluster: alone, with its 1..tau cheapest others, without its 1..tau dearest members."""
        k, sizes = count_clusters(labels), self.data.sizes
        self.around.entropy.expand_partition(
            pool, labels, k, tau, origin, sizes.least, sizes.most, self.data.n_threads
        )

    # The search beyond the paper.

    def swap_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Single moves; with `swap_clusters` then one closed, one opened around a random point, moves."""
        sizes, k = self.data.sizes, count_clusters(labels)
        found = self.around.entropy.swap_search(
            labels,
            k,
            *stream,
            limits.n_swaps if self.swap_clusters else 0,
            limits.max_work,
            limits.least_gain,
            limits.seconds,
            sizes.least,
            sizes.most,
        )
        return Swapped(*found)

    def start(self, k: int, stream: Stream) -> Started:
        """k-means++, within the size limits."""
        labels = self._kmeans(BaseTask(stream.task, k), "k-means++", stream.seed)
        return Started(self.within_sizes(labels), self.start_work(k))

    def round_work(self, k: int, n_iterations: int, n_entries: int) -> float:
        """Return the work of a round: its local searches, and dual steps over the entries of the pool."""
        return 20.0 * float(self.around.counts.sum()) + 0.25 * n_iterations * n_entries

    # Base runs.

    def affordable_runs(self, k: int) -> float:
        """None: the search has k-means++ starts of its own, until two of them agree."""
        return 0

    def base_run(self, task: BaseTask, base: str, init: str, seed: int) -> Labels:
        """Single moves from k-means or a random partition, within the size limits where k allows them."""
        k, n, sizes = task.n_clusters, len(self.data.X), self.data.sizes
        if base == "random":
            start = generator(seed, Stage.BASE_RUN, task.run).integers(k, size=n).astype(np.int32)
        else:
            start = self._kmeans(task, init, seed)
        fits = k * sizes.least <= n <= k * sizes.most
        return self._improved(self._split_up(start, k), sizes if fits else SizeLimits(1, n))

    def _kmeans(self, task: BaseTask, init: str, seed: int) -> Labels:
        # the points as the neighbours see them
        kmeans = CentroidBase("kmeans", init=init)
        found = kmeans.fit(
            self.around.X, _core.count_distinct(self.around.X, task.n_clusters), seed=seed, task=task.run
        )
        return self._split_up(found.labels, task.n_clusters)

    # Size limits.

    def least_size(self, counts: CountRange, n_samples: int) -> int:
        """Return 0.4 n / k: J alone would have nearly all points in one cluster."""
        return max(1, int(_LEAST_SHARE * n_samples / counts.most))

    def within_sizes(self, labels: Labels) -> Labels:
        """Return labels that keep the size limits, by the moves that cost least."""
        sizes = self.data.sizes
        if sizes.allow(np.bincount(labels)):
            return labels
        return self.around.entropy.moves(labels, count_clusters(labels), sizes.least, sizes.most, False)

    def search_within_sizes(self, labels: Labels, is_late: Callable[[], bool]) -> Labels:
        """Bring a partition within the size limits, then single moves."""
        return self.local_search(self.within_sizes(labels))

    # What a user should know about the answer.

    def remarks(self, partition: Partition) -> tuple[str, ...]:
        """Say where neighbourhoods tell nothing, where the default least size binds and where J is tied."""
        found = (self._about_neighbourhoods(), self._about_limits(partition), self._about_ties(partition))
        return tuple(f"criterion='entropy': {remark}." for remark in found if remark)

    def _about_neighbourhoods(self) -> str | None:
        n, counts = len(self.data.X), self.around.counts
        alone, everybody = int((counts == 1).sum()), int((counts == n).sum())
        if alone:
            return f"{alone} of {n} points have nobody around them but themselves and tell nothing; widen it"
        if everybody:
            return f"{everybody} of {n} points have all points around them and tell nothing; narrow it"
        return None

    def _about_limits(self, partition: Partition) -> str | None:
        sizes, n = self.data.sizes, len(self.data.X)
        if sizes.least != self.least_size(self.data.counts, n) or sizes.least == 1:
            return None  # not ours
        freed = self.partition(self._improved(partition.labels, SizeLimits(1, sizes.most)))
        if freed.cost >= partition.cost - _SAME:
            return None
        return f"min_size={sizes.least}, the default of 0.4 n / k, binds; min_size=1 lifts it"

    def _about_ties(self, partition: Partition) -> str | None:
        """A part that no neighbourhood joins to anything else costs the same in any cluster."""
        parts, sizes = self.around.parts, np.bincount(partition.labels)
        whole = np.bincount(parts)
        for part in np.flatnonzero(whole < len(parts)):
            homes = np.unique(partition.labels[parts == part])
            if len(homes) == 1 and whole[part] <= sizes[homes[0]] - self.data.sizes.least and len(sizes) > 1:
                return (
                    "the neighbourhoods fall apart, and other groupings of their parts have the same entropy"
                )
        return None


@dataclass(frozen=True, eq=False)
class _Around:
    """Points as their neighbours see them, and what is known of who is around whom.

    Attributes
    ----------
    X
        The scaled points.
    counts, parts
        How many are around each point, and the number of the part of the graph of neighbours that it is in.
    entropy
        What clusters cost.
    """

    X: Floats
    counts: Ids
    parts: Ids
    entropy: StructuralEntropy


def _parts(offsets: Ids, ids: Members) -> Ids:
    n = len(offsets) - 1
    graph = csr_array((np.ones(len(ids), dtype=np.int8), ids, offsets), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)
