"""Weights of members."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats


def check_member_weights(member_weights: ArrayLike | None, n_members: int) -> Floats:
    """Return positive weights of mean 1."""
    if member_weights is None:
        return np.ones(n_members)
    weights = np.array(member_weights, dtype=np.float64)
    if weights.shape != (n_members,):
        raise ValueError(f"member_weights.shape={weights.shape} should be ({n_members},).")
    bad = ~(np.isfinite(weights) & (weights > 0))
    if bad.any():
        at = int(np.argmax(bad))
        raise ValueError(f"member_weights[{at}]={weights[at]:g} should be finite and > 0.")
    scaled: Floats = weights / weights.mean()
    return scaled
