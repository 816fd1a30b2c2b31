"""The distribution of co-association values: consensus CDF and the proportion of ambiguous pairs.

The n x n consensus matrix is never made. Up to `EXACT_ROWS` distinct label rows all pairs are counted; above,
a fixed number of random pairs, so that each value of the CDF has a standard error of at most
0.5 / sqrt(n_pairs) = 0.0004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats
from intarsia.ensemble import Ensemble
from intarsia.executor import resolve_threads
from intarsia.executor.choose import agreed_seed
from intarsia.metrics.ensembles import as_ensemble
from intarsia.streams import generator

EXACT_ROWS = 10_000
SAMPLED_PAIRS = 2_000_000
_FEW_ROWS = 1_000  # below, one thread is faster


def consensus_cdf(
    ensemble: Any, thresholds: ArrayLike | None = None, *, n_pairs: int | None = None, random_state: Any = 0
) -> tuple[Floats, Floats]:
    """Return thresholds and, for each, the share of point pairs with a co-association of at most that.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        Co-association of two points is the share of the members knowing both, by weight, that join them; soft
        members are taken by their most likely labels.
    thresholds : array, optional
        Ascending; 0, 0.01, ..., 1 by default.
    n_pairs : int, optional
        Number of random pairs; None counts all pairs of up to 10,000 distinct rows, else 2,000,000 random
        pairs of points.
    random_state
        Seed of the random pairs.
    """
    grid = np.linspace(0, 1, 101) if thresholds is None else np.array(thresholds, dtype=np.float64, ndmin=1)
    if grid.ndim != 1 or len(grid) == 0 or not (np.diff(grid) >= 0).all():
        raise ValueError("thresholds should be one ascending row of numbers.")
    rows = as_ensemble(ensemble).merged()[0]
    if rows.point_weights.sum() < 2:
        raise ValueError("the consensus CDF needs at least two points.")
    if n_pairs is None and rows.n_samples <= EXACT_ROWS:
        return grid, _of_all_pairs(rows, grid)
    return grid, _of_random_pairs(rows, grid, n_pairs or SAMPLED_PAIRS, agreed_seed(random_state))


def pac(
    ensemble: Any,
    lower: float = 0.1,
    upper: float = 0.9,
    *,
    n_pairs: int | None = None,
    random_state: Any = 0,
) -> float:
    """Return the proportion of ambiguous pairs: co-association above `lower` and at most `upper`.

    0 when all members agree on every pair. See `consensus_cdf` for the other parameters.
    """
    _, cdf = consensus_cdf(ensemble, [lower, upper], n_pairs=n_pairs, random_state=random_state)
    return float(cdf[1] - cdf[0])


def _of_all_pairs(rows: Ensemble, grid: Floats) -> Floats:
    threads = resolve_threads(None) if rows.n_samples >= _FEW_ROWS else 1
    counts = _core.pairs_up_to(rows.labels, rows.member_weights, rows.point_weights, grid, threads)
    n = rows.point_weights.sum()
    share: Floats = counts / (n * (n - 1) / 2)
    return share


def _of_random_pairs(rows: Ensemble, grid: Floats, n_pairs: int, seed: int) -> Floats:
    """Draw two different points at a time; a point is found in its row by its place among all points."""
    rng = generator(seed, Stage.CLUSTER_PAIRS)
    n = int(rows.point_weights.sum())
    first = rng.integers(n, size=n_pairs)
    second = (first + rng.integers(1, n, size=n_pairs)) % n
    ends = np.cumsum(rows.point_weights)
    i, j = (np.searchsorted(ends, points, side="right") for points in (first, second))
    counts = _core.sampled_pairs_up_to(rows.labels, rows.member_weights, rows.point_weights, i, j, grid)
    share: Floats = counts / n_pairs
    return share
