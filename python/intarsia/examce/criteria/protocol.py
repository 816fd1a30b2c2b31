"""All that EXAMCE asks of a criterion, and the few types that both sides speak of."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids, Labels, Points, origin_of, put_back, take_off
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CountRange

Self = TypeVar("Self", bound="Criterion")


@dataclass(frozen=True)
class SizeLimits:
    """Cluster sizes from `least` to `most`, both included."""

    least: int
    most: int

    def are_free(self, n_samples: int) -> bool:
        """Whether every partition without empty clusters is allowed."""
        return self.least <= 1 and self.most >= n_samples

    def allow(self, sizes: Ids) -> bool:
        """Whether all these sizes are within the limits."""
        return bool(sizes.min() >= self.least and sizes.max() <= self.most)

    def narrow(self, counts: CountRange, n_samples: int) -> CountRange:
        """Return the numbers of clusters that so many points can form within the limits."""
        return CountRange(
            max(counts.least, -(-n_samples // self.most)), min(counts.most, n_samples // self.least)
        )


@dataclass(frozen=True)
class Data:
    """What is clustered, and within which limits.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
        C-ordered float64 points.
    weights : array of shape (n_samples,) or None
        Positive weights; None when all are one.
    counts : CountRange
        How many clusters there may be.
    sizes : SizeLimits
        How many points a cluster may have.
    n_threads : int
        Threads inside one kernel call.
    seen : array of bool or None
        Which of the user's points these are; None when all.
    origin : array of shape (n_features,) or None
        What a criterion has taken off points that are far from zero.
    clock : Clock or None
        The run's, for kernels that can stop early.
    """

    X: Floats
    weights: Floats | None
    counts: CountRange
    sizes: SizeLimits
    n_threads: int = 1
    seen: NDArray[np.bool_] | None = None
    origin: Floats | None = None
    clock: Clock | None = None

    def seconds_left(self) -> float:
        """Return how long a kernel may take."""
        return math.inf if self.clock is None else self.clock.remaining()

    def places(self, points: NDArray[np.int32]) -> Ids:
        """Return the numbers that some of the points have among the user's."""
        return points.astype(np.int64) if self.seen is None else np.flatnonzero(self.seen)[points]

    def near_zero(self) -> Data:
        """Return the points as seen from a round number near them."""
        origin = origin_of(self.X)
        if origin is None:
            return self
        return replace(self, X=take_off(self.X, origin), origin=put_back(origin, self.origin))

    def subset(self, points: Ids, k: int) -> Data:
        """Return some of the points, in exactly k clusters, for one thread."""
        weights = None if self.weights is None else np.ascontiguousarray(self.weights[points])
        X = np.ascontiguousarray(self.X[points])
        return Data(X, weights, CountRange(k, k), self.sizes, origin=self.origin)


@dataclass(frozen=True)
class Partition:
    """Labels 0..k-1 without an empty cluster, and what they cost, computed afresh.

    Attributes
    ----------
    labels, cost
        The partition and the sum of its clusters' costs.
    magnitude : float
        The same sum without signs: rounding errors are relative to it.
    representatives : array of shape (k, n_features) or None
        One point of the space for each cluster, where the criterion has them.
    """

    labels: Labels
    cost: float
    magnitude: float
    representatives: Floats | None = None

    @cached_property
    def k(self) -> int:
        """Number of clusters."""
        return count_clusters(self.labels)


#: The number of a run that is none of the base runs, for `first_partition`.
FIRST_RUN = 2**32

#: The data of a criterion that has not been put `on` any.
NO_DATA = Data(np.empty((0, 0)), None, CountRange(1, 1), SizeLimits(1, 1))


def count_clusters(labels: Labels) -> int:
    """Return the number of clusters of labels 0..k-1."""
    return int(labels.max()) + 1


class BaseTask(NamedTuple):
    """A base run is a pure function of its number, its number of clusters, the data and the seed."""

    run: int
    n_clusters: int


class Stream(NamedTuple):
    """The name of a stream of random numbers."""

    seed: int
    stage: Stage
    task: int
    substream: int


class SwapLimits(NamedTuple):
    """How long a search by swaps goes on: what is reached first ends it.

    Attributes
    ----------
    n_swaps, max_work
        Swaps, and distances that it looks at (see `Swapped.work`).
    least_gain
        Share of the cost that the later half of its work has to gain.
    seconds
        No swap begins after so many.
    """

    n_swaps: int
    max_work: float = math.inf
    least_gain: float = 0.0
    seconds: float = math.inf


class Started(NamedTuple):
    """A partition to begin from, and the work that it took, in the unit of `Swapped.work`."""

    labels: Labels
    work: float


class Swapped(NamedTuple):
    """Where a search by swaps got to, and the clusters that its good trials made.

    Attributes
    ----------
    labels, columns
        The partition, and those clusters.
    start_cost
        Cost of the local optimum that the swaps began from.
    work
        What it took, in distances between a point and a centre: counted, so that it is the same everywhere.
    interrupt
        The Ctrl-C that ended it, for who has kept the partition to raise.
    """

    labels: Labels
    columns: ColumnPool
    start_cost: float
    work: float
    interrupt: KeyboardInterrupt | None = None


@runtime_checkable
class Criterion(Protocol):
    """What a cluster costs, and the steps of the loop that depend on it.

    A criterion is a frozen dataclass. Its fields are its parameters, apart from those without `init` and
    from `data`, which `on` sets: the methods below work on those points. Labels are int32, 0..k-1, and no
    cluster is empty, in what the loop gives and in what it gets back. Every method is a pure function; those
    that take long are called inside tasks, from several threads at once. `ByCost` has all of them for a
    criterion that only knows the cost of a cluster.

    Attributes
    ----------
    name : str
        Its name in the registry.
    monotone : bool
        Whether a subset of a cluster never costs more, so that an overlapping cover becomes a partition that
        is no dearer. Otherwise covers hold every point once.
    takes_weights : bool
        Whether points may have weights.
    takes_ranges : bool
        Whether the number of clusters may be a range.
    has_representatives : bool
        Whether partitions have representatives, by which new points are told a cluster.
    bases : tuple of str
        The base runs that `base_run` can make, the default first.
    """

    name: ClassVar[str]
    takes_weights: ClassVar[bool]
    takes_ranges: ClassVar[bool]
    has_representatives: ClassVar[bool]
    bases: ClassVar[tuple[str, ...]]

    data: Data

    # What it is about.

    @property
    def monotone(self) -> bool:
        """Whether a subset of a cluster never costs more."""
        ...

    def parameters(self) -> dict[str, Any]:
        """Return what a checkpoint has to know besides the name: plain values that JSON can hold."""
        own = [f.name for f in fields(self) if f.init and f.name != "data"]  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in own}

    @abstractmethod
    def check(self, X: Points, weights: Floats | None, counts: CountRange) -> None:
        """Refuse parameters, or points and weights, that it cannot take; in one line."""

    def on(self: Self, data: Data) -> Self:
        """Return the criterion on these points; what it needs to know about them is computed here, once."""
        return replace(self, data=data)  # type: ignore[type-var]

    def subset(self: Self, points: Ids, k: int) -> Self:
        """Return the criterion on some of the points, in exactly k clusters, for one thread."""
        return self.on(self.data.subset(points, k))

    @abstractmethod
    def most_clusters(self, limit: int) -> int:
        """Return how many clusters the points can form, or `limit` if that is less."""

    # What clusters cost.

    @abstractmethod
    def partition(self, labels: Labels) -> Partition:
        """Return the labels with their cost."""

    @abstractmethod
    def add_clusters(self, pool: ColumnPool, labels: Labels, origin: int) -> Ids:
        """Put the clusters into the pool; an id is -1 where a cluster is empty or out of bounds.

        The cost of a cluster is computed from its members in ascending order, so that equal clusters cost
        the same bits.
        """

    # The steps of a round.

    @abstractmethod
    def remove_duplicates(self, pool: ColumnPool, columns: Ids) -> Labels:
        """Make a partition within the size limits of chosen columns, which may overlap and leave points out.

        It has a cluster for each column.
        """

    @abstractmethod
    def local_search(self, labels: Labels) -> Labels:
        """Return a local optimum no dearer than the partition, within the limits of `data`."""

    @abstractmethod
    def expand(self, pool: ColumnPool, labels: Labels, tau: int, origin: int) -> None:
        """Add each cluster: alone, with its 1..tau nearest others, without its 1..tau farthest members."""

    # The search beyond the paper.

    def start(self, k: int, stream: Stream) -> Started:
        """Return a quick random partition within the limits, from which a search by swaps begins."""
        labels = self.base_run(BaseTask(stream.task, k), self.bases[0], "k-means++", stream.seed)
        return Started(self.within_sizes(labels), self.start_work(k))

    @abstractmethod
    def swap_search(self, labels: Labels, limits: SwapLimits, stream: Stream) -> Swapped:
        """Search locally, then by swaps; the result is no dearer than the start."""

    def start_work(self, k: int) -> float:
        """Return the work of a start that is made without delay, in the unit of `Swapped.work`."""
        return 3.0 * len(self.data.X) * k

    def round_work(self, k: int, n_iterations: int, n_entries: int) -> float:
        """Return the work of a round: its local searches, and dual steps over the entries of the pool."""
        n, d = len(self.data.X), int(self.data.X.shape[1])
        return 20.0 * n * k + 0.25 * n_iterations * n_entries / (1 + d / 4)

    # Base runs.

    @abstractmethod
    def affordable_runs(self, k: int) -> float:
        """Return how many base runs come before the search, unless the user says: 0 where its starts do."""

    @abstractmethod
    def base_run(self, task: BaseTask, base: str, init: str, seed: int) -> Labels:
        """Return the labels of one base run by a clusterer of `bases`; -1 marks points that it left out."""

    @abstractmethod
    def first_partition(self, k: int, seed: int) -> Labels:
        """Return a partition within the limits, for the case that no base run is one."""

    # Size limits.

    @abstractmethod
    def within_sizes(self, labels: Labels) -> Labels:
        """Return a cheap change of a partition that keeps the size limits."""

    @abstractmethod
    def search_within_sizes(self, labels: Labels, is_late: Callable[[], bool]) -> Labels:
        """Bring a partition within the size limits and to a local optimum; once late, soon."""

    def least_size(self, counts: CountRange, n_samples: int) -> int:
        """Return the least size of a cluster where the user says nothing about it."""
        return 1

    # What a fitted estimator has.

    def remarks(self, partition: Partition) -> tuple[str, ...]:
        """Return what a user should know about the answer: a warning each, in one line."""
        return ()

    def attributes(self, partition: Partition) -> dict[str, Any]:
        """Return what the estimator keeps of the answer besides labels and cost, by the attributes' names."""
        return {"cluster_centers_": partition.representatives} if self.has_representatives else {}

    # New points, where there are representatives.

    def nearest(
        self, X: Points, weights: Floats | None, representatives: Floats, n_threads: int
    ) -> tuple[Labels, float]:
        """Return the cluster of each point and what they cost there, by the representatives."""
        raise NotImplementedError(f"criterion={self.name!r} has no representatives.")

    def distances(self, X: Points, representatives: Floats) -> Floats:
        """Return the distance of each point to each representative."""
        raise NotImplementedError(f"criterion={self.name!r} has no representatives.")
