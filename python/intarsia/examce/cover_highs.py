"""The cover problem as HiGHS sees it. The only module that imports highspy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import highspy
import numpy as np
import numpy.typing as npt

from intarsia.arrays import Floats, Ids
from intarsia.examce.pool import ColumnPool
from intarsia.executor.cancellable import run_cancellable

MipStatus: TypeAlias = Literal["optimal", "infeasible", "work_limit", "time_limit"]

_MIP_STATUS: dict[highspy.HighsModelStatus, MipStatus] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kObjectiveBound: "infeasible",
    highspy.HighsModelStatus.kSolutionLimit: "work_limit",
    highspy.HighsModelStatus.kIterationLimit: "work_limit",
    highspy.HighsModelStatus.kTimeLimit: "time_limit",
    highspy.HighsModelStatus.kInterrupt: "time_limit",  # nobody wants the answer any more
}


@dataclass(frozen=True)
class MipOutcome:
    """Answer of one branch and bound: `columns` is None when no cover was found."""

    status: MipStatus
    columns: Ids | None
    bound: float


class HighsError(RuntimeError):
    """HiGHS refused a call or ended in a state that means nothing here."""


def _check(status: highspy.HighsStatus, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise HighsError(f"HiGHS failed to {what}.")


def _cost_scale(pool: ColumnPool) -> float:
    """Makes the mean column cost 1, so that HiGHS's absolute tolerances mean something."""
    mean = float(np.mean(np.abs(pool.costs)))
    return 1.0 / mean if mean > 0.0 else 1.0


def _distinct_rows(pool: ColumnPool) -> tuple[npt.NDArray[np.int32], int]:
    """Number the points so that points in exactly the same columns share a row; their rows are equal."""
    words = np.random.SeedSequence(0).generate_state(len(pool), np.uint64)
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


def _model(pool: ColumnPool, k: int, equality: bool, integer: bool) -> highspy.HighsLp:
    starts, index, n_rows = _entries(pool)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(pool), n_rows + 1
    lp.col_cost_ = pool.costs * _cost_scale(pool)
    lp.col_lower_, lp.col_upper_ = np.zeros(len(pool)), np.ones(len(pool))
    lp.row_lower_ = np.append(np.ones(n_rows), k)
    lp.row_upper_ = np.append(np.full(n_rows, 1.0 if equality else highspy.kHighsInf), k)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = starts, index
    lp.a_matrix_.value_ = np.ones(len(index))
    if integer:
        lp.integrality_ = [highspy.HighsVarType.kInteger] * len(pool)
    return lp


def _solver(options: dict[str, bool | int | float | str]) -> highspy.Highs:
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    common: dict[str, bool | int | float | str] = {"output_flag": False, "threads": 1, "parallel": "off"}
    for name, value in {**common, **options}.items():
        _check(solver.setOptionValue(name, value), f"set option {name}={value}")
    return solver


def _run(solver: highspy.Highs) -> None:
    solver.HandleUserInterrupt = True  # lets cancelSolve be heard
    _check(run_cancellable(solver.run, solver.cancelSolve), "run")


def solve_lp(
    pool: ColumnPool, k: int, *, equality: bool, seed: int, time_limit: float
) -> tuple[str, float, Floats]:
    """Solve the linear relaxation: status ("optimal", "infeasible", "time_limit"), value, column values."""
    solver = _solver({"random_seed": seed % 2**31, "time_limit": time_limit})
    _check(solver.passModel(_model(pool, k, equality, integer=False)), "take the model")
    _run(solver)
    status = _MIP_STATUS.get(solver.getModelStatus())
    if status is None:
        raise HighsError(f"HiGHS ended with {solver.modelStatusToString(solver.getModelStatus())!r}.")
    value = solver.getInfo().objective_function_value / _cost_scale(pool)
    return status, value, np.asarray(solver.getSolution().col_value)


def solve_mip(
    pool: ColumnPool,
    k: int,
    *,
    equality: bool,
    cutoff: float = float("inf"),
    start: Ids | None = None,
    fixed_in: Ids | None = None,
    max_nodes: int = 2**31 - 1,
    time_limit: float = float("inf"),
    seed: int = 0,
) -> MipOutcome:
    """Best cover by exactly k columns among those that cost at most `cutoff`.

    When there is none the status is "infeasible"; a dearer cover met on the way is returned all the same.
    """
    scale = _cost_scale(pool)
    solver = _solver(
        {
            "random_seed": seed % 2**31,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": 1e-9 * k,
            "mip_max_nodes": max_nodes,
            "time_limit": time_limit,
            "objective_bound": scale * (cutoff + 1e-9 * abs(cutoff)) + 1e-9,
        }
    )
    model = _model(pool, k, equality, integer=True)
    if fixed_in is not None:
        model.col_lower_ = np.isin(np.arange(len(pool)), fixed_in).astype(np.float64)
    _check(solver.passModel(model), "take the model")
    if start is not None:
        _check(solver.setSolution(len(start), start.astype(np.int32), np.ones(len(start))), "take the start")
    _run(solver)
    return _outcome(solver, scale, cutoff)


def _outcome(solver: highspy.Highs, scale: float, cutoff: float) -> MipOutcome:
    model_status = solver.getModelStatus()
    status = _MIP_STATUS.get(model_status)
    if status is None:
        raise HighsError(f"HiGHS ended with {solver.modelStatusToString(model_status)!r}.")
    info = solver.getInfo()
    has_solution = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    columns = np.flatnonzero(np.asarray(solver.getSolution().col_value) > 0.5) if has_solution else None
    if status == "optimal" and info.objective_function_value / scale > cutoff + 1e-6 * abs(cutoff):
        status = "infeasible"
    return MipOutcome(status, columns, info.mip_dual_bound / scale)
