"""Boost-clustering and bagg-clustering as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from intarsia.arrays import Points
from intarsia.boosting.aggregate import VOTE, Aggregate
from intarsia.boosting.clusterer import RoundsClusterer
from intarsia.boosting.judge import Judge
from intarsia.boosting.loop import bag, boost
from intarsia.boosting.quality import Quality
from intarsia.boosting.round_fit import RoundTask
from intarsia.boosting.rounds import Rounds
from intarsia.executor import Executor, executor_for_runs
from intarsia.validation import check_count


class BoostClustering(RoundsClusterer):
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

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        base: Any = "kmeans",
        quality: str | Quality = "minmax",
        max_rounds: int = 20,
        stop: bool = True,
        log_base: float | None = None,
        votes: str = "beta",
        aggregate: str | Aggregate = VOTE,
        aggregate_params: Mapping[str, Any] | None = None,
        round_clusters: int | None = None,
        keep_weights: bool = False,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
        callback: Callable[[int], None] | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.base = base
        self.quality = quality
        self.max_rounds = max_rounds
        self.stop = stop
        self.log_base = log_base
        self.votes = votes
        self.aggregate = aggregate
        self.aggregate_params = aggregate_params
        self.round_clusters = round_clusters
        self.keep_weights = keep_weights
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor
        self.callback = callback

    def _run(self, task: RoundTask, judge: Judge, rounds: Rounds, executor: Executor) -> str:
        return boost(task, judge, rounds, int(self.max_rounds), bool(self.stop), self.callback)

    def _check(self, points: Points) -> int:
        check_count("max_rounds", self.max_rounds)
        return super()._check(points)


class BaggingClustering(RoundsClusterer):
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

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        base: Any = "kmeans",
        quality: str | Quality = "minmax",
        n_rounds: int = 10,
        log_base: float | None = None,
        votes: str = "beta",
        aggregate: str | Aggregate = VOTE,
        aggregate_params: Mapping[str, Any] | None = None,
        round_clusters: int | None = None,
        keep_weights: bool = False,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
        callback: Callable[[int], None] | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.base = base
        self.quality = quality
        self.n_rounds = n_rounds
        self.log_base = log_base
        self.votes = votes
        self.aggregate = aggregate
        self.aggregate_params = aggregate_params
        self.round_clusters = round_clusters
        self.keep_weights = keep_weights
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor
        self.callback = callback

    def _run(self, task: RoundTask, judge: Judge, rounds: Rounds, executor: Executor) -> str:
        # rounds side by side, one thread each, where they keep all busy
        who, inside = executor_for_runs(int(self.n_rounds), task.n_threads, executor)
        return bag(replace(task, n_threads=inside), judge, rounds, int(self.n_rounds), who, self.callback)

    def _check(self, points: Points) -> int:
        check_count("n_rounds", self.n_rounds)
        return super()._check(points)
