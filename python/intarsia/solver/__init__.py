"""Linear and mixed-integer programs, solved by HiGHS on one thread: the same bits every time."""

from intarsia.solver.growing import GrowingLp
from intarsia.solver.highs import (
    HighsError,
    LpOutcome,
    MipOutcome,
    SolverStatus,
    highs_version,
    solve_lp,
    solve_mip,
)
from intarsia.solver.program import LinearProgram

__all__ = [
    "GrowingLp",
    "HighsError",
    "LinearProgram",
    "LpOutcome",
    "MipOutcome",
    "SolverStatus",
    "highs_version",
    "solve_lp",
    "solve_mip",
]
