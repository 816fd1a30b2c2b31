"""The value every reader returns: points, and class labels where the source has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.errors import DataError
from intarsia.io.labels import encode_labels


@dataclass(frozen=True, eq=False)
class Points:
    """Points to cluster.

    Attributes
    ----------
    X : ndarray of shape (n_points, n_features)
        C-contiguous float64, or float32 when the file holds float32; every value is finite.
    labels : ndarray of int32 or None
        Code of each point's class (an index into `class_names`), -1 where the label is missing.
    class_names : tuple of str
        The classes, in numerical order when all are numbers, else in alphabetical order.
    feature_names : tuple of str
        One name for each column of `X`; ``f0, f1, ...`` where the file gives none.
    name : str
        Name of the data, for reports.
    """

    X: NDArray[Any]
    labels: NDArray[np.int32] | None = None
    class_names: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = ()
    name: str = ""

    @property
    def n_points(self) -> int:
        """Number of points."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])


def make_points(
    source: Path | str,
    X: NDArray[Any],
    raw_labels: Any = None,
    feature_names: Sequence[str] | None = None,
    name: str = "",
) -> Points:
    """Check a table of numbers and its labels, and pack them as `Points`; `source` begins the messages."""
    X = as_features(source, X)
    check_finite(source, X)
    names = tuple(feature_names) if feature_names else tuple(f"f{j}" for j in range(X.shape[1]))
    if raw_labels is None:
        return Points(X, feature_names=names, name=name)
    labels, class_names = encode_labels(raw_labels)
    if labels.shape != (X.shape[0],):
        raise DataError(f"{source}: {labels.size} labels for {X.shape[0]} points; needs one label per point.")
    return Points(X, labels, class_names, names, name)


def as_features(source: Path | str, X: NDArray[Any]) -> NDArray[Any]:
    """Return a C-contiguous float table, float32 only if it already is."""
    if X.dtype.kind not in "fiub":
        raise DataError(f"{source}: holds {X.dtype} values; needs real numbers.")
    if X.ndim != 2:
        raise DataError(f"{source}: array of shape {X.shape}; needs two dimensions (points, features).")
    if 0 in X.shape:
        raise DataError(
            f"{source}: array of shape {X.shape} has no data; needs at least one point and feature."
        )
    dtype = np.float32 if X.dtype == np.float32 else np.float64
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes infinite and is named below
        return np.ascontiguousarray(X, dtype=dtype)


def check_finite(source: Path | str, X: NDArray[Any]) -> None:
    """Raise an error that names the first NaN or infinity."""
    finite = np.isfinite(X)
    if finite.all():
        return
    row, column = (int(i) for i in np.unravel_index(np.argmin(finite), X.shape))
    what = non_finite_name(float(X[row, column]))
    raise DataError(f"{source}: row {row}, column {column} (both counted from 0): {what}.")


def non_finite_name(value: float) -> str:
    """Return how messages call a NaN or an infinity."""
    return "missing value (NaN)" if np.isnan(value) else "infinite value"
