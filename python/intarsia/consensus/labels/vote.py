"""`vote`: clusters of every member renamed to match a reference, then a weighted vote."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import pdist

from intarsia.arrays import Floats, Ids, Labels
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.consensus.repair import fill_empty
from intarsia.ensemble import Ensemble
from intarsia.metrics.ensembles import anmi
from intarsia.metrics.matching import best_names
from intarsia.validation import check_count

_MOST_CANDIDATES = 10  # choosing among all members of a large ensemble would cost more than voting


def vote(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Give each point the cluster that most members, by weight, put it in.

    Each member's clusters are matched with the votes so far by maximum overlap, one to one (Hungarian
    method); those left over when a member has more than k join the cluster they overlap most. The first votes
    are those of a reference member; matching and voting repeat until no name changes, at most `max_passes`
    times (10).
    """
    max_passes = check_count("max_passes", options.method_options("vote", max_passes=10)["max_passes"])
    names: list[Labels] = []
    votes = one_hot(_reference_partition(ensemble, k), k)
    for _ in range(max_passes):
        found = _match_all(ensemble, votes)
        if len(names) and all(np.array_equal(a, b) for a, b in zip(names, found, strict=True)):
            break
        names, votes = found, _count(ensemble, found, k)
    return _elected(ensemble, names, votes, k)


def one_hot(labels: Labels, k: int) -> Floats:
    """Return one vote of each labelled row for its cluster."""
    votes = np.zeros((len(labels), k))
    known = np.flatnonzero(labels >= 0)
    votes[known, labels[known]] = 1.0
    return votes


def _elected(ensemble: Ensemble, names: list[Labels], votes: Floats, k: int) -> Consensus:
    shares = votes / votes.sum(axis=1, keepdims=True)
    labels = fill_empty(ensemble, shares.argmax(axis=1).astype(np.int32), k)
    won = float(np.average(shares.max(axis=1), weights=ensemble.point_weights))
    return Consensus(labels, shares, np.concatenate(names), won)


def _match_all(ensemble: Ensemble, votes: Floats) -> list[Labels]:
    weighted = votes * ensemble.point_weights[:, None]
    return [best_names(_overlap(ensemble, q, weighted)) for q in range(ensemble.n_members)]


def _overlap(ensemble: Ensemble, q: int, votes: Floats) -> Floats:
    """Return how many votes the points of each cluster of a member have for each cluster."""
    if ensemble.memberships is not None:
        overlap: Floats = ensemble.block(q).T @ votes
        return overlap
    n_classes = int(ensemble.n_classes[q])
    slots = ensemble.labels[:, q] + 1  # slot 0 is for the missing
    columns = [np.bincount(slots, weights=column, minlength=n_classes + 1)[1:] for column in votes.T]
    return np.stack(columns, axis=1)


def _count(ensemble: Ensemble, names: list[Labels], k: int) -> Floats:
    votes = np.zeros((ensemble.n_samples, k))
    for q, weight in enumerate(ensemble.member_weights):
        if ensemble.memberships is not None:
            votes += weight * (ensemble.block(q) @ one_hot(names[q], k))
        else:
            known = np.flatnonzero(ensemble.labels[:, q] >= 0)
            votes[known, names[q][ensemble.labels[known, q]]] += weight
    return votes


def _reference_partition(ensemble: Ensemble, k: int) -> Labels:
    """Return the member that agrees best with the others, its clusters joined to k where it has more."""
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
