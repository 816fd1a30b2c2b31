"""The aggregate of the rounds: memberships weighed by log beta, clusters renamed to match those before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points
from intarsia.boosting.hypothesis import Hypothesis
from intarsia.metrics.matching import best_names

#: Least weight of a vote: rounds whose log beta is 0 are heard where there are no others.
LEAST_VOTE = 1e-12


@dataclass(frozen=True, eq=False)
class Seat:
    """A round's place among the others: its hypothesis, the names of its clusters, the weight of its vote."""

    hypothesis: Hypothesis
    names: Labels | None
    vote: float


class Votes:
    """Weighted memberships of some points, one round after another."""

    def __init__(self, n_samples: int, n_clusters: int, n_threads: int) -> None:
        self._sums = np.zeros((n_samples, n_clusters))
        self._leaders: Labels = np.zeros(n_samples, dtype=np.int32)
        self._total = 0.0
        self._n_threads = n_threads

    def names_for(self, labels: Labels, n_found: int) -> Labels:
        """Return what a round's clusters are to be called: one to one by most shared points."""
        n_clusters = self._sums.shape[1]
        if self._total == 0:
            if n_found > n_clusters:
                raise ValueError(
                    f"the base clusterer found {n_found} clusters, but the vote is among {n_clusters}: "
                    "aggregate='eac' or another consensus function takes any number."
                )
            return np.arange(n_found, dtype=np.int32)
        rows, columns, counts = _core.contingency(
            labels, self._leaders, None, n_found, n_clusters, self._n_threads
        )
        overlap = np.zeros((n_found, n_clusters))
        overlap[rows, columns] = counts
        return best_names(overlap)

    def add(self, memberships: Floats, names: Labels, vote: float) -> None:
        """Count a round's votes."""
        self._leaders = _core.add_votes(self._sums, memberships, names, vote, self._n_threads)
        self._total += vote

    def leaders(self) -> Labels:
        """Return the cluster of most votes of each point, the first of equal ones."""
        return self._leaders

    def shares(self) -> Floats:
        """Return the aggregated memberships; rows sum to 1."""
        shares: Floats = self._sums / self._total
        return shares


def votes_of(X: Points, seats: Sequence[Seat], n_clusters: int, n_threads: int) -> Votes:
    """Let stored rounds vote on any points, in the order in which they voted on the training points."""
    votes = Votes(len(X), n_clusters, n_threads)
    for seat in seats:
        assert seat.names is not None
        memberships = seat.hypothesis.memberships(X, n_threads)
        names = np.ascontiguousarray(seat.names[: memberships.shape[1]])  # clusters not found have no column
        votes.add(memberships, names, seat.vote)
    return votes
