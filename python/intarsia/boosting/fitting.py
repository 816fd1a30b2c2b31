"""Boosting and bagging from points to labels, as plain classes: fitting does not wait for scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from inspect import signature
from math import isqrt
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Points
from intarsia.base.registry import base_clusterer
from intarsia.boosting.aggregate import VOTE, Aggregate, check_aggregate, combine_rounds
from intarsia.boosting.committee import Votes
from intarsia.boosting.judge import Judge
from intarsia.boosting.loop import bag, boost
from intarsia.boosting.quality import Quality, check_quality
from intarsia.boosting.round_fit import RoundTask
from intarsia.boosting.rounds import Rounds
from intarsia.boosting.stopping import ONE_CLUSTER
from intarsia.ensemble import Ensemble
from intarsia.ensemble.row_labels import RowLabels
from intarsia.executor import Executor, executor_for_runs, resolve_threads, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.validation import (
    check_count,
    check_distinct,
    check_n_clusters,
    check_option,
    check_points,
    check_spread,
)

VOTES = ("beta", "equal")

Self = TypeVar("Self", bound="RoundsFit")


def default_round_clusters(points: Points) -> int:
    """Return the clusters of a round: the root of n, at most half the distinct points."""
    root = isqrt(len(points))
    return min(root, _core.count_distinct(points, 2 * root) // 2)


@dataclass(eq=False, repr=False)  # its `__init__` keeps what was asked, as scikit-learn wants it
class RoundsFit:
    """A clusterer made of rounds; `_run` says how they come about."""

    n_clusters: int = 8
    _: KW_ONLY
    base: Any = "kmeans"
    quality: str | Quality = "minmax"
    log_base: float | None = None
    votes: str = "beta"
    aggregate: str | Aggregate = VOTE
    aggregate_params: Mapping[str, Any] | None = None
    round_clusters: int | None = None
    keep_weights: bool = False
    random_state: Any = None
    n_threads: int | None = None
    executor: Executor | None = None
    callback: Callable[[int], None] | None = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what was asked, by name."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def fit(self: Self, X: ArrayLike, y: object = None) -> Self:
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
        return check_points(X, (np.float64, np.float32))

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


@dataclass(eq=False, repr=False, kw_only=True)
class BoostFit(RoundsFit):
    """What `BoostClustering` is asked, and its rounds."""

    max_rounds: int = 20
    stop: bool = True

    def _run(self, task: RoundTask, judge: Judge, rounds: Rounds, executor: Executor) -> str:
        return boost(task, judge, rounds, int(self.max_rounds), bool(self.stop), self.callback)

    def _check(self, points: Points) -> int:
        check_count("max_rounds", self.max_rounds)
        return super()._check(points)


@dataclass(eq=False, repr=False, kw_only=True)
class BaggingFit(RoundsFit):
    """What `BaggingClustering` is asked, and its rounds."""

    n_rounds: int = 10

    def _run(self, task: RoundTask, judge: Judge, rounds: Rounds, executor: Executor) -> str:
        # rounds side by side, one thread each, where they keep all busy
        who, inside = executor_for_runs(int(self.n_rounds), task.n_threads, executor)
        return bag(replace(task, n_threads=inside), judge, rounds, int(self.n_rounds), who, self.callback)

    def _check(self, points: Points) -> int:
        check_count("n_rounds", self.n_rounds)
        return super()._check(points)
