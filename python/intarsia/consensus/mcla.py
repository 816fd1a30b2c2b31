"""MCLA: clusters that hold the same points form meta-clusters, and points go to the strongest."""

from __future__ import annotations

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.consensus.meta_graph import compete, group_clusters, seen_by
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble


def mcla(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Group clusters by their Jaccard similarity with METIS, average each group, let points choose.

    A soft ensemble is taken as its most likely labels. Where labels are missing, two clusters are compared
    over the points that both members know, and a point is averaged over the members that know it. No options.
    """
    options.settle("mcla")
    meta = group_clusters(jaccard(ensemble, options.n_threads), ensemble, k, options.seed)
    return compete(ensemble, meta, k, options, soft=False)


def jaccard(ensemble: Ensemble, n_threads: int) -> Floats:
    """Return shared over total weight of points, for each pair of input clusters."""
    shared = _core.cluster_overlap(ensemble.labels, ensemble.offsets, ensemble.point_weights, n_threads)
    seen = seen_by(shared, ensemble)
    either = seen + seen.T - shared
    return np.divide(shared, either, out=np.zeros_like(shared), where=either > 0)
