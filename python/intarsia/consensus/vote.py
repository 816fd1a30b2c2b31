"""`vote`: clusters of every member renamed to match a reference, then a weighted vote."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from intarsia.arrays import Floats, Ids, Labels
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.reference import reference_partition
from intarsia.consensus.repair import fill_empty
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count


def vote(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Give each point the cluster that most members, by weight, put it in.

    Each member's clusters are matched with the votes so far by maximum overlap, one to one (Hungarian
    method); those left over when a member has more than k join the cluster they overlap most. The first votes
    are those of a reference member; matching and voting repeat until no name changes, at most `max_passes`
    times (10).
    """
    max_passes = check_count("max_passes", options.settle("vote", max_passes=10)["max_passes"])
    names: list[Ids] = []
    votes = one_hot(reference_partition(ensemble, k), k)
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


def _elected(ensemble: Ensemble, names: list[Ids], votes: Floats, k: int) -> Consensus:
    shares = votes / votes.sum(axis=1, keepdims=True)
    labels = fill_empty(ensemble, shares.argmax(axis=1).astype(np.int32), k)
    won = float(np.average(shares.max(axis=1), weights=ensemble.point_weights))
    return Consensus(labels, shares, np.concatenate(names).astype(np.int32), won)


def _match_all(ensemble: Ensemble, votes: Floats) -> list[Ids]:
    weighted = votes * ensemble.point_weights[:, None]
    return [_match(_overlap(ensemble, q, weighted)) for q in range(ensemble.n_members)]


def _match(overlap: Floats) -> Ids:
    """Return the cluster that each of a member's clusters is renamed to."""
    names: Ids = overlap.argmax(axis=1).astype(np.int64)  # for those that the matching leaves over
    rows, clusters = linear_sum_assignment(overlap, maximize=True)
    names[rows] = clusters
    return names


def _overlap(ensemble: Ensemble, q: int, votes: Floats) -> Floats:
    """Return how many votes the points of each cluster of a member have for each cluster."""
    if ensemble.memberships is not None:
        overlap: Floats = ensemble.block(q).T @ votes
        return overlap
    n_classes = int(ensemble.n_classes[q])
    slots = ensemble.labels[:, q] + 1  # slot 0 is for the missing
    columns = [np.bincount(slots, weights=column, minlength=n_classes + 1)[1:] for column in votes.T]
    return np.stack(columns, axis=1)


def _count(ensemble: Ensemble, names: list[Ids], k: int) -> Floats:
    votes = np.zeros((ensemble.n_samples, k))
    for q, weight in enumerate(ensemble.member_weights):
        if ensemble.memberships is not None:
            votes += weight * (ensemble.block(q) @ one_hot(names[q].astype(np.int32), k))
        else:
            known = np.flatnonzero(ensemble.labels[:, q] >= 0)
            votes[known, names[q][ensemble.labels[known, q]]] += weight
    return votes
