"""What a run of EXAMCE knows while it runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from intarsia import _core
from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Labels
from intarsia.examce.cover_result import Clock, CoverResult, CoverSolution
from intarsia.examce.criteria import Mssc
from intarsia.examce.partition import Partition, better
from intarsia.examce.pool import cost_of
from intarsia.examce.settings import ExamceSettings
from intarsia.executor import Executor

Callback: TypeAlias = Callable[[str, int, int, float], None]
"""Called with stage, steps done, steps in all, best cost so far."""

MAX_COLUMNS_PER_CLUSTER = 400  # the pool is thinned beyond this
_KEPT_SHARE = 0.5


@dataclass
class ExamceState:
    """Pool, best partition, multipliers and history of one run."""

    criterion: Mssc
    settings: ExamceSettings
    executor: Executor
    clock: Clock
    callback: Callback | None = None
    pool: ColumnPool = field(init=False)
    best: Partition | None = None
    best_base_cost: float = math.inf
    multipliers: Floats | None = None
    last_cover: CoverResult | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    n_rounds: int = 0

    def __post_init__(self) -> None:
        self.pool = ColumnPool(len(self.criterion.X))

    @property
    def k(self) -> int:
        """Number of clusters asked for."""
        return self.settings.n_clusters

    @property
    def incumbent(self) -> Partition:
        """The best partition; there is one once the base runs are done."""
        assert self.best is not None
        return self.best

    def offer(self, labels: Labels, origin: int) -> Partition | None:
        """Put the clusters into the pool and keep the partition if it is the best; None if out of bounds."""
        ids = self.criterion.add_clusters(self.pool, labels, self.k, origin)
        if (ids < 0).any():
            return None
        partition = self.criterion.partition(labels, self.k)
        self.best = better(self.best, partition)
        return partition

    def cover_start(self) -> CoverSolution:
        """Return the best partition as columns of the pool."""
        ids = self.criterion.add_clusters(self.pool, self.incumbent.labels, self.k, 0)
        return CoverSolution(np.sort(ids), cost_of(self.pool, ids))

    def tell(self, stage: str, done: int, total: int) -> None:
        """Report progress."""
        if self.callback is not None:
            self.callback(stage, done, total, math.inf if self.best is None else self.best.cost)

    def thin_out(self) -> None:
        """Drop the columns of largest reduced cost once the pool is large; the best partition's stay."""
        limit = MAX_COLUMNS_PER_CLUSTER * self.k
        if len(self.pool) <= limit or self.multipliers is None:
            return
        reduced = _core.price_columns(self.pool, self.multipliers, self.criterion.n_threads)
        n_kept = int(_KEPT_SHARE * limit)
        keep = np.zeros(len(self.pool), dtype=np.bool_)
        keep[np.argsort(reduced, kind="stable")[:n_kept]] = True
        keep[self.cover_start().columns] = True
        self.pool.prune(keep)
