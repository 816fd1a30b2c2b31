"""Programs for HiGHS: every call checked, one thread, a fixed seed, and Ctrl-C is heard while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Floats, Ids
from intarsia.executor import run_cancellable


@dataclass(frozen=True)
class LinearProgram:
    """Minimise ``costs @ x`` with ``lower <= x <= upper`` and ``row_lower <= A @ x <= row_upper``.

    Column j of A has the entries ``values[starts[j]:starts[j + 1]]`` in the rows
    ``index[starts[j]:starts[j + 1]]``. Bounds may be infinite.
    """

    costs: Floats
    lower: Floats
    upper: Floats
    row_lower: Floats
    row_upper: Floats
    starts: NDArray[np.int32]
    index: NDArray[np.int32]
    values: Floats

    def __post_init__(self) -> None:
        if not len(self.lower) == len(self.upper) == len(self.costs):
            raise ValueError("costs, lower and upper should have one entry for each column.")
        if len(self.row_lower) != len(self.row_upper):
            raise ValueError("row_lower and row_upper should have one entry for each row.")
        check_columns(self.starts, self.index, self.values, len(self.costs), len(self.row_lower))


def check_columns(
    starts: NDArray[np.int32], index: NDArray[np.int32], values: Floats, n_columns: int, n_rows: int
) -> None:
    """Refuse compressed columns that do not fit together: HiGHS would read beyond them."""
    whole = len(starts) == n_columns + 1 and starts[0] == 0 and starts[-1] == len(index) == len(values)
    if not (whole and (np.diff(starts) >= 0).all()):
        raise ValueError("starts, index and values of the columns do not fit together.")
    if len(index) and not (index.min() >= 0 and index.max() < n_rows):
        raise ValueError(f"index should be in [0, {n_rows}), the rows.")


SolverStatus: TypeAlias = Literal["optimal", "infeasible", "work_limit", "time_limit"]
Option: TypeAlias = bool | int | float | str

_STATUS: dict[highspy.HighsModelStatus, SolverStatus] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kObjectiveBound: "infeasible",
    highspy.HighsModelStatus.kSolutionLimit: "work_limit",
    highspy.HighsModelStatus.kIterationLimit: "work_limit",
    highspy.HighsModelStatus.kTimeLimit: "time_limit",
    highspy.HighsModelStatus.kInterrupt: "time_limit",  # nobody wants the answer any more
}
_QUIET: dict[str, Option] = {"output_flag": False, "threads": 1, "parallel": "off"}


class HighsError(RuntimeError):
    """HiGHS refused a call or ended in a state that means nothing here."""


@dataclass(frozen=True)
class LpOutcome:
    """Answer of a linear program.

    Attributes
    ----------
    status, value, x
        How it ended, the objective and the columns' values; they mean something when it is "optimal".
    row_duals, reduced_costs
        The price of each row, and ``costs - A.T @ row_duals``.
    n_iterations
        Simplex steps that this solve took.
    """

    status: SolverStatus
    value: float
    x: Floats
    row_duals: Floats
    reduced_costs: Floats
    n_iterations: int


@dataclass(frozen=True)
class MipOutcome:
    """Answer of one branch and bound: `x` is None when nothing feasible was found."""

    status: SolverStatus
    x: Floats | None
    value: float
    bound: float


def highs_version() -> str:
    """Return the version of HiGHS itself."""
    return str(highspy.Highs().version())  # type: ignore[no-untyped-call]


def solve_lp(program: LinearProgram, *, time_limit: float = float("inf"), seed: int = 0) -> LpOutcome:
    """Solve a linear program."""
    solver = new_solver({"random_seed": seed % 2**31, "time_limit": time_limit})
    check(solver.passModel(highs_model(program)), "take the model")
    return run_lp(solver)


def solve_mip(
    program: LinearProgram,
    *,
    integer: NDArray[np.bool_] | None = None,
    start: Ids | None = None,
    cutoff: float = float("inf"),
    abs_gap: float = 1e-9,
    max_nodes: int = 2**31 - 1,
    time_limit: float = float("inf"),
    seed: int = 0,
) -> MipOutcome:
    """Minimise over whole numbers.

    Parameters
    ----------
    program : LinearProgram
        Its columns are integer,
    integer : array of bool, optional
        or these of them.
    start : array of int, optional
        A known solution of zeros and ones: the columns that are one.
    cutoff : float
        Solutions above it are of no interest; "infeasible" when there is none below, though one above may
        have been met.
    abs_gap : float
        Distance to the bound at which a solution counts as optimal.
    max_nodes, time_limit, seed
        Work, seconds and random numbers of HiGHS.
    """
    solver = new_solver(
        {
            "random_seed": seed % 2**31,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": abs_gap,
            "mip_max_nodes": max_nodes,
            "time_limit": time_limit,
            "objective_bound": cutoff,
        }
    )
    model = highs_model(program)
    whole = np.ones(len(program.costs), dtype=bool) if integer is None else integer
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    model.integrality_ = [kinds[is_whole] for is_whole in whole.tolist()]
    check(solver.passModel(model), "take the model")
    if start is not None:
        check(solver.setSolution(len(start), start.astype(np.int32), np.ones(len(start))), "take the start")
    run(solver)
    info = solver.getInfo()
    has_solution = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    x = np.asarray(solver.getSolution().col_value) if has_solution else None
    return MipOutcome(status_of(solver), x, info.objective_function_value, info.mip_dual_bound)


def new_solver(options: dict[str, Option]) -> highspy.Highs:
    """Return a silent HiGHS with these options."""
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {**_QUIET, **options}.items():
        check(solver.setOptionValue(name, value), f"set option {name}={value}")
    return solver


def highs_model(program: LinearProgram) -> highspy.HighsLp:
    """Return the program as HiGHS takes it."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(program.costs), len(program.row_lower)
    lp.col_cost_ = program.costs
    lp.col_lower_, lp.col_upper_ = program.lower, program.upper
    lp.row_lower_, lp.row_upper_ = program.row_lower, program.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = program.starts, program.index
    lp.a_matrix_.value_ = program.values
    return lp


def run_lp(solver: highspy.Highs) -> LpOutcome:
    """Run a solver that holds a linear program, and read its answer."""
    run(solver)
    info, solution = solver.getInfo(), solver.getSolution()
    return LpOutcome(
        status_of(solver),
        info.objective_function_value,
        np.asarray(solution.col_value),
        np.asarray(solution.row_dual),
        np.asarray(solution.col_dual),
        max(0, info.simplex_iteration_count),
    )


def run(solver: highspy.Highs) -> None:
    """Run, and end soon after Ctrl-C or when nobody waits for the answer any more."""
    solver.HandleUserInterrupt = True  # lets cancelSolve be heard
    check(run_cancellable(solver.run, solver.cancelSolve), "run")


def status_of(solver: highspy.Highs) -> SolverStatus:
    """Return how a run ended, in our words."""
    status = _STATUS.get(solver.getModelStatus())
    if status is None:
        raise HighsError(f"HiGHS ended with {solver.modelStatusToString(solver.getModelStatus())!r}.")
    return status


def check(status: highspy.HighsStatus, what: str) -> None:
    """Raise when a call failed."""
    if status == highspy.HighsStatus.kError:
        raise HighsError(f"HiGHS failed to {what}.")
