"""p-median: a cluster costs the distances of its points to the best of all points as their median."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria import METRICS
from intarsia.examce.criteria.by_cost import ByCost
from intarsia.examce.criteria.protocol import (
    FIRST_RUN,
    BaseTask,
    Partition,
    Started,
    Stream,
    SwapLimits,
    Swapped,
    count_clusters,
)
from intarsia.streams import generator
from intarsia.validation import check_option, check_spread

_IN_SCIPY = {"manhattan": "cityblock"}  # under another name
_ROWS = 4096  # new points that are measured at a time
_MOST_TRIALS = 2**62
_MOST_FLOWS = 30
_FLOW_WORK = 4e6  # points times clusters, summed over trials under size limits
_MOST_FLOW_TRIALS = 200
_SYMMETRIC = 1e-9  # of the largest distance: rounding of whoever computed the matrix


@dataclass(frozen=True)
class PMedian(ByCost):
    """Sum of distances to the medians, which are points of the data but need not lie in their clusters.

    Parameters
    ----------
    metric : {"euclidean", "sqeuclidean", "manhattan", "cosine", "precomputed"}
        How distances are measured; "precomputed": X is their symmetric matrix. They are computed when needed:
        there is no n x n matrix unless one is given.

    Notes
    -----
    Points of weight 0 are no medians. `Examce` has `medoid_indices_`, the medians' places in X.
    """

    metric: str = "euclidean"
    rows: Floats = field(default_factory=lambda: np.empty((0, 0)), init=False, repr=False, compare=False)

    name = "pmedian"
    monotone = True
    takes_weights = True
    takes_ranges = False  # more clusters never cost more
    has_representatives = True
    bases = ("greedy", "random")

    def __post_init__(self) -> None:
        check_option("metric", self.metric, METRICS)
        object.__setattr__(self, "rows", self._measured(self.data.X))

    def _measured(self, X: Floats) -> Floats:
        """Return the points as the kernels take them: for the cosine of length 1."""
        if self.metric != "cosine":
            return X
        return np.ascontiguousarray(X / np.linalg.norm(X, axis=1, keepdims=True))

    @property
    def _space(self) -> tuple[Floats, Floats | None, str]:
        return self.rows, self.data.weights, self.metric

    @property
    def _is_free(self) -> bool:
        return self.data.sizes.are_free(len(self.data.X))

    def check(self, X: Points, weights: Floats | None, counts: CountRange) -> None:
        """Refuse matrices that hold no distances, points without a direction, and what overflows."""
        if self.metric == "precomputed":
            check_matrix(X)
            if weights is not None and not weights.all():
                raise ValueError("metric='precomputed' takes no sample_weight of 0.")
            return
        check_spread(X, weights)
        lengths = np.linalg.norm(X, axis=1) if self.metric == "cosine" else np.ones(1)
        if not lengths.all():
            raise ValueError(f"point {int(np.argmin(lengths))} is 0: metric='cosine' needs a direction.")

    # What clusters cost.

    def cost(self, members: Ids) -> float:
        """Return the sum of distances to the best median."""
        return _core.column_median(*self._space, members.astype(np.int32))[1]

    def partition(self, labels: Labels) -> Partition:
        """Return the labels with their medians and cost."""
        medians, costs = _core.cluster_medians(*self._space, labels, count_clusters(labels))
        cost = float(costs.sum())
        return Partition(labels, cost, cost, self._places(medians))

    def _places(self, medians: NDArray[np.int32]) -> Floats:
        """Return the points of the space that the medians are; given a matrix, their numbers."""
        if self.metric == "precomputed":
            return medians[:, None].astype(np.float64)
        return self.data.X[medians]

    def add_clusters(self, pool: ColumnPool, labels: Labels, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds."""
        sizes = self.data.sizes
        k = count_clusters(labels)
        return _core.add_median_clusters(pool, *self._space, labels, k, origin, sizes.least, sizes.most)

    # The steps of a round.

    def remove_duplicates(self, pool: ColumnPool, columns: Ids) -> Labels:
        """Each point stays where the median is nearest."""
        return self.within_sizes(_core.remove_median_duplicates(pool, columns, *self._space))

    def local_search(self, labels: Labels) -> Labels:
        """Swaps of medians until none gains; under size limits flows and medians in turn."""
        if not self._is_free:
            return self._flows(labels, lambda: False)
        return _core.swap_medians(*self._space, self._medians(labels))[0]

    def _medians(self, labels: Labels) -> NDArray[np.int32]:
        return _core.medians_of(*self._space, labels, count_clusters(labels))

    def expand(self, pool: ColumnPool, labels: Labels, tau: int, origin: int) -> None:
        """Add each cluster with the nearest others to its median joined, its farthest members dropped."""
        sizes, k = self.data.sizes, count_clusters(labels)
        _core.expand_medians(pool, *self._space, labels, k, tau, origin, sizes.least, sizes.most)

    # The search beyond the paper.

    def start(self, k: int, stream: Stream) -> Started:
        """Medians drawn greedily; within size limits if there are any."""
        medians = _core.draw_medians(*self._space, k, True, stream.seed, stream.task)
        return Started(self.within_sizes(self._nearest_of(medians)), self.start_work(k))

    def _nearest_of(self, medians: NDArray[np.int32]) -> Labels:
        labels: Labels = self._distances_to(medians).argmin(axis=1).astype(np.int32)
        labels[medians] = np.arange(len(medians))  # of points at one place each has its own
        return labels

    def swap_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Swaps, then trials: a median to a random point, and swaps nearby."""
        if not self._is_free:
            return self._flow_search(labels, limits, stream)
        found = _core.median_search(
            *self._space,
            self._medians(labels),
            stream.seed,
            stream.stage,
            stream.task,
            stream.substream,
            min(limits.n_swaps, _MOST_TRIALS),
            limits.max_work,
            limits.least_gain,
            limits.seconds,
        )
        return Swapped(found[0], found[1], start_cost=found[2], work=found[4])

    def round_work(self, k: int, n_iterations: int, n_entries: int) -> float:
        """Return the work of a round: dual steps, and the medians of some twenty columns a cluster."""
        n = len(self.data.X)
        return 20.0 * n * k + 20.0 * n * n / k + 0.25 * n_iterations * n_entries

    # Base runs.

    def affordable_runs(self, k: int) -> float:
        """None: chains from greedy medians take their place."""
        return 0

    def base_run(self, task: BaseTask, base: str, init: str, seed: int) -> Labels:
        """Swaps from medians drawn greedily or at random."""
        medians = _core.draw_medians(*self._space, task.n_clusters, base == "greedy", seed, task.run)
        return _core.swap_medians(*self._space, medians)[0]

    def first_partition(self, k: int, seed: int) -> Labels:
        """A base run, brought within the size limits."""
        return self.local_search(
            self.within_sizes(self.base_run(BaseTask(FIRST_RUN, k), self.bases[0], "", seed))
        )

    # Size limits: medians stay, a flow tells whose each point is.

    def within_sizes(self, labels: Labels) -> Labels:
        """Return labels that keep the size limits, or the cheapest assignment to the medians that does."""
        if self.data.sizes.allow(np.bincount(labels)):
            return labels
        return self._flow(self._medians(labels))

    def search_within_sizes(self, labels: Labels, is_late: Callable[[], bool]) -> Labels:
        """Flows and medians in turn."""
        return self._flows(self.within_sizes(labels), is_late)

    def _flow(self, medians: NDArray[np.int32]) -> Labels:
        costs = self._distances_to(medians)
        if self.data.weights is not None:
            costs = costs * self.data.weights[:, None]
        sizes = self.data.sizes
        return _core.assign_within_sizes(np.ascontiguousarray(costs), sizes.least, sizes.most)

    def _flows(self, labels: Labels, is_late: Callable[[], bool]) -> Labels:
        best = self.partition(labels)
        for _ in range(_MOST_FLOWS):
            if is_late():
                break
            found = self.partition(self._flow(self._medians(best.labels)))
            if not found.cost < best.cost:
                break
            best = found
        return best.labels

    def _flow_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Trials under size limits: a median to a random point, then flows."""
        rng, n, k = generator(*stream), len(labels), count_clusters(labels)
        columns, best = ColumnPool(n), self.partition(self.local_search(labels))
        start_cost, ends, each = best.cost, time.monotonic() + limits.seconds, 3.0 * n * k
        n_trials = min(limits.n_swaps, _MOST_FLOW_TRIALS, int(_FLOW_WORK / (n * k)))
        n_trials = min(n_trials, int(min(limits.max_work, each * n_trials) / each))
        for trial in range(n_trials):
            if time.monotonic() >= ends or k == n:
                n_trials = trial
                break
            medians = self._medians(best.labels)
            others = np.setdiff1d(np.arange(n), medians)
            medians[rng.integers(k)] = rng.choice(others)
            found = self.partition(self.local_search(self._flow(medians)))
            self.add_clusters(columns, found.labels, 0)
            best = found if found.cost < best.cost else best
        return Swapped(best.labels, columns, start_cost, each * (1 + n_trials))

    # New points, and what a fitted estimator has.

    def attributes(self, partition: Partition) -> dict[str, Any]:
        """Return the medians, and where they are; of a given matrix there are no coordinates."""
        medians = _core.cluster_medians(*self._space, partition.labels, partition.k)[0]
        own = {"medoid_indices_": self.data.places(medians)}
        return own if self.metric == "precomputed" else {"cluster_centers_": partition.representatives, **own}

    def nearest(
        self, X: Points, weights: Floats | None, representatives: Floats, n_threads: int
    ) -> tuple[Labels, float]:
        """Return the nearest median of each point, and the sum of their distances."""
        labels, total = np.empty(len(X), dtype=np.int32), 0.0
        for begin in range(0, len(X), _ROWS):
            away = self.distances(X[begin : begin + _ROWS], representatives)
            labels[begin : begin + _ROWS] = away.argmin(axis=1)
            w = 1.0 if weights is None else weights[begin : begin + _ROWS]
            total += float((w * away.min(axis=1)).sum())
        return labels, total

    def distances(self, X: Points, representatives: Floats) -> Floats:
        """Return the distance of each point to each median; given distances to all points, those of them."""
        if self.metric == "precomputed":
            return np.asarray(X[:, representatives[:, 0].astype(np.int64)], dtype=np.float64)
        if self.metric == "cosine" and not np.linalg.norm(X, axis=1).all():
            raise ValueError("a point is 0: metric='cosine' needs a direction.")
        found: Floats = cdist(X, representatives, metric=_IN_SCIPY.get(self.metric, self.metric))
        return found

    def _distances_to(self, medians: NDArray[np.int32]) -> Floats:
        if self.metric == "precomputed":
            return np.ascontiguousarray(self.data.X[:, medians])
        return self.distances(self.data.X, self.data.X[medians])


def check_matrix(X: Points) -> None:
    """Refuse what is no symmetric matrix of distances."""
    if X.shape[0] != X.shape[1]:
        raise ValueError(f"metric='precomputed': shape={X.shape} should be square.")
    if X.min() < 0:
        raise ValueError(f"metric='precomputed': distances should be >= 0; the least is {X.min():g}.")
    if X.diagonal().any():
        at = int(np.argmax(X.diagonal() != 0))
        raise ValueError(f"metric='precomputed': point {at} is {X[at, at]:g} away from itself; needs 0.")
    if np.abs(X - X.T).max() > _SYMMETRIC * X.max():
        i, j = (int(at) for at in np.unravel_index(np.abs(X - X.T).argmax(), X.shape))
        raise ValueError(
            f"metric='precomputed' should be symmetric; {i} to {j} is {X[i, j]:g}, back {X[j, i]:g}."
        )
