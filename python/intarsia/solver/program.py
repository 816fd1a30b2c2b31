"""A linear program in compressed columns, checked before a foreign library sees it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Floats


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
