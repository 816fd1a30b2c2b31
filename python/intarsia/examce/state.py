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
from intarsia.examce.cover_result import Clock, CoverResult
from intarsia.examce.criteria import Mssc
from intarsia.examce.holdings import Holdings
from intarsia.examce.partition import better
from intarsia.examce.rounds import Round
from intarsia.examce.settings import ExamceSettings
from intarsia.executor import Executor

Callback: TypeAlias = Callable[[str, int, int, float], None]
"""Called with stage, steps done, steps in all, best cost so far."""
Recorder: TypeAlias = Callable[["ExamceState"], None]
"""Called whenever the state is one that a later run could go on from."""

MAX_COLUMNS_PER_CLUSTER = 400  # the pool is thinned beyond this
_KEPT_SHARE = 0.5


@dataclass
class ExamceState:
    """Holdings, multipliers, islands and history of one run."""

    criterion: Mssc
    settings: ExamceSettings
    executor: Executor
    clock: Clock
    callback: Callback | None = None
    init_partitions: list[Labels] = field(default_factory=list)
    recorder: Recorder | None = None
    holdings: Holdings = field(init=False)
    best_base_cost: float = math.inf
    multipliers: Floats | None = None
    last_cover: CoverResult | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    runs: dict[int, Labels] = field(default_factory=dict)  # base runs, until all of them are in the pool
    base_done: bool = False
    n_base_runs: int = 0
    islands: list[Labels] = field(default_factory=list)
    n_rounds: int = 0
    cycle: int = 0
    stalled: int = 0  # rounds or cycles since the best partition last got better

    def __post_init__(self) -> None:
        self.holdings = Holdings(self.criterion, self.k, ColumnPool(len(self.criterion.X)))

    @property
    def k(self) -> int:
        """Number of clusters asked for."""
        return self.settings.n_clusters

    @property
    def cost(self) -> float:
        """Cost of the best partition so far, infinite before the first."""
        return math.inf if self.holdings.best is None else self.holdings.best.cost

    def join_columns(self, round_: Round) -> None:
        """Take in what a round made."""
        self.holdings.pool.absorb(round_.columns, round_.task.number)
        self.holdings.best = better(self.holdings.best, round_.best)
        self.clock.stopped_something |= not round_.cover.reproducible

    def join_round(self, round_: Round) -> None:
        """Take in what a round of the whole pool made and learnt."""
        self.join_columns(round_)
        self.last_cover = round_.cover
        self.multipliers = round_.cover.multipliers
        self.n_rounds += 1
        self.history.append(
            {
                "stage": round_.task.stage,
                "columns": len(self.holdings.pool),
                "pool_bound": round_.cover.bound,
                "cover_status": round_.cover.status,
                "cost_cover": round_.cover.cost,
                "cost_duplicates": round_.cost_duplicates,
                "cost_search": round_.cost_search,
                "cost": self.cost,
                "seconds": self.clock.seconds(),
            }
        )

    def is_over(self) -> bool:
        """Whether the time limit has passed, by the clock of the first rank."""
        over = self.executor.agree(self.clock.is_over())
        self.clock.stopped_something |= over
        return over

    def record(self) -> None:
        """Let the recorder see a state that a later run could go on from."""
        if self.recorder is not None:
            self.recorder(self)

    def tell(self, stage: str, done: int, total: int) -> None:
        """Report progress."""
        if self.callback is not None:
            self.callback(stage, done, total, self.cost)

    def thin_out(self) -> None:
        """Drop the columns of largest reduced cost once the pool is large; the best partition's stay."""
        pool, limit = self.holdings.pool, MAX_COLUMNS_PER_CLUSTER * self.k
        if len(pool) <= limit or self.multipliers is None:
            return
        reduced = _core.price_columns(pool, self.multipliers, self.criterion.n_threads)
        n_kept = int(_KEPT_SHARE * limit)
        keep = np.zeros(len(pool), dtype=np.bool_)
        keep[np.argsort(reduced, kind="stable")[:n_kept]] = True
        keep[self.holdings.cover_start().columns] = True
        pool.prune(keep)
