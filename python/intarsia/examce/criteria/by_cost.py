"""Criteria of which only the cost of a cluster is known: every step of the loop, by asking for costs."""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from intarsia import _core
from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.base.centroid import CentroidBase
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.cost_moves import CostMoves, is_among, joined, never, without
from intarsia.examce.criteria.protocol import (
    FIRST_RUN,
    NO_DATA,
    BaseTask,
    Criterion,
    Data,
    Partition,
    SizeLimits,
    Stream,
    SwapLimits,
    Swapped,
    count_clusters,
)
from intarsia.streams import generator
from intarsia.validation import check_spread

_BASE_WORK = 3e5  # costs that all base runs together may ask for, roughly
_MOST_WORK = 20  # swaps at a time: each asks for many costs
_PASSES = 4  # of single moves until nothing moves, roughly
_MOST_KNOWN = 200_000  # costs that are remembered


class KnownCosts(dict[bytes, float]):
    """Costs that were asked for before, by the members; it stays behind when a criterion travels."""

    def __reduce__(self) -> tuple[type[KnownCosts], tuple[()]]:
        return KnownCosts, ()


@dataclass(frozen=True)
class ByCost(Criterion):
    """A criterion that knows what a cluster costs; a subclass has to say no more than that and its name.

    The distance of a point x to a cluster C is c(C ∪ x) − c(C \\ x), and an empty cluster costs nothing.
    Costs may be negative, and the number of clusters may be a range. A subclass that knows a faster way than
    to ask for costs overrides `distance_to` and `distances_to`, or any step as a whole.
    """

    data: Data = field(default=NO_DATA, repr=False, compare=False, kw_only=True)
    known: KnownCosts = field(default_factory=KnownCosts, init=False, repr=False, compare=False)

    monotone = False
    takes_weights = False
    takes_ranges = True
    has_representatives = False
    bases = ("kmeans", "random")

    # What a subclass says.

    @abstractmethod
    def cost(self, members: Ids) -> float:
        """Return what the cluster of these points of `data` costs, ascending and at least one; finite."""

    # What follows from it.

    def distance_to(self, members: Ids, point: int) -> float:
        """Return the distance c(C ∪ x) − c(C \\ x) of a point to a cluster, of which it may be one."""
        if is_among(members, point):
            return self.cost_of(members) - self.cost_of(without(members, point))
        return self.cost_of(joined(members, point)) - self.cost_of(members)

    def distances_to(self, members: Ids, points: Ids) -> Floats:
        """Return the distance of each point to the cluster."""
        return np.array([self.distance_to(members, int(point)) for point in points], dtype=np.float64)

    def cost_of(self, members: Ids) -> float:
        """Return the cost of any ascending members, none included, asked for once as a rule."""
        if len(members) == 0:
            return 0.0
        key = members.astype(np.int64, copy=False).tobytes()
        found = self.known.get(key)
        if found is None:
            found = float(self.cost(members))
            if not math.isfinite(found):
                what = f"a cluster of {len(members)} points costs {found}"
                raise ValueError(f"criterion={self.name!r}: {what}; a cost should be a finite number.")
            if len(self.known) >= _MOST_KNOWN:
                self.known.clear()
            self.known[key] = found
        return found

    def costs_of(self, labels: Labels) -> Floats:
        """Return the cost of each cluster."""
        return np.array([self.cost_of(members) for members in clusters_of(labels)])

    def check(self, X: Points, weights: Floats | None, counts: CountRange) -> None:
        """Refuse points that the k-means of the base runs cannot take."""
        check_spread(X, weights)

    def most_clusters(self, limit: int) -> int:
        """Return the number of points."""
        return min(limit, len(self.data.X))

    def partition(self, labels: Labels) -> Partition:
        """Return the labels with their cost."""
        costs = self.costs_of(labels)
        return Partition(labels, float(costs.sum()), float(np.abs(costs).sum()))

    def add_clusters(self, pool: ColumnPool, labels: Labels, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds."""
        return np.array([self._add(pool, members, origin) for members in clusters_of(labels)], dtype=np.int64)

    def _add(self, pool: ColumnPool, members: Ids, origin: int) -> int:
        if len(members) == 0 or not self.data.sizes.least <= len(members) <= self.data.sizes.most:
            return -1
        return pool.add(members.astype(np.int32), self.cost_of(members), origin)[0]

    # The steps of a round.

    def remove_duplicates(self, pool: ColumnPool, columns: Ids) -> Labels:
        """Each point stays where it is nearest; points left out join the nearest cluster."""
        chosen = pool.subset(columns)
        held = np.zeros((len(chosen), len(self.data.X)), dtype=np.bool_)
        held[np.repeat(np.arange(len(chosen)), np.diff(chosen.offsets)), chosen.members] = True
        return self.within_sizes(self._refilled(self._placed(held), held))

    def _placed(self, held: NDArray[np.bool_]) -> Labels:
        now, n = held.copy(), held.shape[1]
        for point in range(n):
            holders = np.flatnonzero(now[:, point])
            if len(holders) > 1:
                now[holders, point] = False
                now[self._nearest(held_by(now, holders), point, holders), point] = True
        labels = np.where(now.any(axis=0), now.argmax(axis=0), -1).astype(np.int32)
        # where a point goes must not depend on the points left out before it
        filled = np.flatnonzero(now.any(axis=1))
        clusters = held_by(now, filled)
        for left_out in np.flatnonzero(labels < 0):
            labels[left_out] = self._nearest(clusters, int(left_out), filled)
        return labels

    def _nearest(self, clusters: list[Ids], point: int, numbers: Ids) -> int:
        # the clusters are without the point: to what it would add the distance is the same
        distances = [self.distance_to(members, point) for members in clusters]
        return int(numbers[int(np.argmin(distances))])

    def _refilled(self, labels: Labels, held: NDArray[np.bool_]) -> Labels:
        """Give each emptied column the point that costs most where it is, one of its own if possible.

        One of its own costs a monotone criterion no more than the column did.
        """
        for empty in np.flatnonzero(np.bincount(labels, minlength=len(held)) == 0):
            spare = np.bincount(labels, minlength=len(held))[labels] > 1
            own = spare & held[empty]
            moving = np.flatnonzero(own if own.any() else spare)
            costs = [self.distance_to(np.flatnonzero(labels == labels[i]), int(i)) for i in moving]
            labels[moving[int(np.argmax(costs))]] = empty
        return labels

    def local_search(self, labels: Labels) -> Labels:
        """Single moves until none gains; they open and close clusters where the number is free."""
        return self._moved(labels, self.data.counts, self.data.sizes)

    def _moved(
        self, labels: Labels, counts: CountRange, sizes: SizeLimits, is_late: Callable[[], bool] = never
    ) -> Labels:
        return CostMoves(self, labels).improve(counts, sizes, is_late)

    def expand(self, pool: ColumnPool, labels: Labels, tau: int, origin: int) -> None:
        """Add each cluster: alone, with its 1..tau nearest others, without its 1..tau farthest members."""
        for members in clusters_of(labels):
            others = np.setdiff1d(np.arange(len(labels)), members)
            near = others[np.argsort(self.distances_to(members, others), kind="stable")]
            far = members[np.argsort(-self.distances_to(members, members), kind="stable")]
            self._add(pool, members, origin)
            for step in range(1, tau + 1):
                if step <= len(near):
                    self._add(pool, np.union1d(members, near[:step]), origin)
                if step < len(members):
                    self._add(pool, np.setdiff1d(members, far[:step]), origin)

    # The search beyond the paper.

    def swap_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Close a cluster, open one at a random point, or both; then single moves."""
        rng = generator(*stream)
        columns, best = ColumnPool(len(labels)), self.partition(self.local_search(labels))
        start_cost, ends = best.cost, time.monotonic() + limits.seconds
        each = _PASSES * float(len(labels)) * self.data.counts.most
        n_swaps = min(limits.n_swaps, int(min(limits.max_work, _MOST_WORK * each) / each))
        n_tried = 0
        while n_tried < n_swaps and time.monotonic() < ends:
            n_tried += 1
            found = self.partition(self.local_search(self._disturbed(best.labels, rng)))
            self.add_clusters(columns, found.labels, 0)
            best = found if found.cost < best.cost else best
        return Swapped(best.labels, columns, start_cost, each * (1 + n_tried))

    def _disturbed(self, labels: Labels, rng: np.random.Generator) -> Labels:
        k, counts, n = count_clusters(labels), self.data.counts, len(labels)
        changes = [(True, True), (True, False), (False, True)]
        allowed = [(c, o) for c, o in changes if k - c + o in counts and k - c >= 1 and k + o <= n]
        if not allowed:
            return labels
        closes, opens = allowed[rng.integers(len(allowed))]
        moves = CostMoves(self, labels)
        if closes:
            moves.close(int(rng.integers(k)))
        if opens:
            moves.open(int(rng.integers(n)))
        return self.within_sizes(moves.labels_now())

    # Base runs.

    def affordable_runs(self, k: int) -> float:
        """Return how many runs ask for as many costs as we grant."""
        return _BASE_WORK / (_PASSES * float(len(self.data.X)) * k)

    def base_run(self, task: BaseTask, base: str, init: str, seed: int) -> Labels:
        """Single moves from k-means or from a random partition."""
        k, n = task.n_clusters, len(self.data.X)
        if base == "random":
            start = generator(seed, Stage.BASE_RUN, task.run).integers(k, size=n).astype(np.int32)
        else:
            start = self._kmeans(task, init, seed)
        return self._moved(self._split_up(start, k), CountRange(k, k), SizeLimits(1, n))

    def _kmeans(self, task: BaseTask, init: str, seed: int) -> Labels:
        data = self.data
        k = _core.count_distinct(data.X, task.n_clusters)
        kmeans = CentroidBase("kmeans", init=init)
        return kmeans.fit(data.X, k, weights=data.weights, seed=seed, task=task.run).labels

    def _split_up(self, labels: Labels, k: int) -> Labels:
        """Return so many clusters: the last points of the largest ones become some of their own."""
        labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
        for c in range(count_clusters(labels), k):
            largest = int(np.argmax(np.bincount(labels)))
            labels[np.flatnonzero(labels == largest)[-1]] = c
        return labels

    def first_partition(self, k: int, seed: int) -> Labels:
        """Single moves from a run of k-means that is brought within the limits."""
        return self.local_search(
            self.within_sizes(self.base_run(BaseTask(FIRST_RUN, k), "kmeans", "k-means++", seed))
        )

    # Size limits.

    def within_sizes(self, labels: Labels) -> Labels:
        """Return labels that keep the size limits: point by point, the cheapest move first."""
        if self.data.sizes.allow(np.bincount(labels)):
            return labels
        moves = CostMoves(self, labels)
        moves.keep_sizes(self.data.sizes)
        return moves.labels_now()

    def search_within_sizes(self, labels: Labels, is_late: Callable[[], bool]) -> Labels:
        """Bring a partition within the size limits, then single moves."""
        return self._moved(self.within_sizes(labels), self.data.counts, self.data.sizes, is_late)


def clusters_of(labels: Labels) -> list[Ids]:
    """Return the members of clusters 0..k-1, ascending."""
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=count_clusters(labels)))
    return np.split(order, ends[:-1])


def held_by(held: NDArray[np.bool_], columns: Ids) -> list[Ids]:
    """Return the members of some rows of a table of who holds what."""
    return [np.flatnonzero(held[column]) for column in columns]
