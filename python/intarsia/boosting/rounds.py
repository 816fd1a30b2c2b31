"""What a fit keeps of its rounds: the record of each, its seat in the vote, its labels."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np

from intarsia.arrays import Floats, Ids, Labels
from intarsia.boosting.committee import LEAST_VOTE, Seat, Votes
from intarsia.boosting.judge import Judge, View
from intarsia.boosting.round_fit import RoundFit
from intarsia.boosting.stopping import beta_of
from intarsia.ensemble import Ensemble


@dataclass(frozen=True, eq=False)
class Round:
    """One round.

    Attributes
    ----------
    number : int
        From 1.
    epsilon, beta : float
        Pseudoloss, and (1 - epsilon) / epsilon.
    used : bool
        False where the pseudoloss is above one half.
    vote : float
        Weight of its vote: log beta, or 1 with equal votes; 0 where it is not used.
    n_drawn : int
        Different points in its replicate.
    least_weight, largest_weight : float
        Of the points, as its replicate was drawn; all together are 1.
    effective_points : float
        1 / sum of squared weights: so many points of equal weight are as uneven.
    sizes : int array of shape (n_clusters,)
        Points of each of its clusters.
    centers : array of shape (n_clusters, n_features) or None
        Where its clusters have centres.
    names : int32 array of shape (n_clusters,) or None
        What its clusters are called in the vote; None without one.
    failures : tuple of str
        Why earlier replicates of this round came to nothing.
    """

    number: int
    epsilon: float
    beta: float
    used: bool
    vote: float
    n_drawn: int
    least_weight: float
    largest_weight: float
    effective_points: float
    sizes: Ids
    centers: Floats | None
    names: Labels | None
    failures: tuple[str, ...]


class Rounds:
    """Rounds as they come in.

    Parameters
    ----------
    judge : Judge
        Of the points.
    votes : Votes or None
        The aggregate so far; None where the rounds are only collected.
    equal_votes : bool
        Whether every vote weighs 1 instead of log beta.
    keep_weights : bool
        Whether weights and draws of every round are kept.
    """

    def __init__(self, judge: Judge, votes: Votes | None, *, equal_votes: bool, keep_weights: bool) -> None:
        self.records: list[Round] = []
        self.seats: list[Seat] = []
        self.labels: list[Labels] = []
        self.weights: list[Floats] = []
        self.counts: list[Floats] = []
        self.votes = votes
        self._judge = judge
        self._equal_votes = equal_votes
        self._keep_weights = keep_weights
        self._first: RoundFit | None = None

    def add(self, fit: RoundFit, view: View, epsilon: float, weights: Floats) -> None:
        """Record a round, and let it vote where its pseudoloss is not above one half."""
        beta = beta_of(epsilon)
        used = epsilon <= 0.5
        vote = 0.0 if not used else 1.0 if self._equal_votes else max(beta.log, LEAST_VOTE)
        names = self._vote(fit, view, vote) if used else None
        record = Round(
            number=len(self.records) + 1,
            epsilon=epsilon,
            beta=beta.value,
            used=used,
            vote=vote,
            n_drawn=int(np.count_nonzero(fit.counts)),
            least_weight=float(weights.min()),
            largest_weight=float(weights.max()),
            effective_points=float(1 / (weights @ weights)),
            sizes=view.sizes(),
            centers=fit.hypothesis.centers,
            names=names,
            failures=fit.failures,
        )
        self._first = self._first or fit
        self.records.append(record)
        if self._keep_weights:
            self.weights.append(weights)
            self.counts.append(fit.counts)

    def finish(self) -> None:
        """Make the first round the answer where none could be used."""
        if self.seats:
            return
        assert self._first is not None
        first = self.records[0]
        warnings.warn(
            f"the pseudoloss of round 1 is {first.epsilon:.3g}, above one half: the answer is that round's "
            "partition.",
            stacklevel=4,
        )
        names = self._vote(self._first, self._judge.look_at(self._first.hypothesis), 1.0)
        self.records[0] = replace(first, used=True, vote=1.0, names=names)

    def ensemble(self) -> Ensemble:
        """Return the rounds in use as members, weighed as in the vote."""
        return Ensemble.from_labels(self.labels, member_weights=[seat.vote for seat in self.seats])

    def _vote(self, fit: RoundFit, view: View, vote: float) -> Labels | None:
        names = None
        if self.votes is not None:
            names = self.votes.names_for(view.labels, view.n_clusters)
            self.votes.add(view.memberships, names, vote)
        self.seats.append(Seat(fit.hypothesis, names, vote))
        self.labels.append(view.labels)
        return names
