"""The cover problem as rows and columns of a program, and what the solver says about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from intarsia._core import ColumnPool, Stage
from intarsia.arrays import Floats, Ids
from intarsia.examce.cover.problem import CountRange
from intarsia.solver import LinearProgram, SolverStatus
from intarsia.solver import solve_lp as solve_program
from intarsia.solver import solve_mip as solve_integer
from intarsia.streams import generator


@dataclass(frozen=True)
class CoverOutcome:
    """Answer of one branch and bound: `columns` is None when no cover was found."""

    status: SolverStatus
    columns: Ids | None
    bound: float


def _cost_scale(pool: ColumnPool) -> float:
    """Makes the mean column cost 1, so that HiGHS's absolute tolerances mean something."""
    mean = float(np.mean(np.abs(pool.costs)))
    return 1.0 / mean if mean > 0.0 else 1.0


def _distinct_rows(pool: ColumnPool) -> tuple[npt.NDArray[np.int32], int]:
    """Number the points so that points in exactly the same columns share a row; their rows are equal."""
    words = generator(0, Stage.COVER).integers(2**64, size=len(pool), dtype=np.uint64)
    signature = np.zeros(pool.n_points, dtype=np.uint64)
    np.add.at(signature, pool.members, np.repeat(words, np.diff(pool.offsets)))
    _, row = np.unique(signature, return_inverse=True)
    return row.astype(np.int32), int(row.max()) + 1


def _entries(pool: ColumnPool) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], int]:
    """Column-wise matrix: one entry for each distinct row of a column, the cardinality row last."""
    row, n_rows = _distinct_rows(pool)
    column = np.repeat(np.arange(len(pool), dtype=np.int64), np.diff(pool.offsets))
    keys = np.unique(column * (n_rows + 1) + row[pool.members])
    keys = np.sort(np.concatenate([keys, np.arange(len(pool), dtype=np.int64) * (n_rows + 1) + n_rows]))
    starts = np.searchsorted(keys, np.arange(len(pool) + 1, dtype=np.int64) * (n_rows + 1))
    return starts.astype(np.int32), (keys % (n_rows + 1)).astype(np.int32), n_rows


def _program(
    pool: ColumnPool, counts: CountRange, equality: bool, fixed_in: Ids | None = None
) -> LinearProgram:
    starts, index, n_rows = _entries(pool)
    lower = np.zeros(len(pool))
    if fixed_in is not None:
        lower[fixed_in] = 1.0
    return LinearProgram(
        costs=pool.costs * _cost_scale(pool),
        lower=lower,
        upper=np.ones(len(pool)),
        row_lower=np.append(np.ones(n_rows), counts.least),
        row_upper=np.append(np.full(n_rows, 1.0 if equality else np.inf), counts.most),
        starts=starts,
        index=index,
        values=np.ones(len(index)),
    )


def solve_lp(
    pool: ColumnPool, counts: CountRange, *, equality: bool, seed: int, time_limit: float
) -> tuple[SolverStatus, float, Floats]:
    """Solve the linear relaxation: status, value, column values."""
    found = solve_program(_program(pool, counts, equality), seed=seed, time_limit=time_limit)
    return found.status, found.value / _cost_scale(pool), found.x


def solve_mip(
    pool: ColumnPool,
    counts: CountRange,
    *,
    equality: bool,
    cutoff: float = float("inf"),
    magnitude: float = 0.0,
    start: Ids | None = None,
    fixed_in: Ids | None = None,
    max_nodes: int = 2**31 - 1,
    time_limit: float = float("inf"),
    seed: int = 0,
) -> CoverOutcome:
    """Best cover among those that cost at most `cutoff`; tolerances are relative to it or to `magnitude`.

    When there is none the status is "infeasible"; a dearer cover met on the way is returned all the same.
    """
    scale, size = _cost_scale(pool), max(abs(cutoff), magnitude)
    found = solve_integer(
        _program(pool, counts, equality, fixed_in),
        start=start,
        cutoff=scale * (cutoff + 1e-9 * size) + 1e-9,
        abs_gap=1e-9 * counts.least,
        max_nodes=max_nodes,
        time_limit=time_limit,
        seed=seed,
    )
    columns = None if found.x is None else np.flatnonzero(found.x > 0.5)
    too_dear = found.value / scale > cutoff + 1e-6 * size
    status = "infeasible" if found.status == "optimal" and too_dear else found.status
    return CoverOutcome(status, columns, found.bound / scale)
