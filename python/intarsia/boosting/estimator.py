"""Boost-clustering and bagg-clustering as scikit-learn estimators."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia.arrays import Floats, Labels, Points
from intarsia.boosting.committee import votes_of
from intarsia.boosting.fitting import BaggingFit, BoostFit, RoundsFit
from intarsia.boosting.judge import Judge
from intarsia.executor import resolve_threads


class RoundsClusterer(ClusterMixin, BaseEstimator, RoundsFit):  # type: ignore[misc]
    """What makes rounds scikit-learn's: its checks, and new points asked about."""

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        points = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], order="C")
        return np.ascontiguousarray(points)

    def predict(self, X: ArrayLike) -> Labels:
        """Return the cluster of each point, by the stored rounds alone; a training point gets its label.

        Rounds vote as they did on the training points. With a consensus function a point goes with the
        training points that most rounds, by weight, put into its clusters.
        """
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        threads = resolve_threads(self.n_threads)
        if not self._seats:
            return np.zeros(len(points), dtype=np.int32)
        if self._elects:
            return votes_of(points, self._seats, int(self.n_clusters), threads).leaders()
        return self._row_labels.label(self._round_labels(points, threads), threads)

    def _round_labels(self, points: Points, threads: int) -> Labels:
        judge = Judge(points, 1, self.quality, self.log_base, threads)
        return np.column_stack([judge.look_at(seat.hypothesis).labels for seat in self._seats])

    @available_if(lambda self: self._elects)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the aggregated memberships of each point; rows sum to 1. There are none without a vote."""
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        if not self._seats:
            return np.ones((len(points), 1))
        return votes_of(points, self._seats, int(self.n_clusters), resolve_threads(self.n_threads)).shares()


class BoostClustering(RoundsClusterer, BoostFit):
    """Boost-clustering: rounds of a simple clusterer, each drawn by what the rounds before did badly.

    Every round draws a replicate of the points by their weights, clusters it, and judges all points by their
    memberships; points that are badly clustered gain weight. The rounds vote by memberships, the better ones
    with more weight (Frossyniotis, Likas and Stafylopatis, 2004).

    Parameters
    ----------
    n_clusters : int
        Number of clusters; 1 is one cluster, without any rounds.
    base : str or clusterer
        What clusters a replicate: a name among `intarsia.base.registry.BASES` or a scikit-learn clusterer.
        Where it takes weights, points drawn several times are given once, weighted. Memberships come from its
        centres (inversely proportional to the distance); without centres from itself, if it is soft, else
        from its labels: the quality index then sees nothing wrong anywhere, and boosting is bagging.
    quality : {"minmax", "entropy"} or callable
        How badly a point is clustered: 1 - largest + smallest membership, or the entropy of its memberships,
        or a function of the memberships (n_samples, n_clusters) that gives a number >= 0 for each point.
    max_rounds : int
        Most rounds.
    stop : bool
        Stop early: when the pseudoloss is above one half, or has been below its largest value three rounds
        running. Without it all rounds are made; those with a pseudoloss above one half do not count.
    log_base : float, optional
        Base of the entropy's logarithm; by default the number of clusters, so that it lies in [0, 1]. With e,
        as printed, it exceeds 1 for more than two clusters and the first round may stop everything.
    votes : {"beta", "equal"}
        What a round's vote weighs: log beta, or 1.
    aggregate : str or callable
        "vote", or a consensus function: a name among `intarsia.consensus.METHODS`, or a function of an
        `Ensemble` and a number of clusters that returns labels.
    aggregate_params : mapping, optional
        Options of the consensus function.
    round_clusters : int, optional
        Clusters of a round where a consensus function aggregates them. Many small ones let evidence
        accumulation find clusters of any shape: by default the square root of the number of points (at most
        half of the distinct ones, at least n_clusters). Votes are among n_clusters.
    keep_weights : bool
        Keep weights and draws of every round.
    random_state : int, RandomState, Generator or None
        Seed of draws and starts.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    executor : Executor, optional
        Who computes what can be done side by side; the result does not depend on it.
    callback : callable, optional
        Called with the number of rounds done.

    Attributes
    ----------
    labels_ : int32 array of shape (n_samples,)
    rounds_ : tuple of Round
        Every round, also one that ended the boosting without being used: pseudoloss, beta, weights, sizes,
        centres, failures.
    n_rounds_ : int
        Rounds that are used.
    stop_reason_ : str
        Why there were no more.
    ensemble_ : Ensemble
        The rounds in use as hard members, weighed as in the vote.
    weights_history_, draws_history_ : arrays of shape (n rounds, n_samples)
        With `keep_weights`: the weights by which each round was drawn, and how often it drew each point.
    """


class BaggingClustering(RoundsClusterer, BaggingFit):
    """Bagg-clustering: rounds of a simple clusterer, each on a replicate drawn with equal weights.

    The rounds are independent of each other and computed side by side. They are judged and vote as in
    `BoostClustering`; there is no rule to stop.

    Parameters
    ----------
    n_rounds : int
        Number of rounds.
    n_clusters, base, quality, log_base, votes, aggregate, aggregate_params, round_clusters, keep_weights
        As in `BoostClustering`, and so are `random_state`, `n_threads`, `executor` and `callback`.

    Attributes
    ----------
    labels_, rounds_, n_rounds_, stop_reason_, ensemble_, weights_history_, draws_history_
        As in `BoostClustering`.
    """
