"""sMCLA: MCLA on memberships, clusters compared by the distance of their columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.consensus.meta_graph import compete, group_clusters, seen_by
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble


def smcla(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Group clusters by exp(-d²/scale) of their membership columns with METIS, then as in `mcla`.

    Similarities inside one member count as zero when every member has k clusters.

    Options
    -------
    scale : "median" or float
        "median" is that of d² over the pairs that count; 1.0 is the formula as printed, which underflows for
        more than a few hundred points.
    """
    scale = _check_scale(options.settle("smcla", scale="median")["scale"])
    similarity = column_similarity(ensemble, k, scale, options.n_threads)
    meta = group_clusters(similarity, ensemble, k, options.seed)
    return compete(ensemble, meta, k, options, soft=True)


def column_similarity(ensemble: Ensemble, k: int, scale: float | None, n_threads: int) -> Floats:
    """Return exp(-d²/scale) for each pair of input clusters, zero for pairs that do not count."""
    squares = column_distances(ensemble, n_threads)
    counts = ~np.eye(len(squares), dtype=bool)
    if (ensemble.n_classes == k).all():
        counts &= ~_same_member(ensemble)
    counts &= np.isfinite(squares)
    used = float(np.median(squares[counts])) if scale is None and counts.any() else scale
    return np.where(counts, np.exp(-squares / (used or 1.0)), 0.0)


def column_distances(ensemble: Ensemble, n_threads: int) -> Floats:
    """Return d² of each pair of membership columns, over the points that both know, scaled up to all.

    Infinite where no point is known to both.
    """
    labels, weights = ensemble.labels, ensemble.point_weights
    if ensemble.memberships is None:
        products = _core.cluster_overlap(labels, ensemble.offsets, weights, n_threads)
        own = seen_by(products, ensemble)
    else:
        products = _core.membership_gram(ensemble.memberships, weights, n_threads)
        unseen = _core.unseen_squares(ensemble.memberships, labels, weights)
        own = products.diagonal()[:, None] - np.repeat(unseen, ensemble.n_classes, axis=1)
    squares = np.maximum(own + own.T - 2.0 * products, 0.0)
    known = labels >= 0
    if known.all():
        return squares
    both = (known * weights[:, None]).T @ known.astype(np.float64)
    both = np.repeat(np.repeat(both, ensemble.n_classes, axis=0), ensemble.n_classes, axis=1)
    shares = np.divide(both, weights.sum())
    scaled: Floats = np.divide(squares, shares, out=np.full_like(squares, np.inf), where=shares > 0)
    return scaled


def _same_member(ensemble: Ensemble) -> Any:
    member = np.repeat(np.arange(ensemble.n_members), ensemble.n_classes)
    return member[:, None] == member


def _check_scale(scale: Any) -> float | None:
    if scale == "median":
        return None
    if isinstance(scale, bool) or not isinstance(scale, int | float):
        raise TypeError(f"scale={scale!r} should be 'median' or a number > 0.")
    if not scale > 0:
        raise ValueError(f"scale={scale} should be > 0.")
    return float(scale)
