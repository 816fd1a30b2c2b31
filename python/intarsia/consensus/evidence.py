"""Evidence accumulation where the dendrogram, not the user, says how many clusters there are."""

from __future__ import annotations

from typing import Any

from intarsia.consensus.eac import accumulate, grouping_note
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.executor import resolve_threads


def cut_evidence(
    ensemble: Any,
    threshold: float | None = None,
    *,
    linkage: str | None = None,
    max_rows: int | None = None,
    n_threads: int | None = None,
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
    n_threads : int, optional
        Who computes; the result does not depend on it.
    """
    if threshold is not None and not 0 <= threshold <= 1:
        raise ValueError(f"threshold={threshold} should be in [0, 1].")
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    rows, inverse = given.canonical().merged()
    tree, groups = accumulate(rows, resolve_threads(n_threads), 2, linkage, max_rows)
    found = tree.cut_at_jump() if threshold is None else tree.cut_at_similarity(threshold)
    return Consensus(found[groups.of_row][inverse], note=grouping_note(groups))
