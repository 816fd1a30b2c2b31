"""The incumbent, and one round of the paper on it: cover, remove duplicates, local search, expand."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids, Labels
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CoverLimits, CoverResult, CoverSolution, Improved, cost_of
from intarsia.examce.cover.solve import solve_cover
from intarsia.examce.criteria.protocol import Criterion, Partition, count_clusters
from intarsia.examce.settings import ExamceSettings

_ROUNDING = 1e-9  # of the cost


@dataclass
class Incumbent:
    """The pool of clusters and the best partition made from it.

    Clusters of any partition join the pool; the best partition within the limits is kept.
    """

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

    def offer_late(self, labels: Labels) -> Partition:
        """Keep a partition within the limits if it is the best; no cover comes that needs its columns."""
        partition = self.criterion.partition(labels)
        if self.criterion.data.sizes.allow(np.bincount(labels)):
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
        return replace(self, pool=self.pool.copy())

    def since(self, n_columns: int) -> Grown:
        """Return the pool as one that has grown from its first n columns."""
        return Grown(self.pool, n_columns)


@dataclass(frozen=True)
class Grown:
    """A pool that has grown from the first n of its columns; between processes the others travel alone."""

    pool: ColumnPool
    n_before: int

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the new columns."""
        return Grown, (self._new(), 0)

    def join(self, incumbent: Incumbent, origin: int) -> None:
        """Bring the new columns to the incumbent that it has grown from, without a copy where it is here."""
        if len(incumbent.pool) == self.n_before:
            incumbent.pool = self.pool
        else:
            incumbent.pool.absorb(self._new(), origin)

    def _new(self) -> ColumnPool:
        return self.pool.subset(np.arange(self.n_before, len(self.pool)))


def better(a: Partition | None, b: Partition) -> Partition:
    """Return the cheaper one; the first where they cost the same."""
    return b if a is None or b.cost < a.cost else a


@dataclass(frozen=True)
class RoundTask:
    """What a round is asked for.

    Attributes
    ----------
    stage, number
        Name its random stream.
    origin, limits
        What its columns' origin is said to be, and how much work its cover may do.
    improves
        Whether the cover searches locally from what it rounds: the paper does not.
    """

    stage: Stage
    number: int
    origin: int
    limits: CoverLimits
    improves: bool


@dataclass(frozen=True)
class Round:
    """What a round made: the best partition, the pool with it, the cover, and the cost after each step."""

    best: Partition
    grown: Grown
    cover: CoverResult
    cost_duplicates: float
    cost_search: float
    work: float

    def join(self, incumbent: Incumbent, origin: int) -> None:
        """Bring what it made to the incumbent that it began from."""
        self.grown.join(incumbent, origin)
        incumbent.best = better(incumbent.best, self.best)

    def facts(self) -> dict[str, Any]:
        """Return what the history tells about it."""
        return {
            "pool_bound": self.cover.bound,
            "cover_status": self.cover.status,
            "cost_cover": self.cover.cost,
            "cost_duplicates": self.cost_duplicates,
            "cost_search": self.cost_search,
        }


def run_round(
    task: RoundTask,
    incumbent: Incumbent,
    multipliers: Floats | None,
    settings: ExamceSettings,
    clock: Clock,
) -> Round:
    """Run steps 2-5 once on a copy of the incumbent, which others may be reading."""
    clock.doing = "a cover"
    own = incumbent.copy()
    n_before = len(own.pool)
    cover = _solve(task, own, multipliers, settings, clock, equality=not own.criterion.monotone)
    unique = own.criterion.remove_duplicates(own.pool, cover.columns)
    if _lost_by_overlap(own, cover, unique, settings):
        cover = _solve(task, own, multipliers, settings, clock, equality=True)
        unique = own.criterion.remove_duplicates(own.pool, cover.columns)
    searched = own.criterion.local_search(unique)
    after_duplicates = own.offer(unique, task.origin)
    after_search = own.offer(searched, task.origin)
    made = (unique, searched, own.partition.labels) if task.improves else (unique, searched)
    for labels in made:
        own.criterion.expand(own.pool, labels, settings.tau, task.origin)
    k, n_entries = own.partition.k, len(own.pool.members)
    return Round(
        own.partition,
        own.since(n_before),
        replace(cover, improved=()),
        _cost(after_duplicates),
        _cost(after_search),
        own.criterion.round_work(k, cover.n_iterations, n_entries),
    )


def _lost_by_overlap(own: Incumbent, cover: CoverResult, labels: Labels, settings: ExamceSettings) -> bool:
    """Whether a column lost all its points to others and was filled with one that costs more than it did.

    Only where single points are not the cheapest clusters of all.
    """
    criterion = own.criterion
    may_be = criterion.monotone and criterion.data.sizes.are_free(len(labels)) and settings.solver != "lp"
    return may_be and criterion.partition(labels).cost > cover.cost + _ROUNDING * abs(cover.cost)


def _cost(partition: Partition | None) -> float:
    return math.inf if partition is None else partition.cost


def _solve(
    task: RoundTask,
    own: Incumbent,
    multipliers: Floats | None,
    settings: ExamceSettings,
    clock: Clock,
    equality: bool,
) -> CoverResult:
    remaining = clock.remaining()
    return solve_cover(
        own.pool,
        own.criterion.data.counts,
        solver=settings.solver,
        incumbent=own.cover_start(),
        improve=(lambda columns: _improve(own, columns, task.origin)) if task.improves else None,
        equality=equality,
        multipliers=multipliers,
        limits=task.limits,
        time_limit=None if math.isinf(remaining) else remaining,
        seed=settings.seed,
        stage=task.stage,
        task=task.number,
        n_threads=own.criterion.data.n_threads,
    )


def _improve(own: Incumbent, columns: Ids, origin: int) -> Improved | None:
    criterion = own.criterion
    labels = criterion.local_search(criterion.remove_duplicates(own.pool, columns))
    if own.offer(labels, origin) is None:
        return None
    ids = criterion.add_clusters(own.pool, labels, origin)
    return Improved(ids, labels, cost_of(own.pool, ids))
