"""The silhouette of a clustering, on a sample of its points where there are many."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SAMPLE = 1000


def sampled_silhouette(X: NDArray[Any], labels: NDArray[Any], most: int = SAMPLE) -> float | None:
    """Return the mean silhouette among at most so many points, evenly spread over their order.

    None where these are all in one cluster, or each in its own. Points of no cluster (-1) are left out.
    """
    known = np.flatnonzero(labels >= 0)
    chosen = known[np.linspace(0, len(known) - 1, min(most, len(known))).astype(np.intp)]
    points = X[chosen].astype(np.float64)
    classes, codes, sizes = np.unique(labels[chosen], return_inverse=True, return_counts=True)
    if not 1 < len(classes) < len(points):
        return None
    sums = _distances(points) @ np.eye(len(classes))[codes]
    rows = np.arange(len(points))
    own = sizes[codes]
    within = sums[rows, codes] / np.maximum(own - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    nearest = others.min(axis=1)
    larger = np.maximum(within, nearest)
    known_share = np.divide(nearest - within, larger, out=np.zeros_like(larger), where=larger > 0)
    return float(np.where(own > 1, known_share, 0.0).mean())  # alone in its cluster: 0, by definition


def _distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    points = points - points.mean(axis=0)  # far from the origin squares would lose digits
    squares = (points * points).sum(axis=1)
    found: NDArray[np.float64] = np.sqrt(
        np.maximum(squares[:, None] + squares[None, :] - 2.0 * points @ points.T, 0.0)
    )
    np.fill_diagonal(found, 0.0)
    return found
