"""MCLA: clusters that hold the same points form meta-clusters, and points go to the strongest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.consensus.graph.meta_graph import META_OPTIONS, compete, group_clusters, seen_by
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble


def mcla(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Group clusters by their Jaccard similarity with METIS, average each group, let points choose.

    A soft ensemble is taken as its most likely labels. Where labels are missing, two clusters are compared
    over the points that both members know, and a point is averaged over the members that know it.

    Options
    -------
    metis : {"best", "published"}
        How METIS is asked: "published" is one recursive bisection, weights scaled to a sum of 10^8.
    balance : {"count", "size"}
        What meta-clusters have about equally many of: clusters, or (as published) points in them.
    refine_cut : bool
        Whether METIS's cut of the clusters is improved by moves and swaps (True); as published: not.
    ties : {"first", "random"}
        Where a point goes when several meta-clusters are strongest; as published: "random", point by point.
    """
    settings = options.method_options("mcla", **META_OPTIONS)
    similarity, sizes = (
        jaccard(ensemble, options.n_threads),
        cluster_sizes(replace(ensemble, memberships=None)),
    )
    meta = group_clusters(similarity, sizes, ensemble, k, options.seed, settings)
    return compete(ensemble, meta, k, options, soft=False, ties=settings["ties"])


def cluster_sizes(ensemble: Ensemble) -> Floats:
    """Return the weight of the points of each input cluster, by memberships where there are some."""
    sizes: Floats = ensemble.indicator().T @ ensemble.point_weights
    return sizes


def jaccard(ensemble: Ensemble, n_threads: int) -> Floats:
    """Return shared over total weight of points, for each pair of input clusters."""
    shared = _core.cluster_overlap(ensemble.labels, ensemble.offsets, ensemble.point_weights, n_threads)
    seen = seen_by(shared, ensemble)
    either = seen + seen.T - shared
    return np.divide(shared, either, out=np.zeros_like(shared), where=either > 0)
