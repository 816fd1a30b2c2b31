"""A first partition into k clusters: the member that agrees best with the others, made to have k clusters."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist

from intarsia.arrays import Ids, Labels
from intarsia.ensemble import Ensemble
from intarsia.metrics.ensembles import anmi

_MOST_CANDIDATES = 10  # choosing among all members of a large ensemble would cost more than voting


def reference_partition(ensemble: Ensemble, k: int) -> Labels:
    """Return labels from 0 to k - 1 (-1: missing), of fewer than k clusters if every member has fewer."""
    q = _reference_member(ensemble, k)
    labels = ensemble.labels[:, q]
    if ensemble.n_classes[q] <= k:
        return labels
    groups = _grouped_classes(ensemble, q, k)
    return np.where(labels >= 0, groups[labels], -1).astype(np.int32)


def _reference_member(ensemble: Ensemble, k: int) -> int:
    """Return the member with k clusters, else the fewest above k, else the most, by greatest average NMI."""
    n_classes = ensemble.n_classes
    enough = n_classes[n_classes >= k]
    wanted = enough.min() if len(enough) else n_classes.max()
    candidates = np.flatnonzero(n_classes == wanted)[:_MOST_CANDIDATES]
    if len(candidates) == 1:
        return int(candidates[0])
    scores = [round(anmi(ensemble.labels[:, q], ensemble), 12) for q in candidates]
    return int(candidates[int(np.argmax(scores))])


def _grouped_classes(ensemble: Ensemble, q: int, k: int) -> Ids:
    """Group a member's clusters into k by how alike the other members see them (average link)."""
    labels = ensemble.labels[:, q]
    indicator = ensemble.indicator()
    profiles = np.zeros((int(ensemble.n_classes[q]), indicator.shape[1]))
    for c in range(len(profiles)):
        rows = np.flatnonzero(labels == c)
        weights = ensemble.point_weights[rows]
        if len(rows):
            profiles[c] = (indicator[rows].T @ weights) / weights.sum()
    profiles[:, ensemble.offsets[q] : ensemble.offsets[q + 1]] = 0  # its own clusters are all apart
    groups: Ids = cut_tree(linkage(pdist(profiles), "average"), n_clusters=k).reshape(-1).astype(np.int64)
    return groups
