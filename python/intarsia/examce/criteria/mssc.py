"""Minimum sum of squares: a cluster costs the squared distances of its points to their mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids, Labels, Points, put_back
from intarsia.base.registry import CENTROID_METHODS, base_clusterer
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.protocol import (
    FIRST_RUN,
    NO_DATA,
    BaseTask,
    Criterion,
    Data,
    Partition,
    Started,
    Stream,
    SwapLimits,
    Swapped,
    count_clusters,
)
from intarsia.executor import Listening
from intarsia.validation import check_distinct, check_spread

_POINTS_PER_ROUND, _FEWEST_ROUNDS, _MOST_ROUNDS = 10, 3, 300  # of Lloyd, from a k-means++ start

_LARGE_CLUSTERS, _FEWEST_LARGE = 400, 100  # points a cluster on average, from which starts are crossed:
_LARGE_VALUES = 6400  # fewer where they have so many values: Lloyd's distances gain more by width than swaps'
_FEWEST_SOME, _SOME_PER_CLUSTER = 20_000, 100  # points that a start looks at first, where there are many
_RUNS_APART = 2**40  # random streams of the runs of one start, beyond those of all steps
_BASE_SWAPS = 200
_SMALL_CLUSTERS = 60  # points a cluster on average
_FLOW_WORK = 4e6  # points times clusters, summed over the swaps made by flows
_MOST_FLOW_SWAPS = 200


@dataclass(frozen=True)
class Mssc(Criterion):
    """Sum of squared distances to the cluster means, of weighted points, under size limits."""

    data: Data = field(default=NO_DATA, repr=False, compare=False, kw_only=True)

    name = "mssc"
    monotone = True
    takes_weights = True
    takes_ranges = False  # more clusters always cost less
    has_representatives = True
    bases = CENTROID_METHODS

    def check(self, X: Points, weights: Floats | None, counts: CountRange) -> None:
        """Refuse squared distances that are no numbers, and fewer different points than clusters."""
        check_spread(X, weights)
        check_distinct(X, weights, counts.least)

    def on(self, data: Data) -> Mssc:
        """Return the criterion on these points, as seen from near them: sums keep their digits."""
        return replace(self, data=data.near_zero())

    def most_clusters(self, limit: int) -> int:
        """Return the number of different points."""
        return _core.count_distinct(self.data.X, limit)

    def partition(self, labels: Labels) -> Partition:
        """Return the labels with their means and cost."""
        means, _, cost = _core.summarise(self.data.X, self.data.weights, labels, count_clusters(labels))
        return Partition(labels, cost, cost, put_back(means, self.data.origin))

    def add_clusters(self, pool: ColumnPool, labels: Labels, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds."""
        data = self.data
        return _core.add_clusters(
            pool,
            data.X,
            data.weights,
            labels,
            count_clusters(labels),
            origin,
            data.sizes.least,
            data.sizes.most,
        )

    def remove_duplicates(self, pool: ColumnPool, columns: Ids) -> Labels:
        """Make a partition of chosen columns: each point stays where the centre is nearest."""
        return self.within_sizes(_core.remove_duplicates(pool, columns, self.data.X, self.data.weights))

    def local_search(self, labels: Labels) -> Labels:
        """HK-means from a partition."""
        X, sizes, k = self.data.X, self.data.sizes, count_clusters(labels)
        left = self.data.seconds_left
        if not sizes.are_free(len(X)):
            # Lloyd's step knows no bounds: single-point moves alone keep to them.
            return _core.hartigan(X, self.data.weights, labels, k, sizes.least, sizes.most, left())[0]
        centers = _core.summarise(X, self.data.weights, labels, k)[0]
        lloyd = _core.kmeans(X, self.data.weights, centers, 1000, 0.0, self.data.n_threads, left())[0]
        return _core.hartigan(X, self.data.weights, lloyd, k, 1, len(X), left())[0]

    def expand(self, pool: ColumnPool, labels: Labels, tau: int, origin: int) -> None:
        """Add each cluster with its nearest non-members joined and its farthest members dropped."""
        data = self.data
        _core.expand_partition(
            pool,
            data.X,
            data.weights,
            labels,
            count_clusters(labels),
            tau,
            origin,
            data.sizes.least,
            data.sizes.most,
            data.n_threads,
        )

    def start(self, k: int, stream: Stream) -> Started:
        """k-means++ and a few rounds of Lloyd, crossed where clusters are large; within size limits."""
        candidates, work = self._first_centres(k, stream)
        found: list[tuple[Labels, float]] = []
        for centres in candidates:  # the likeliest first
            found.append(self._few_rounds(centres))
            if self.data.seconds_left() <= 0:
                break
        labels, _ = min(found, key=lambda run: run[1])
        return Started(self.within_sizes(labels), work + len(found) * self.start_work(k))

    def _few_rounds(self, centres: Floats) -> tuple[Labels, float]:
        X, w, left = self.data.X, self.data.weights, self.data.seconds_left()
        # Lloyd's passes are quick where clusters are large, single moves find more where they are small
        rounds = int(np.clip(len(X) / len(centres) / _POINTS_PER_ROUND, _FEWEST_ROUNDS, _MOST_ROUNDS))
        labels, _, cost, *_ = _core.kmeans(X, w, centres, rounds, 0.0, self.data.n_threads, left)
        return labels, cost

    def _first_centres(self, k: int, stream: Stream) -> tuple[list[Floats], float]:
        """k-means++ of many points on some of them, with Lloyd to its end there; and its work beyond that."""
        X, w = self._some_points(k, stream)
        if k > 1 and len(X) / k >= np.clip(_LARGE_VALUES / X.shape[1], _FEWEST_LARGE, _LARGE_CLUSTERS):
            return self._crossed_centres(X, w, k, stream)
        chosen = self._seeds(X, w, k, stream.seed, stream.task)
        if len(X) == len(self.data.X):
            return [X[chosen]], 0.0
        return [self._lloyd(X, w, X[chosen])[1]], self._lloyd_work(X, k)

    def _crossed_centres(
        self, X: Floats, w: Floats | None, k: int, stream: Stream
    ) -> tuple[list[Floats], float]:
        from intarsia.examce.criteria.crossing import KMeansRun, best_of_crossed  # here: for large clusters
        from intarsia.streams import generator

        def run_from(centres: Floats) -> KMeansRun:
            return KMeansRun(*self._lloyd(X, w, centres))

        def new_run(number: int) -> KMeansRun:
            task = stream.task + number * _RUNS_APART
            return run_from(X[self._seeds(X, w, k, stream.seed, task)])

        rng = generator(stream.seed, stream.stage, stream.task, 1)
        crossed = best_of_crossed(
            new_run,
            run_from,
            lambda: X[rng.integers(len(X))],
            rng,
            lambda: self.data.seconds_left() <= 0,
        )
        is_sample = len(X) < len(self.data.X)
        best = crossed.in_doubt() if is_sample else crossed.best[:1]
        return [run.centres for run in best], crossed.n_runs * self._lloyd_work(X, k)

    def _lloyd(self, X: Floats, w: Floats | None, centres: Floats) -> tuple[float, Floats]:
        """Run Lloyd to its end; return the cost and the centres."""
        left = self._some_seconds(X)
        _, found, cost, *_ = _core.kmeans(X, w, centres, _MOST_ROUNDS, 0.0, self.data.n_threads, left)
        return cost, found

    def _seeds(self, X: Floats, w: Floats | None, k: int, seed: int, task: int) -> Ids:
        some = self.data.seconds_left() / 2  # what follows takes at least as long
        return _core.seed_points(X, w, k, "k-means++", seed, task, self.data.n_threads, seconds=some)

    def _some_seconds(self, X: Floats) -> float:
        """Return how long Lloyd may take: of some points no longer than is left for all of them."""
        left = self.data.seconds_left()
        return left if len(X) == len(self.data.X) else left / 2

    def _lloyd_work(self, X: Floats, k: int) -> float:
        return self.start_work(k) * len(X) / len(self.data.X)

    def _some_points(self, k: int, stream: Stream) -> tuple[Floats, Floats | None]:
        X, w = self.data.X, self.data.weights
        n_some = max(_FEWEST_SOME, _SOME_PER_CLUSTER * k)
        if len(X) < 2 * n_some:
            return X, w
        from intarsia.streams import generator  # here: few fits have so many points

        rng = generator(stream.seed, stream.stage, stream.task)
        some = np.sort(rng.choice(len(X), n_some, replace=False))
        sample = np.ascontiguousarray(X[some])
        if _core.count_distinct(sample, k) < k:  # mostly the same few points
            return X, w
        return sample, None if w is None else np.ascontiguousarray(w[some])

    def swap_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Single-point moves, then one centre at a time to a random point."""
        data, k = self.data, count_clusters(labels)
        # Large clusters seldom fit together again: of those only what improved is worth its memory.
        keep_within = 0.3 if len(data.X) <= _SMALL_CLUSTERS * k else 0.0
        options = _core.SwapSearchOptions(
            limits.n_swaps,
            keep_within,
            limits.seconds,
            data.sizes.least,
            data.sizes.most,
            self._flow_swaps(k),
            limits.max_work,
            limits.least_gain,
        )
        here = Listening()
        found = _core.swap_search(data.X, data.weights, labels, k, *stream, options, here.is_unwanted)
        return Swapped(found[0], found[1], start_cost=found[2], work=found[4], interrupt=here.interrupt)

    def _flow_swaps(self, k: int) -> int:
        n = len(self.data.X)
        return 0 if self.data.sizes.are_free(n) else min(_MOST_FLOW_SWAPS, int(_FLOW_WORK / (n * k)))

    def affordable_runs(self, k: int) -> float:
        """None: chains of swaps from k-means++ starts take their place."""
        return 0

    def base_run(self, task: BaseTask, base: str, init: str, seed: int) -> Labels:
        """Run k-means, HK-means or random swap."""
        clusterer = base_clusterer(base, prefer={"init": init, "n_swaps": _BASE_SWAPS})
        data = self.data
        return clusterer.fit(data.X, task.n_clusters, weights=data.weights, seed=seed, task=task.run).labels

    def first_partition(self, k: int, seed: int) -> Labels:
        """HK-means, brought within the size limits."""
        labels = self.base_run(BaseTask(FIRST_RUN, k), "hk-means", "k-means++", seed)
        return self.local_search(self.within_sizes(labels))

    def within_sizes(self, labels: Labels) -> Labels:
        """Return labels that keep the size limits, or the cheapest assignment to the means that does."""
        if self.data.sizes.allow(np.bincount(labels)):
            return labels
        from intarsia.examce.criteria.sizes import kmeans_within_sizes

        return kmeans_within_sizes(
            self.data, labels, max_flows=1, is_late=lambda: self.data.seconds_left() <= 0
        )

    def search_within_sizes(self, labels: Labels, is_late: Callable[[], bool]) -> Labels:
        """Flows, then single moves."""
        from intarsia.examce.criteria.sizes import kmeans_within_sizes

        return self.local_search(kmeans_within_sizes(self.data, labels, is_late=is_late))

    def nearest(
        self, X: Points, weights: Floats | None, representatives: Floats, n_threads: int
    ) -> tuple[Labels, float]:
        """Return the nearest mean of each point, and the sum of squared distances."""
        fitted = _core.assign_to_centres(X, weights, representatives, n_threads)
        return fitted[0], fitted[2]

    def distances(self, X: Points, representatives: Floats) -> Floats:
        """Return the distance of each point to each mean."""
        from intarsia.base.centroid_clusterer import (
            distances_to,  # here: costs and labels need no scikit-learn
        )

        return distances_to(X, representatives)
