"""What MCLA and sMCLA share: clusters grouped into meta-clusters, points to the strongest of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Labels
from intarsia.consensus.graph.metis import partition
from intarsia.consensus.graph.smaller_cut import MAX_VERTICES, smaller_cut
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.streams import generator
from intarsia.validation import check_option

NOT_SOFT = np.empty((0, 0))


#: What MCLA and sMCLA can be told: how METIS is asked, what it balances (the number of clusters in a
#: meta-cluster, or their points), whether its cut is improved, and who wins among equals.
META_OPTIONS = {"metis": "best", "balance": "count", "refine_cut": True, "ties": "first"}
_TIES = ("first", "random")
_BALANCES = ("count", "size")
_EQUAL = 1e-9  # associations this close are a tie: sums of the same weights in another order


def group_clusters(
    similarity: Floats, sizes: Floats, ensemble: Ensemble, k: int, seed: int, settings: Mapping[str, Any]
) -> Labels:
    """Return the meta-cluster of every input cluster: METIS on the graph of clusters, its cut refined.

    An edge counts by the geometric mean of the weights of its two members. `sizes` are the points of the
    clusters, `settings` as META_OPTIONS.
    """
    check_option("balance", settings["balance"], _BALANCES)
    by_size, refine_cut = settings["balance"] == "size", settings["refine_cut"]
    if by_size and refine_cut:
        raise ValueError("balance='size' needs refine_cut=False: moves and swaps count clusters.")
    roots = np.sqrt(np.repeat(ensemble.member_weights, ensemble.n_classes))
    graph = similarity * roots * roots[:, None]
    np.fill_diagonal(graph, 0.0)
    weights = sizes if by_size else np.ones(len(roots))
    parts = partition(sparse.csr_array(graph), weights, k, seed, settings["metis"])
    # with a few vertices a part METIS is far from the least cut
    return smaller_cut(graph, parts, k) if refine_cut and k < len(roots) <= MAX_VERTICES else parts


def compete(
    ensemble: Ensemble, meta: Labels, k: int, options: ConsensusOptions, soft: bool, ties: str = "first"
) -> Consensus:
    """Give each point to the meta-cluster with which it is associated most; association is the soft form.

    Where several are, the `first` of them wins, or a `random` one.
    """
    check_option("ties", ties, _TIES)
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
    labels = _winners(association, ties, options.seed)
    association /= association.sum(axis=1, keepdims=True)
    return Consensus(labels, memberships=association, meta_clusters=meta)


def _winners(association: Floats, ties: str, seed: int) -> Labels:
    if ties == "first":
        return np.asarray(association.argmax(axis=1), dtype=np.int32)
    draws = generator(seed, Stage.LABEL_MOVES).random(association.shape)
    strongest = association >= association.max(axis=1, keepdims=True) - _EQUAL
    return np.asarray(np.where(strongest, draws, -1.0).argmax(axis=1), dtype=np.int32)


def seen_by(overlap: Floats, ensemble: Ensemble) -> Floats:
    """Return for clusters a and b how much of a the member of b knows (hard: a row of overlaps summed)."""
    by_member = np.add.reduceat(overlap, ensemble.offsets[:-1], axis=1)
    return np.repeat(by_member, ensemble.n_classes, axis=1)
