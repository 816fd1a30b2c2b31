"""Geometric mean ratios: how many times better one method scores than another, over many cases."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats


def geometric_mean_ratio(scores: ArrayLike, base: ArrayLike, *, floor: float = 1e-5) -> float:
    """Return the geometric mean of scores / base; a score below `floor` (such as 0) counts as `floor`."""
    ours, theirs = _checked(scores, floor), _checked(base, floor)
    if ours.shape != theirs.shape:
        raise ValueError(f"scores.shape={ours.shape} should be that of base, {theirs.shape}.")
    return float(np.exp(np.mean(np.log(ours) - np.log(theirs))))


def gmr_table(scores: Mapping[str, ArrayLike], *, floor: float = 1e-5) -> dict[str, dict[str, float]]:
    """Return for every two methods the geometric mean ratio ``table[i][j]`` of method j over method i."""
    return {i: {j: geometric_mean_ratio(scores[j], scores[i], floor=floor) for j in scores} for i in scores}


def _checked(scores: ArrayLike, floor: float) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1 or len(values) == 0:
        raise ValueError(f"scores of shape {values.shape} should be one row of numbers, not empty.")
    if not np.isfinite(values).all():
        raise ValueError("scores should be finite.")
    return np.maximum(values, floor)
