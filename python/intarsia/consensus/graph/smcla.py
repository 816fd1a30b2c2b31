"""sMCLA: MCLA on memberships, clusters compared by their membership columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.consensus.graph.mcla import cluster_sizes
from intarsia.consensus.graph.meta_graph import META_OPTIONS, compete, group_clusters, seen_by
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_option


def smcla(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Group clusters by the similarity of their membership columns, then as in `mcla`.

    Similarities inside one member count as zero when every member has k clusters.

    Options
    -------
    similarity : {"jaccard", "euclidean"}
        "jaccard": a·b / (a·a + b·b - a·b), which is MCLA's own when memberships are 0 and 1. "euclidean":
        exp(-d²/scale), as in the paper; it takes any two small clusters for similar.
    scale : "median" or float
        Of "euclidean": "median" is that of d² over the pairs that count; 1.0 is the formula as printed, which
        underflows for more than a few hundred points.
    metis, balance, refine_cut, ties
        As in `mcla`.
    """
    settings = options.method_options("smcla", similarity="jaccard", scale="median", **META_OPTIONS)
    check_option("similarity", settings["similarity"], ("jaccard", "euclidean"))
    scale = _check_scale(settings["scale"])
    if settings["similarity"] == "jaccard":
        similarity = column_jaccard(ensemble, k, options.n_threads)
    else:
        similarity = column_similarity(ensemble, k, scale, options.n_threads)
    meta = group_clusters(similarity, cluster_sizes(ensemble), ensemble, k, options.seed, settings)
    return compete(ensemble, meta, k, options, soft=True, ties=settings["ties"])


def column_jaccard(ensemble: Ensemble, k: int, n_threads: int) -> Floats:
    """Return the extended Jaccard similarity of each pair of input clusters, zero for pairs not counted."""
    products, own = _products(ensemble, n_threads)
    either = own + own.T - products
    counts = _pairs_that_count(ensemble, k) & (either > 0)
    return np.divide(products, either, out=np.zeros_like(products), where=counts)


def column_similarity(ensemble: Ensemble, k: int, scale: float | None, n_threads: int) -> Floats:
    """Return exp(-d²/scale) for each pair of input clusters, zero for pairs that do not count."""
    squares = column_distances(ensemble, n_threads)
    counts = _pairs_that_count(ensemble, k) & np.isfinite(squares)
    used = float(np.median(squares[counts])) if scale is None and counts.any() else scale
    return np.where(counts, np.exp(-squares / (used or 1.0)), 0.0)


def column_distances(ensemble: Ensemble, n_threads: int) -> Floats:
    """Return d² of each pair of membership columns, over the points that both know, scaled up to all.

    Infinite where no point is known to both.
    """
    products, own = _products(ensemble, n_threads)
    squares = np.maximum(own + own.T - 2.0 * products, 0.0)
    known = ensemble.labels >= 0
    if known.all():
        return squares
    weights = ensemble.point_weights
    both = (known * weights[:, None]).T @ known.astype(np.float64)
    both = np.repeat(np.repeat(both, ensemble.n_classes, axis=0), ensemble.n_classes, axis=1)
    shares = np.divide(both, weights.sum())
    scaled: Floats = np.divide(squares, shares, out=np.full_like(squares, np.inf), where=shares > 0)
    return scaled


def _products(ensemble: Ensemble, n_threads: int) -> tuple[Floats, Floats]:
    """Return for columns a and b the product a·b, and a·a over the points that the member of b knows."""
    labels, weights = ensemble.labels, ensemble.point_weights
    if ensemble.memberships is None:
        products = _core.cluster_overlap(labels, ensemble.offsets, weights, n_threads)
        return products, seen_by(products, ensemble)
    products = _core.membership_gram(ensemble.memberships, weights, n_threads)
    unseen = _core.unseen_squares(ensemble.memberships, labels, weights)
    return products, products.diagonal()[:, None] - np.repeat(unseen, ensemble.n_classes, axis=1)


def _pairs_that_count(ensemble: Ensemble, k: int) -> Any:
    if (ensemble.n_classes == k).all():
        return ~_same_member(ensemble)
    return ~np.eye(int(ensemble.offsets[-1]), dtype=bool)


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
