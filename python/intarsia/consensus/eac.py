"""Evidence accumulation: a dendrogram on the co-association, cut into exactly k clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.consensus.coarse import Groups, group_rows
from intarsia.consensus.cspa import coassociation
from intarsia.consensus.dendrogram import Dendrogram
from intarsia.consensus.label_space import presence, product_similarity, soft_rows
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.ensemble.indicator import indicator_matrix
from intarsia.validation import check_count, check_option

LINKAGES = ("single", "average", "complete")
#: Rows beyond which groups of similar rows are linked instead. Average and complete link keep half a square
#: of float32 similarities (16,384 rows: 537 MB); single link keeps one row of them.
MAX_ROWS = {"single": 65_536, "average": 16_384, "complete": 16_384}


def eac(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Link distinct rows by co-association (soft: mean dot product of memberships) and cut at k clusters.

    Equal similarities, of which co-association has many, are taken in a fixed order: the cut always leaves
    exactly k clusters. To cut at a similarity or at the largest jump instead, see `cut_evidence`.

    Options
    -------
    linkage : {"single", "average", "complete"}, optional
        Default: "average" for hard ensembles, "complete" for soft ones.
    max_rows : int, optional
        Beyond this many distinct rows each goes with the most similar of the max_rows heaviest ones, and
        these groups are linked: average link by the mean over all pairs, the others by those heaviest rows.
        Default: 65,536 for single link, 16,384 for the others.
    """
    settings = options.settle("eac", linkage=None, max_rows=None)
    tree, groups = accumulate(ensemble, options.n_threads, least_rows=k + 1, **settings)
    return Consensus(tree.cut_at(k)[groups.of_row], note=grouping_note(groups))


def accumulate(
    ensemble: Ensemble, n_threads: int, least_rows: int, linkage: Any, max_rows: Any
) -> tuple[Dendrogram, Groups]:
    """Return the dendrogram of the groups of rows (each row its own group where they are few)."""
    kind = linkage or ("complete" if ensemble.is_soft else "average")
    check_option("linkage", kind, LINKAGES)
    limit = MAX_ROWS[kind] if max_rows is None else check_count("max_rows", max_rows, least_rows)
    groups = group_rows(ensemble, limit, n_threads)
    similarity = _similarity(ensemble, groups, mean=kind == "average")
    if kind == "single":
        edges = _core.spanning_tree(similarity)
    else:
        edges = _core.agglomerate(similarity, groups.weights, kind, n_threads)
    return Dendrogram(*edges, n_rows=len(groups.leaders)), groups


def grouping_note(groups: Groups) -> str:
    """Say so when groups were linked instead of rows."""
    n_rows, n_groups = len(groups.of_row), len(groups.leaders)
    return "" if n_rows == n_groups else f"approximate: {n_rows} distinct rows in {n_groups} groups"


def _similarity(ensemble: Ensemble, groups: Groups, mean: bool) -> _core.Similarity:
    grouped = len(groups.leaders) < ensemble.n_samples
    if grouped and mean:
        return product_similarity(*_mean_rows(ensemble, groups), ensemble.member_weights, ensemble.n_classes)
    if ensemble.is_soft:
        rows, known = soft_rows(ensemble)[groups.leaders], presence(ensemble)[groups.leaders]
        return product_similarity(rows, known, ensemble.member_weights, ensemble.n_classes)
    if not grouped:
        return coassociation(ensemble)
    labels = ensemble.labels[groups.leaders]
    return _core.coassociation(labels, labels, ensemble.member_weights)


def _mean_rows(ensemble: Ensemble, groups: Groups) -> tuple[Floats, Floats]:
    """Return mean memberships and mean presence of each group: their products average over all pairs."""
    rows = indicator_matrix(ensemble.labels, ensemble.offsets, ensemble.memberships)
    means = groups.sums(rows, ensemble.point_weights).toarray() / groups.weights[:, None]
    if (ensemble.labels >= 0).all():
        return means, np.empty((len(means), 0))
    return means, np.add.reduceat(means, ensemble.offsets[:-1], axis=1)
