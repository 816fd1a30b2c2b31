"""Exactly k clusters from a partition that has fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from intarsia.arrays import Floats, Labels
from intarsia.ensemble import Ensemble

if TYPE_CHECKING:
    from scipy import sparse


def fill_empty(ensemble: Ensemble, labels: Labels, k: int) -> Labels:
    """Return labels with every cluster of 0 to k - 1 in use.

    Each empty cluster takes the row that agrees least with its cluster, and from that cluster also the rows
    that agree more with this row than with their cluster. Deterministic; needs k <= number of distinct rows.
    """
    filled = np.array(labels, dtype=np.int32)
    empty = np.setdiff1d(np.arange(k), filled)
    if len(empty) == 0:
        return filled
    from scipy import sparse  # here: few answers have empty clusters

    indicator = ensemble.indicator() * np.sqrt(np.repeat(ensemble.member_weights, ensemble.n_classes))
    indicator = sparse.csr_array(indicator)
    for cluster in empty:
        filled = _split_off(indicator, ensemble.point_weights, filled, int(cluster), k)
    return filled


def _split_off(
    indicator: sparse.csr_array, point_weights: Floats, labels: Labels, new: int, k: int
) -> Labels:
    fit = _agreement_with_cluster(indicator, point_weights, labels, k)
    fit[np.bincount(labels, minlength=k)[labels] < 2] = np.inf  # the last row of a cluster stays
    seed = int(np.argmin(fit))
    with_seed = np.asarray(indicator @ indicator[[seed], :].toarray()[0])
    same = labels == labels[seed]
    moves = same & (with_seed > fit)
    out = labels.copy()
    if moves.sum() < same.sum():
        out[moves] = new
    out[seed] = new
    return out


def _agreement_with_cluster(
    indicator: sparse.csr_array, point_weights: Floats, labels: Labels, k: int
) -> Floats:
    """Return for each row the share of its cluster's points that agree with it, summed over members."""
    from scipy import sparse

    n = len(labels)
    chooser = sparse.csr_array((point_weights, (labels, np.arange(n))), shape=(k, n))
    sizes = np.bincount(labels, weights=point_weights, minlength=k)
    profiles = (chooser @ indicator).toarray() / np.maximum(sizes, 1e-300)[:, None]
    row = np.repeat(np.arange(n), np.diff(indicator.indptr))
    shares = indicator.data * profiles[labels[row], indicator.indices]
    return np.bincount(row, weights=shares, minlength=n).astype(np.float64)
