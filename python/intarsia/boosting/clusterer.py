"""What boosting and bagging have in common: checks, rounds aggregated, new points asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points
from intarsia.base.registry import base_clusterer
from intarsia.boosting.aggregate import VOTE, Aggregate, check_aggregate, combine_rounds
from intarsia.boosting.committee import Votes, votes_of
from intarsia.boosting.judge import Judge
from intarsia.boosting.quality import Quality, check_quality
from intarsia.boosting.round_fit import RoundTask
from intarsia.boosting.rounds import Rounds
from intarsia.boosting.stopping import ONE_CLUSTER
from intarsia.ensemble import Ensemble
from intarsia.ensemble.row_labels import RowLabels
from intarsia.executor import Executor, resolve_threads, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.validation import check_distinct, check_n_clusters, check_option, check_spread

VOTES = ("beta", "equal")


def default_round_clusters(points: Points) -> int:
    """Return the clusters of a round: the root of n, at most half the distinct points."""
    root = isqrt(len(points))
    return min(root, _core.count_distinct(points, 2 * root) // 2)


class RoundsClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """A clusterer made of rounds; `_run` says how they come about."""

    n_clusters: int
    base: Any
    quality: str | Quality
    log_base: float | None
    votes: str
    aggregate: str | Aggregate
    aggregate_params: Mapping[str, Any] | None
    round_clusters: int | None
    keep_weights: bool
    random_state: Any
    n_threads: int | None
    executor: Executor | None
    callback: Callable[[int], None] | None

    def fit(self, X: ArrayLike, y: object = None) -> RoundsClusterer:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points, float64 or float32.
        y : ignored
        """
        points = self._validate(X, reset=True)
        threads = resolve_threads(self.n_threads)
        executor = use_executor(self.executor, threads)
        check_same_fit(executor, self, X=points)
        clusters = self._check(points)
        seed = agreed_seed(self.random_state, executor)
        if int(self.n_clusters) == 1:
            self._keep_one_cluster(len(points))
            return self
        judge = Judge(points, clusters, self.quality, self.log_base, threads)
        ballot = Votes(len(points), int(self.n_clusters), threads) if self._elects else None
        rounds = Rounds(judge, ballot, equal_votes=self.votes == "equal", keep_weights=self.keep_weights)
        task = RoundTask(points, base_clusterer(self.base), clusters, seed, threads)
        self.stop_reason_ = self._run(task, judge, rounds, executor)
        rounds.finish()
        self._keep(rounds, seed, threads, executor)
        return self

    def _run(self, task: RoundTask, judge: Judge, rounds: Rounds, executor: Executor) -> str:
        raise NotImplementedError

    @property
    def _elects(self) -> bool:
        return not callable(self.aggregate) and self.aggregate == VOTE

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        points = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], order="C")
        return np.ascontiguousarray(points)

    def _check(self, points: Points) -> int:
        """Check the parameters; return how many clusters a round makes."""
        wanted = check_n_clusters(self.n_clusters, len(points))
        check_quality(self.quality, self.log_base)
        check_option("votes", self.votes, VOTES)
        check_aggregate(self.aggregate, self.aggregate_params)
        if self.round_clusters is None:
            clusters = wanted if self._elects else max(wanted, default_round_clusters(points))
        elif self._elects:
            raise ValueError("round_clusters is for consensus functions: a vote is among n_clusters.")
        else:
            clusters = check_n_clusters(self.round_clusters, len(points), "round_clusters")
        check_spread(points, None)
        check_distinct(points, None, max(wanted, clusters))
        return clusters

    def _keep(self, rounds: Rounds, seed: int, threads: int, executor: Executor) -> None:
        self.rounds_ = tuple(rounds.records)
        self.n_rounds_ = len(rounds.seats)
        self.ensemble_ = rounds.ensemble()
        self._seats = tuple(rounds.seats)
        if self.keep_weights:
            self.weights_history_ = np.array(rounds.weights)
            self.draws_history_ = np.array(rounds.counts, dtype=np.int32)
        if rounds.votes is not None:
            self.labels_ = rounds.votes.leaders()
            return
        found = combine_rounds(
            self.ensemble_,
            int(self.n_clusters),
            self.aggregate,
            self.aggregate_params,
            seed=seed,
            n_threads=threads,
            executor=executor,
        )
        rows = np.column_stack(rounds.labels)
        self._row_labels = RowLabels(rows, found, self.ensemble_.member_weights)
        self.labels_ = self._row_labels.label(rows, threads)

    def _keep_one_cluster(self, n: int) -> None:
        self.labels_ = np.zeros(n, dtype=np.int32)
        self.rounds_, self.n_rounds_, self._seats = (), 0, ()
        self.ensemble_ = Ensemble.from_labels([self.labels_])
        self.stop_reason_ = ONE_CLUSTER
        if self.keep_weights:
            self.weights_history_ = np.empty((0, n))
            self.draws_history_ = np.empty((0, n), dtype=np.int32)

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
