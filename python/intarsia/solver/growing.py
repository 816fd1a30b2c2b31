"""A linear program that grows by columns: each solve goes on from the basis of the one before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Floats
from intarsia.solver.highs import (
    LinearProgram,
    LpOutcome,
    check,
    check_columns,
    highs_model,
    new_solver,
    run_lp,
)

_PRIMAL = 4


class GrowingLp:
    """The master problem of a column generation.

    Parameters
    ----------
    program : LinearProgram
        What it begins with; its rows stay as they are.
    seed : int
        Of HiGHS.
    """

    def __init__(self, program: LinearProgram, *, seed: int = 0) -> None:
        self._n_rows = len(program.row_lower)
        self.n_columns = len(program.costs)
        self._solver = new_solver({"random_seed": seed % 2**31, "solver": "simplex"})
        check(self._solver.passModel(highs_model(program)), "take the model")

    def add_columns(
        self,
        costs: Floats,
        lower: Floats,
        upper: Floats,
        starts: NDArray[np.int32],
        index: NDArray[np.int32],
        values: Floats,
    ) -> None:
        """Add columns, in the form of `LinearProgram`; the next solve may use them."""
        check_columns(starts, index, values, len(costs), self._n_rows)
        status = self._solver.addCols(len(costs), costs, lower, upper, len(index), starts[:-1], index, values)
        check(status, "take the columns")
        self.n_columns += len(costs)

    def solve(self, time_limit: float = float("inf")) -> LpOutcome:
        """Solve over the columns so far."""
        until = self._solver.getRunTime() + time_limit  # HiGHS counts all solves of a program together
        check(self._solver.setOptionValue("time_limit", until), f"set option time_limit={until}")
        found = run_lp(self._solver)
        # columns that come leave this solution feasible: the primal simplex goes on from it
        check(self._solver.setOptionValue("simplex_strategy", _PRIMAL), "set option simplex_strategy")
        return found
