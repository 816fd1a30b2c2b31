"""Two partitions that differ in few clusters: where they do, and the better of both in each such place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from intarsia.arrays import Ids, Labels
from intarsia.examce.criteria.protocol import Criterion, Partition, count_clusters


class Meetings(NamedTuple):
    """The pairs of a cluster of ours and one of theirs that have points in common, and how many points."""

    ours: Ids
    theirs: Ids
    n_points: Ids

    @property
    def share_together(self) -> float:
        """The share of the points that are in the cluster of theirs that most of their cluster is in."""
        most = np.zeros(self.ours.max() + 1, dtype=np.int64)
        np.maximum.at(most, self.ours, self.n_points)
        return float(most.sum() / self.n_points.sum())


class Place(NamedTuple):
    """Clusters of ours and of theirs that hold the same points, and no fewer of them do."""

    ours: Ids
    theirs: Ids


def meetings_of(ours: Labels, theirs: Labels) -> Meetings:
    """Return which clusters of two partitions meet."""
    k = count_clusters(theirs)
    pairs, n_points = np.unique(ours.astype(np.int64) * k + theirs, return_counts=True)
    return Meetings(pairs // k, pairs % k, n_points)


def few_differences(meetings: Meetings, most: float) -> list[Place] | None:
    """Return the places where two partitions differ, None if more than `most` of our clusters are in them."""
    a, b = meetings.ours, meetings.theirs
    is_shared = (np.bincount(a)[a] == 1) & (np.bincount(b)[b] == 1)
    a, b = a[~is_shared], b[~is_shared]
    if len(np.unique(a)) > most:
        return None
    place = _connected(a, b)
    return [Place(np.unique(a[place == p]), np.unique(b[place == p])) for p in np.unique(place)]


def _connected(a: Ids, b: Ids) -> Ids:
    """Number the meetings of clusters so that those that share one, by others in between, have the same."""
    place = np.arange(len(a))
    while True:
        before = place
        for clusters in (a, b):
            lowest = np.full(clusters.max(initial=-1) + 1, len(a))
            np.minimum.at(lowest, clusters, place)
            place = lowest[clusters]
        if np.array_equal(place, before):
            return place


def cross(best: Partition, other: Partition, places: list[Place], criterion: Criterion) -> Partition:
    """Return the best partition with the other's clusters where as many of them cost less."""
    for place in places:
        if len(place.ours) == len(place.theirs):
            crossed = criterion.partition(_with_theirs(best.labels, other.labels, place))
            best = crossed if crossed.cost < best.cost else best
    return best


def _with_theirs(ours: Labels, theirs: Labels, place: Place) -> Labels:
    labels, here = ours.copy(), np.isin(ours, place.ours)
    labels[here] = place.ours[np.searchsorted(place.theirs, theirs[here])]
    return labels
