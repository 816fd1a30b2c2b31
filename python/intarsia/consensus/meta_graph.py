"""What MCLA and sMCLA share: clusters grouped into meta-clusters, points to the strongest of them."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.consensus.metis import partition
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.consensus.swaps import MAX_VERTICES, smaller_cut
from intarsia.ensemble import Ensemble

NOT_SOFT = np.empty((0, 0))


def group_clusters(similarity: Floats, ensemble: Ensemble, k: int, seed: int) -> Labels:
    """Return the meta-cluster of every input cluster: METIS on the graph of clusters, its cut refined.

    An edge counts by the geometric mean of the weights of its two members.
    """
    roots = np.sqrt(np.repeat(ensemble.member_weights, ensemble.n_classes))
    graph = similarity * roots * roots[:, None]
    np.fill_diagonal(graph, 0.0)
    parts = partition(sparse.csr_array(graph), np.ones(len(roots)), k, seed)
    # with a few vertices a part METIS is far from the least cut
    return smaller_cut(graph, parts, k) if k < len(roots) <= MAX_VERTICES else parts


def compete(ensemble: Ensemble, meta: Labels, k: int, options: ConsensusOptions, soft: bool) -> Consensus:
    """Give each point to the meta-cluster with which it is associated most; association is the soft form."""
    memberships = ensemble.memberships if soft and ensemble.memberships is not None else NOT_SOFT
    association = _core.meta_association(
        ensemble.labels,
        ensemble.offsets,
        memberships,
        ensemble.member_weights,
        meta,
        k,
        options.n_threads,
    )
    labels = association.argmax(axis=1).astype(np.int32)
    association /= association.sum(axis=1, keepdims=True)
    return Consensus(labels, memberships=association, meta_clusters=meta)


def seen_by(overlap: Floats, ensemble: Ensemble) -> Floats:
    """Return for clusters a and b how much of a the member of b knows (hard: a row of overlaps summed)."""
    by_member = np.add.reduceat(overlap, ensemble.offsets[:-1], axis=1)
    return np.repeat(by_member, ensemble.n_classes, axis=1)
