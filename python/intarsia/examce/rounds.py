"""One round of the paper: cover, remove duplicates, local search, expand. A task like any other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Ids
from intarsia.examce.cover import CoverLimits, solve_cover
from intarsia.examce.cover_result import Clock, CoverResult
from intarsia.examce.holdings import Holdings
from intarsia.examce.partition import Partition
from intarsia.examce.pool import Improved, cost_of
from intarsia.examce.settings import ExamceSettings


@dataclass(frozen=True)
class RoundTask:
    """A round's number names its random stream; the stage is where in the search it stands."""

    number: int
    stage: str
    limits: CoverLimits


@dataclass(frozen=True)
class Round:
    """What a round made: the best partition, its new columns, the cover, and the cost after each step."""

    task: RoundTask
    best: Partition
    columns: ColumnPool
    cover: CoverResult
    cost_duplicates: float
    cost_search: float


def run_round(
    task: RoundTask,
    holdings: Holdings,
    multipliers: Floats | None,
    settings: ExamceSettings,
    clock: Clock,
) -> Round:
    """Run steps 2-5 once on a copy of the holdings, which others may be reading."""
    own = holdings.copy()
    n_before = len(own.pool)
    cover = _solve(task, own, multipliers, settings, clock)
    criterion, k = own.criterion, own.k
    unique = criterion.remove_duplicates(own.pool, cover.columns)
    searched = criterion.local_search(unique, k)
    after_duplicates = own.offer(unique, task.number)
    after_search = own.offer(searched, task.number)
    for labels in (unique, searched, own.incumbent.labels):
        criterion.expand(own.pool, labels, k, settings.tau, task.number)
    return Round(
        task,
        own.incumbent,
        own.columns_since(n_before),
        replace(cover, improved=()),
        _cost(after_duplicates),
        _cost(after_search),
    )


def _cost(partition: Partition | None) -> float:
    return math.inf if partition is None else partition.cost


def _solve(
    task: RoundTask, own: Holdings, multipliers: Floats | None, settings: ExamceSettings, clock: Clock
) -> CoverResult:
    remaining = clock.remaining()
    return solve_cover(
        own.pool,
        own.k,
        solver=settings.solver,
        incumbent=own.cover_start(),
        improve=lambda columns: _improve(own, columns, task.number),
        multipliers=multipliers,
        limits=task.limits,
        time_limit=None if math.isinf(remaining) else remaining,
        seed=settings.seed,
        task=task.number,
        n_threads=own.criterion.n_threads,
    )


def _improve(own: Holdings, columns: Ids, origin: int) -> Improved | None:
    criterion = own.criterion
    labels = criterion.local_search(criterion.remove_duplicates(own.pool, columns), own.k)
    if own.offer(labels, origin) is None:
        return None
    ids = criterion.add_clusters(own.pool, labels, own.k, origin)
    return Improved(ids, labels, cost_of(own.pool, ids))
