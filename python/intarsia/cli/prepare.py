"""What `intarsia fit` does to the data before clustering: precision, scaling, weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.datasets import load

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Scaling:
    """A shift and a factor per feature, remembered so that centres can be given in the data's units."""

    shift: Floats
    factor: Floats

    def apply(self, X: Floats) -> Floats:
        """Scale data."""
        return np.asarray((X - self.shift) / self.factor)

    def undo(self, X: Floats) -> Floats:
        """Return scaled data to its own units."""
        return np.asarray(X * self.factor + self.shift)


def scaling_for(X: Floats, kind: str) -> Scaling:
    """Learn a scaling: "none", "standard" (mean 0, deviation 1) or "minmax" (range 0 to 1)."""
    if kind == "standard":
        return Scaling(X.mean(axis=0), _without_zeros(X.std(axis=0)))
    if kind == "minmax":
        return Scaling(X.min(axis=0), _without_zeros(np.ptp(X, axis=0)))
    return Scaling(np.zeros(X.shape[1]), np.ones(X.shape[1]))


def read_weights(path: Path | None, n_samples: int) -> NDArray[np.float64] | None:
    """Read one weight per point from a file of one column; None stays None."""
    if path is None:
        return None
    table = load(str(path)).X
    if table.shape != (n_samples, 1):
        raise ValueError(
            f"{path}: weights need {n_samples} rows and 1 column, got {table.shape[0]} and {table.shape[1]}"
        )
    weights = np.ascontiguousarray(table[:, 0], dtype=np.float64)
    _check_weights(path, weights)
    return weights


def _check_weights(path: Path, weights: NDArray[np.float64]) -> None:
    if np.any(weights < 0):
        row = int(np.argmax(weights < 0))
        raise ValueError(f"{path}: weights must be at least 0, got {weights[row]:g} for point {row + 1}")
    if not np.any(weights > 0):
        raise ValueError(f"{path}: at least one weight must be above 0")


def _without_zeros(spread: Floats) -> Floats:
    # a constant feature stays constant instead of becoming 0 / 0
    return np.where(spread > 0, spread, 1.0)
