"""Array types that the whole package speaks of, and points far from zero as seen from near them.

Squared distances do not depend on where zero is, but sums of coordinates lose what an offset adds: with
X + 1e12 a mean keeps four digits behind the point. Where columns lie far out, compared with how wide they
are, the roundest number near is taken off. That is exact, and points near zero stay as they are.
"""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Points = NDArray[np.float64] | NDArray[np.float32]
Labels = NDArray[np.int32]
Members = NDArray[np.int32]
Ids = NDArray[np.int64]
Fitted = tuple[Labels, Floats, float, int, bool]
"""labels, centres, inertia, number of iterations, converged"""
LabelFit = tuple[Labels, float, int, bool, Floats]
"""labels, cost, number of iterations, converged, cost after each iteration"""

SomePoints = TypeVar("SomePoints", bound=Points)

_FAR = 20.0  # widths from zero: then the difference to any number within _NEAR widths is exact
_NEAR = 8.0
_WIDE = 512  # values that NumPy takes at once
_DIGITS = 18  # more do not fit into a number


def column_ranges(X: SomePoints) -> tuple[SomePoints, SomePoints]:
    """Return the smallest and the largest value of each column."""
    # NumPy takes narrow rows one by one, which is forty times as slow: let many rows be one
    n, d = X.shape
    rows = max(1, _WIDE // max(1, d))
    whole = n - n % rows
    wide, rest = X[:whole].reshape(-1, rows * d), X[whole:]
    low, high = rest, rest
    if whole:
        low = np.concatenate([wide.min(axis=0).reshape(rows, d), rest])
        high = np.concatenate([wide.max(axis=0).reshape(rows, d), rest])
    return low.min(axis=0), high.max(axis=0)


def origin_of(X: Points) -> Floats | None:
    """Return what to take off each column, 0 where it is not far out; None if that is all of them."""
    low, high = (values.astype(np.float64) for values in column_ranges(X))
    with np.errstate(over="ignore"):
        far = np.minimum(abs(low), abs(high)) > _FAR * (high - low)
    far &= (low > 0) == (high > 0)
    if not far.any():
        return None
    origin = np.zeros(X.shape[1])
    for column in np.flatnonzero(far):
        origin[column] = _round_number(float(low[column]), float(high[column]))
    return origin.astype(X.dtype).astype(np.float64)


def take_off(X: SomePoints, origin: Floats | None) -> SomePoints:
    """Return the points as seen from the origin; the same array where that is zero."""
    if origin is None:
        return X
    return np.subtract(X, origin.astype(X.dtype), order="C")  # type: ignore[no-any-return]


def put_back(centres: Floats, origin: Floats | None) -> Floats:
    """Return centres as they were before the origin was taken off."""
    return centres if origin is None else np.asarray(centres + origin)


def _round_number(low: float, high: float) -> float:
    """Return the number of fewest digits near a range that is far from zero."""
    if high < 0:
        return -_round_number(-high, -low)
    width = high - low
    least, most = low - _NEAR * width, high + _NEAR * width
    largest = math.floor(math.log10(most))
    for exponent in range(largest, largest - _DIGITS, -1):
        step = 10.0**exponent
        candidate = math.ceil(least / step) * step
        if candidate <= most:
            return candidate
    return low
