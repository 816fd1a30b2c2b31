"""How much the search does. Work is counted, not timed, so that results repeat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.examce.cover_result import Solver


@dataclass(frozen=True)
class Effort:
    """One level of effort.

    Attributes
    ----------
    n_base_runs : int
        Base runs in all, over the bracket; fewer on large data (see `base_runs_for`).
    n_cycles : int
        Cycles of the intensified search at most; 0 is the paper's loop alone.
    patience : int
        Cycles without a better partition before the search ends.
    swaps_per_cluster : float
        Swaps of an island in one cycle, for each cluster.
    n_islands : int
        Partitions that are searched side by side: the grain of parallel work, whoever computes it.
    base_init : str
        How our own base runs start: the paper's random points, or k-means++.
    """

    n_base_runs: int
    n_cycles: int
    patience: int
    swaps_per_cluster: float
    n_islands: int
    base_init: str


EFFORTS = {
    "paper": Effort(150, 0, 0, 0.0, 0, "random"),
    "default": Effort(150, 40, 5, 5.0, 4, "k-means++"),
    "high": Effort(150, 200, 30, 10.0, 8, "k-means++"),
}

LARGE_DATA = 20_000  # points from which a kernel call is worth several threads, and a cover dear
_FEW_CYCLES = 12
_BASE_SHARE = 0.15  # of a time limit
_CYCLE_SHARE = 0.2
_MANY_CLUSTERS = 200
_BASE_WORK = 2e9  # distances that all base runs together may take, roughly
_LLOYD_ROUNDS = 20


@dataclass(frozen=True)
class ExamceSettings:
    """Everything that decides what is computed, apart from the data."""

    n_clusters: int
    effort: Effort
    n_base_runs: int | None
    bracket: int | None
    base: Any
    solver: Solver
    tau: int
    time_limit: float | None
    seed: int

    def base_runs_for(self, n_samples: int) -> int:
        """Return how many base runs to make: as asked, or by effort and the size of the data."""
        if self.n_base_runs is not None:
            return self.n_base_runs
        affordable = _BASE_WORK / (_LLOYD_ROUNDS * float(n_samples) * self.n_clusters)
        if self.effort.n_cycles == 0:
            return self.effort.n_base_runs
        return int(np.clip(affordable, min(4, self.effort.n_base_runs), self.effort.n_base_runs))

    def cycles_for(self, n_samples: int) -> int:
        """Return how many cycles to make at most: fewer on large data, where each takes long."""
        affordable = max(_FEW_CYCLES, int(self.effort.n_cycles * LARGE_DATA / n_samples))
        return min(self.effort.n_cycles, affordable)

    @property
    def hurried(self) -> bool:
        """Whether seconds, not work, decide when to stop."""
        return self.time_limit is not None

    def n_islands(self, n_workers: int) -> int:
        """Return the number of islands; in a hurry one for each worker, so that gains add up sooner."""
        return min(self.effort.n_islands, n_workers) if self.hurried else self.effort.n_islands

    def base_seconds(self) -> float:
        """Return after how long no more base runs are begun."""
        return math.inf if self.time_limit is None else _BASE_SHARE * self.time_limit

    def cycle_seconds(self) -> float:
        """Return how long one cycle's swaps may take: the cover wants its turn before the time is over."""
        return math.inf if self.time_limit is None else _CYCLE_SHARE * self.time_limit

    def uses_windows(self, n_samples: int) -> bool:
        """Whether windows of clusters are searched by themselves before the whole."""
        return self.n_clusters >= _MANY_CLUSTERS and n_samples >= LARGE_DATA


def kernel_threads(n_samples: int, n_workers: int) -> int:
    """Return the threads inside one kernel call: waking them pays on large data only."""
    return n_workers if n_samples > LARGE_DATA else 1
