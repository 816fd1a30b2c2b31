"""Values that a table does not have: refused, left out with their points, or filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: What stands in a text field for a value that is not known (in any case of letters).
MARKS = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "<na>", "#n/a"})
#: What may be done about missing values.
MISSING = ("error", "drop", "median")


def is_missing(field: str) -> bool:
    """Tell whether a text field says that there is no value."""
    return field.lower() in MARKS


@dataclass(frozen=True, eq=False)
class Settled:
    """A table without gaps; `kept` tells which rows it still has, None: all of them."""

    X: NDArray[Any]
    kept: NDArray[np.bool_] | None = None
    note: str = ""


def settle_missing(X: NDArray[Any], how: str) -> Settled:
    """Leave out the rows with NaN or fill in the medians of their columns; "error" leaves all to a check."""
    gaps = np.isnan(X) if how != "error" and X.dtype.kind == "f" else np.zeros((0, 0), dtype=bool)
    if not gaps.any():
        return Settled(X)
    rows = np.asarray(gaps.any(axis=1))
    if how == "drop":
        return Settled(X[~rows], ~rows, f"{_points(int(rows.sum()))} with missing values left out")
    filled = X.copy()
    for j in np.flatnonzero(gaps.any(axis=0)):
        known = X[~gaps[:, j], j]
        if known.size:  # a column of nothing else is left to the check that comes after
            filled[gaps[:, j], j] = np.median(known)
    values = int(gaps.sum())
    what = "1 missing value" if values == 1 else f"{values:,} missing values"
    return Settled(filled, None, f"{what} in {_points(int(rows.sum()))} set to the median")


def advice(n_points: int, n_all: int) -> str:
    """Say how many points miss a value and what can be done about it."""
    verb = "misses" if n_points == 1 else "miss"
    return (
        f"{n_points:,} of {_points(n_all)} {verb} a value: "
        "missing='drop' leaves them out, missing='median' fills them in."
    )


def _points(number: int) -> str:
    return f"{number:,} point" if number == 1 else f"{number:,} points"
