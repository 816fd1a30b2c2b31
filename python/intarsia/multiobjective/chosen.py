"""From chosen clusters to labels: who is in several of them, who in none, and where new points go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.arrays import Floats, Ids, Labels, Members, Points
from intarsia.multiobjective.candidates import Candidate


@dataclass(frozen=True, eq=False)
class ChosenCluster:
    """One cluster of the answer.

    Attributes
    ----------
    members : int32 array
        The points that its algorithm put there, ascending.
    algorithm : str
        Who found it.
    parameters : mapping
        With which parameters.
    goodness : float
        How stable it is: mean NMI over the resamples.
    """

    members: Members
    algorithm: str
    parameters: Mapping[str, Any]
    goodness: float

    @property
    def size(self) -> int:
        """Number of its points."""
        return len(self.members)

    @classmethod
    def of(cls, candidate: Candidate) -> ChosenCluster:
        """Return what users may know of a candidate."""
        found_by = candidate.instance
        return cls(candidate.members, found_by.algorithm, found_by.parameters, candidate.goodness)


def by_first_point(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates in the order in which clusters are numbered."""
    return sorted(candidates, key=lambda candidate: candidate.members[0])


def best_clusters(inside: Any, goodness: Floats) -> Labels:
    """Return, for rows of who is in which cluster, the best of their clusters; -1 for none.

    Of equally good clusters the first one counts.
    """
    order = np.argsort(-goodness, kind="stable")
    first = inside[:, order].argmax(axis=1)
    return np.where(inside.any(axis=1), order[first], -1).astype(np.int32)


def memberships(clusters: Sequence[Members], n: int) -> Any:
    """Return a table of points by clusters."""
    inside = np.zeros((n, len(clusters)), dtype=bool)
    for c, members in enumerate(clusters):
        inside[members, c] = True
    return inside


def centres(X: Points, labels: Labels, k: int) -> Floats:
    """Return the means of the clusters; one that lost all of its points to others is nowhere near."""
    sizes = np.bincount(labels[labels >= 0], minlength=k)
    sums = np.zeros((k, X.shape[1]))
    np.add.at(sums, labels[labels >= 0], X[labels >= 0].astype(np.float64))
    means = sums / np.maximum(sizes, 1)[:, None]
    means[sizes == 0] = np.inf
    return means


def assigned(X: Points, labels: Labels, means: Floats) -> Labels:
    """Return labels in which points of no cluster have that of the nearest mean."""
    left: Ids = np.flatnonzero(labels < 0)
    known = np.flatnonzero(np.isfinite(means).all(axis=1))
    squares = ((X[left, None, :].astype(np.float64) - means[known]) ** 2).sum(axis=2)
    filled = labels.copy()
    filled[left] = known[squares.argmin(axis=1)] if len(left) else []
    return filled
