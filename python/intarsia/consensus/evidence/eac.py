"""Evidence accumulation: a dendrogram on the co-association, cut into k clusters or where it says itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.consensus.evidence.dendrogram import Dendrogram
from intarsia.consensus.graph.cspa import coassociation
from intarsia.consensus.graph.label_space import presence, product_similarity, soft_rows
from intarsia.consensus.graph.row_groups import RowGroups, group_rows
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor, resolve_threads
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
    settings = options.method_options("eac", linkage=None, max_rows=None)
    tree, groups = accumulate(ensemble, options.n_threads, least_rows=k + 1, **settings)
    return Consensus(tree.cut_at(k)[groups.of_row], note=grouping_note(groups))


def cut_evidence(
    ensemble: Any,
    threshold: float | None = None,
    *,
    linkage: str | None = None,
    max_rows: int | None = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
) -> Consensus:
    """Return the clusters of evidence accumulation at a similarity, or at the largest jump.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        The clusterings to combine.
    threshold : float in [0, 1], optional
        Clusters are those whose parts joined at this similarity or above. None: before the largest drop of
        the similarity from one join to the next (at least two clusters).
    linkage, max_rows
        As in the method "eac" of `combine`.
    n_threads, executor
        Who computes; the result does not depend on it.
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise ValueError(f"threshold={threshold} should be in [0, 1].")
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    rows, inverse = given.canonical().merged()
    threads = resolve_threads(n_threads) if executor is None else executor.n_threads
    tree, groups = accumulate(rows, threads, 2, linkage, max_rows)
    found = tree.cut_at_jump() if threshold is None else tree.cut_at_similarity(threshold)
    return Consensus(found[groups.of_row][inverse], note=grouping_note(groups))


def accumulate(
    ensemble: Ensemble, n_threads: int, least_rows: int, linkage: Any, max_rows: Any
) -> tuple[Dendrogram, RowGroups]:
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


def grouping_note(groups: RowGroups) -> str:
    """Say so when groups were linked instead of rows."""
    n_rows, n_groups = len(groups.of_row), len(groups.leaders)
    return "" if n_rows == n_groups else f"approximate: {n_rows} distinct rows in {n_groups} groups"


def _similarity(ensemble: Ensemble, groups: RowGroups, mean: bool) -> _core.Similarity:
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


def _mean_rows(ensemble: Ensemble, groups: RowGroups) -> tuple[Floats, Floats]:
    """Return mean memberships and mean presence of each group: their products average over all pairs."""
    means = groups.sums(ensemble.indicator(), ensemble.point_weights).toarray() / groups.weights[:, None]
    if (ensemble.labels >= 0).all():
        return means, np.empty((len(means), 0))
    return means, np.add.reduceat(means, ensemble.offsets[:-1], axis=1)
