"""What a run of EXAMCE answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from intarsia.arrays import Floats, Labels

RunStatus: TypeAlias = Literal["done", "time_limit", "interrupted"]


@dataclass(frozen=True)
class ExamceResult:
    """The best partition and how it was found.

    Attributes
    ----------
    labels, centers, cost
        The partition.
    best_base_cost
        Cost of the best base run with k clusters.
    pool_bound, cover_status, cover_gap
        Of the last cover: a bound on covers from its pool, whether the cover is proved optimal over the pool,
        and the gap. No bound on the clustering problem.
    status
        "done": the stop rule ended the run, and without a time limit it repeats bit by bit; "time_limit": the
        clock did; "interrupted": the user did. The partition is the best so far in each case.
    n_rounds, n_base_runs, n_columns, history, seconds, seed
        Covers solved, base runs made, columns in the pool at the end, one entry per cover, wall clock, seed.
    """

    labels: Labels
    centers: Floats
    cost: float
    best_base_cost: float
    pool_bound: float
    cover_status: str
    cover_gap: float
    status: RunStatus
    n_rounds: int
    n_base_runs: int
    n_columns: int
    history: tuple[dict[str, Any], ...]
    seconds: float
    seed: int
