"""Linear and mixed-integer programs, solved by HiGHS on one thread: the same bits every time."""

from intarsia.solver.highs import (
    HighsError,
    LinearProgram,
    LpOutcome,
    MipOutcome,
    SolverStatus,
    highs_version,
    solve_lp,
    solve_mip,
)

__all__ = [
    "HighsError",
    "LinearProgram",
    "LpOutcome",
    "MipOutcome",
    "SolverStatus",
    "highs_version",
    "solve_lp",
    "solve_mip",
]
