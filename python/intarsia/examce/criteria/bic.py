"""The Bayesian information criterion of spherical Gaussians, which chooses the number of clusters itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from intarsia import _core
from intarsia._core import BicModel, ColumnPool, Stage
from intarsia.arrays import Floats, Ids, Labels, Points, put_back
from intarsia.base.centroid import CentroidBase
from intarsia.base.x_means import XMeans, half_bic, least_variance
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria import VARIANCES
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import (
    BaseTask,
    Data,
    Partition,
    Started,
    Stream,
    SwapLimits,
    Swapped,
    count_clusters,
)
from intarsia.streams import generator
from intarsia.validation import check_option, check_spread

_BASE_RUNS = 40
_PILOT_COUNTS = 12  # numbers of clusters that are tried first
_SPREAD = 0.15  # of the number of clusters of starts around the one expected, as a share of it
_PILOT_SEED = 0  # what is looked at first belongs to the data, not to a run


@dataclass(frozen=True)
class Bic(Mssc):
    """Half the Bayesian information criterion of spherical Gaussians around the means.

    A cluster costs minus the logarithm of its points' likelihood, its share of the points included, and half
    the logarithm of the number of points for each parameter. The number of clusters may be a range.

    Parameters
    ----------
    variance : {"pooled", "own"}
        One variance for all clusters, as in X-means, or one each. A pooled variance is no property of a
        cluster: it is taken from a first look at the data (X-means and k-means over the range) and stays,
        which bounds the criterion with the answer's own variance from above. No variance is less than a
        millionth of that of all points: clusters of one point, or of equal points, have that.

    Notes
    -----
    New points join the nearest mean, whatever the sizes and spreads of the clusters; `score` is minus their
    squared distances, not the criterion.
    """

    variance: str = "pooled"

    name = "bic"
    monotone = False
    takes_weights = False
    takes_ranges = True

    def __post_init__(self) -> None:
        check_option("variance", self.variance, VARIANCES)

    def check(self, X: Points, weights: Floats | None, counts: CountRange) -> None:
        """Refuse squared distances that are no numbers."""
        check_spread(X, weights)

    # What clusters cost.

    @cached_property
    def pilot(self) -> Labels:
        """The best partition of a first look at the data: it tells the variance, and where to search."""
        return first_look(self.data)

    @cached_property
    def model(self) -> BicModel:
        """What a cluster costs by its size and sum of squares."""
        X, floor = self.data.X, least_variance(self.data.X)
        pooled = max(_sse(X, self.pilot) / X.size, floor) if self.variance == "pooled" else 0.0
        return BicModel(len(X), X.shape[1], pooled, floor)

    def partition(self, labels: Labels) -> Partition:
        """Return the labels with their means and cost."""
        k = count_clusters(labels)
        means, sses, _ = _core.summarise(self.data.X, None, labels, k)
        costs = _core.bic_costs(self.model, np.bincount(labels, minlength=k), sses)
        return Partition(
            labels, float(costs.sum()), float(np.abs(costs).sum()), put_back(means, self.data.origin)
        )

    def _priced(self, pool: ColumnPool) -> ColumnPool:
        """Return columns that cost their sums of squares at their price."""
        costs = _core.bic_costs(self.model, np.diff(pool.offsets), pool.costs)
        return ColumnPool(pool.n_points, pool.offsets, pool.members, costs, pool.origins)

    def add_clusters(self, pool: ColumnPool, labels: Labels, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds."""
        squares = ColumnPool(pool.n_points)
        places = super().add_clusters(squares, labels, origin)
        if len(squares) == 0:
            return places
        priced = self._priced(squares)
        pool.absorb(priced, origin)
        columns = np.split(priced.members, priced.offsets[1:-1])
        return np.array([-1 if at < 0 else pool.find(columns[at]) for at in places], dtype=np.int64)

    # The steps of a round.

    def local_search(self, labels: Labels) -> Labels:
        """Single moves and merges, also from the k-means of the partition; the cheaper of both."""
        found = [self._moved(labels)]
        if self.data.sizes.are_free(len(labels)):
            found.append(self._moved(super().local_search(labels)))
        return min(found, key=lambda each: self.partition(each).cost)

    def _moved(self, labels: Labels) -> Labels:
        data, k = self.data, count_clusters(labels)
        sizes = data.sizes
        return _core.bic_moves(data.X, labels, k, self.model, data.counts.pair, sizes.least, sizes.most)

    def expand(self, pool: ColumnPool, labels: Labels, tau: int, origin: int) -> None:
        """Add each cluster with its nearest non-members joined and its farthest members dropped."""
        squares = ColumnPool(pool.n_points)
        super().expand(squares, labels, tau, origin)
        if len(squares):
            pool.absorb(self._priced(squares), origin)

    # The search beyond the paper.

    def start(self, k: int, stream: Stream) -> Started:
        """k-means++ and a few rounds of Lloyd, with about as many clusters as the first look found."""
        counts = self.data.counts
        drawn = generator(stream.seed, Stage.SEEDING, stream.task).normal()
        near = round(count_clusters(self.pilot) * float(np.exp(_SPREAD * drawn)) + drawn)
        most = min(counts.most, _core.count_distinct(self.data.X, counts.most))
        wanted = k if counts.least == counts.most else int(np.clip(near, min(counts.least, most), most))
        if most < counts.least:
            return Started(self._of_equals(stream), self.start_work(counts.least))
        return super().start(min(wanted, most), stream)

    def _of_equals(self, stream: Stream) -> Labels:
        """Return as few clusters as allowed of points of which many are equal."""
        n, k = len(self.data.X), self.data.counts.least
        order = generator(stream.seed, Stage.SEEDING, stream.task).permutation(n)
        labels = np.empty(n, dtype=np.int32)
        labels[order] = np.arange(n) % k
        return self.within_sizes(labels)

    def swap_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Swaps that lower the sum of squares, then moves and merges that lower the criterion."""
        start = self.partition(self.local_search(labels))
        swapped = super().swap_search(start.labels, limits, stream)
        found = self.partition(self.local_search(swapped.labels))
        columns = self._priced(swapped.columns) if len(swapped.columns) else swapped.columns
        best = found if found.cost < start.cost else start
        work = swapped.work + 20.0 * len(labels) * start.k
        return Swapped(best.labels, columns, start.cost, work, swapped.interrupt)

    # Base runs.

    def affordable_runs(self, k: int) -> float:
        """Some over the whole range."""
        return _BASE_RUNS

    def base_run(self, task: BaseTask, base: str, init: str, seed: int) -> Labels:
        """Run k-means, HK-means or random swap; the first run is the first look itself."""
        if task.run == 0:
            return self.pilot
        k = min(task.n_clusters, _core.count_distinct(self.data.X, task.n_clusters))
        return super().base_run(BaseTask(task.run, k), base, init, seed)

    def first_partition(self, k: int, seed: int) -> Labels:
        """The first look, brought within the limits."""
        return self.local_search(self.start(k, Stream(seed, Stage.SEEDING, 0, 0)).labels)

    # What a fitted estimator has.

    def attributes(self, partition: Partition) -> dict[str, Any]:
        """Return the means, and the whole criterion with the answer's own variance where it is pooled."""
        bic = 2 * partition.cost
        if self.variance == "pooled":
            bic = 2 * _half_bic(self.data.X, partition.labels)
        return {**super().attributes(partition), "bic_": bic, "n_clusters_": partition.k}


def first_look(data: Data) -> Labels:
    """Return the best of X-means and of k-means over the range, refined around the best number."""
    X, most = data.X, _core.count_distinct(data.X, data.counts.most)
    least = min(data.counts.least, most)
    tried = {0: _x_means(X, least, most)}
    for k in np.unique(np.geomspace(least, most, _PILOT_COUNTS).round().astype(int)):
        tried[int(k)] = _hk_means(X, int(k))
    while True:
        best = min(tried, key=lambda k: _half_bic(X, tried[k]))
        around = count_clusters(tried[best])
        new = [k for k in (around - 1, around, around + 1) if least <= k <= most and k not in tried]
        if not new:
            return tried[best]
        tried |= {k: _hk_means(X, k) for k in new}


def _x_means(X: Floats, least: int, most: int) -> Labels:
    return XMeans(most, min_clusters=least, random_state=_PILOT_SEED, n_threads=1).fit(X).labels_


def _hk_means(X: Floats, k: int) -> Labels:
    return CentroidBase("hk-means", init="k-means++").fit(X, k, seed=_PILOT_SEED).labels


def _sse(X: Floats, labels: Labels) -> float:
    return _core.summarise(X, None, labels, count_clusters(labels))[2]


def _half_bic(X: Floats, labels: Labels) -> float:
    return half_bic(_sse(X, labels), np.bincount(labels), X.shape[1], least_variance(X))
