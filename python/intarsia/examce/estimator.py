"""EXAMCE as a scikit-learn estimator."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base.estimators import CentroidClusterer
from intarsia.examce.base_stage import check_base
from intarsia.examce.checkpoint import Checkpoints, begin_checkpoints, open_checkpoints
from intarsia.examce.cover_result import Clock
from intarsia.examce.criteria import Mssc
from intarsia.examce.loop import run_examce
from intarsia.examce.result import ExamceResult
from intarsia.examce.settings import EFFORTS, ExamceSettings, kernel_threads
from intarsia.examce.shards import make_shard, take_shards
from intarsia.examce.sizes import check_sizes
from intarsia.examce.state import Callback, ExamceState
from intarsia.executor import Executor, make_executor, resolve_threads
from intarsia.validation import (
    check_count,
    check_distinct,
    check_n_clusters,
    check_option,
    check_positive,
    check_seconds,
    check_spread,
    check_weights,
    seed_from,
)


class Examce(CentroidClusterer):
    """Recombine the clusters of many base runs by exact covering into one better partition.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    criterion : {"mssc"}
        What is minimised: the sum of squared distances to the cluster means.
    effort : {"paper", "default", "high"}
        The paper's loop alone (above 40 clusters windows of clusters are covered too, by "auto"), or followed
        by the intensified search. Effort counts work, not seconds: the same seed gives the same bits for any
        number of threads.
    time_limit : float, optional
        Seconds of wall clock, for people in a hurry; ``status_`` says when the clock ended the run.
    base : {"kmeans", "hk-means", "random-swap"} or clusterer
        Base clusterer; any scikit-learn clusterer with ``fit_predict`` (given the weights, if it takes them).
    n_base_runs : int, optional
        Base runs in all; by default 150, fewer on large data.
    bracket : int, optional
        Base runs have n_clusters ± bracket clusters; by default a tenth of n_clusters.
    solver : {"auto", "highs", "lp"}
        Of the cover: bound, fixing and HiGHS on what is left; the whole pool to HiGHS; the paper's LPMCE.
    tau : int
        Each cluster is expanded by its 1…tau nearest non-members and shrunk by its 1…tau farthest members.
    min_size, max_size : int, optional
        Least and largest number of points of positive weight in a cluster.
    init_partitions : sequence of label arrays, optional
        Your own partitions; their clusters join the pool (−1: point left out).
    random_state : int, RandomState, Generator or None
        Seed.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    callback : callable, optional
        Called with (stage, steps done, steps in all, best cost so far).
    checkpoint : path, optional
        Folder for checkpoints: a run that was killed goes on from the newest one and ends with the same bits.
    checkpoint_every : float
        Seconds between two checkpoints at least.
    resume : bool
        Go on from the newest checkpoint in the folder; start anew where there is none.

    Attributes
    ----------
    labels_, cluster_centers_, inertia_
        The best partition.
    best_base_inertia_ : float
        Cost of the best base run with n_clusters clusters; where none was within the size limits, of the best
        one brought within them, and where none had n_clusters clusters, of a run of HK-means made instead.
    pool_bound_ : float
        Lower bound on covers from the last pool. It is no bound on the clustering problem.
    status_ : str
        "done", "time_limit" or "interrupted".
    n_rounds_, n_columns_, history_, result_
        Covers solved, pool size, one entry per cover, and all of it as an `ExamceResult`.
    """

    _checkpoints: Checkpoints | None

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        criterion: str = "mssc",
        effort: str = "default",
        time_limit: float | None = None,
        base: Any = "kmeans",
        n_base_runs: int | None = None,
        bracket: int | None = None,
        solver: str = "auto",
        tau: int = 10,
        min_size: int | None = None,
        max_size: int | None = None,
        init_partitions: Sequence[ArrayLike] | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        callback: Callback | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float = 60.0,
        resume: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.criterion = criterion
        self.effort = effort
        self.time_limit = time_limit
        self.base = base
        self.n_base_runs = n_base_runs
        self.bracket = bracket
        self.solver = solver
        self.tau = tau
        self.min_size = min_size
        self.max_size = max_size
        self.init_partitions = init_partitions
        self.random_state = random_state
        self.n_threads = n_threads
        self.callback = callback
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Examce:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points; the search works in float64.
        y : ignored
        sample_weight : array of shape (n_samples,), optional
            Weights >= 0; points of weight 0 follow their nearest centre.
        """
        points, state = self._start(X, sample_weight)
        self._keep(self._run(state), points, sample_weight, state.executor.n_threads)
        return self

    def fit_shard(
        self,
        X: ArrayLike,
        folder: str | os.PathLike[str],
        index: int,
        n_shards: int,
        *,
        sample_weight: ArrayLike | None = None,
        request: dict[str, Any] | None = None,
    ) -> Path:
        """Make share `index` of 1…n of the base runs and write it to a folder; see `fit_from_shards`.

        Returns
        -------
        Path
            The file, `shard-I-of-N.npz`; `request` is kept in it for whoever puts the shards together.
        """
        _, state = self._start(X, sample_weight)
        return make_shard(state, Path(folder), index, n_shards, request or {})

    def fit_from_shards(
        self, X: ArrayLike, folder: str | os.PathLike[str], sample_weight: ArrayLike | None = None
    ) -> Examce:
        """Cluster the points from base runs that other jobs made: the same answer as `fit`."""
        points, state = self._start(X, sample_weight)
        take_shards(state, Path(folder))
        self._keep(self._run(state), points, sample_weight, state.executor.n_threads)
        return self

    def _start(self, X: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Floats, ExamceState]:
        points = np.ascontiguousarray(self._validate(X, reset=True), dtype=np.float64)
        executor = make_executor(resolve_threads(self.n_threads))
        return points, self.start_state(points, sample_weight, executor)

    def start_state(self, points: Floats, sample_weight: ArrayLike | None, executor: Executor) -> ExamceState:
        """Return a search that has not begun, for whoever wants to watch or steer it step by step."""
        settings = executor.agree(self._settings(len(points)))  # a drawn seed must be everybody's
        weights = check_weights(sample_weight, len(points))
        check_spread(points, weights)
        check_distinct(points, weights, settings.n_clusters)
        heavy = _heavy_points(weights)
        X, w = points, weights
        if heavy is not None:
            X, w = np.ascontiguousarray(points[heavy]), np.ascontiguousarray(weights[heavy])
        sizes = check_sizes(self.min_size, self.max_size, settings.n_clusters, len(X), heavy is None)
        given = () if self.init_partitions is None else self.init_partitions
        if not isinstance(given, Iterable):
            raise TypeError(f"init_partitions={given!r} should be a sequence of label arrays.")
        partitions = [_own_partition(p, len(points), heavy) for p in given]
        criterion = Mssc(X, w if w.size else None, sizes, kernel_threads(len(X), executor.n_threads))
        clock = Clock(settings.time_limit)
        return ExamceState(criterion, settings, executor, clock, self.callback, partitions)

    def _run(self, state: ExamceState) -> ExamceResult:
        if self.checkpoint is None:
            return run_examce(state)
        every = check_positive("checkpoint_every", self.checkpoint_every)
        self._checkpoints = open_checkpoints(state, Path(self.checkpoint), every, self.resume)
        try:
            begin_checkpoints(state, self._checkpoints)
            return run_examce(state)
        finally:
            if self._checkpoints is not None:
                self._checkpoints.try_to_save()
            del self._checkpoints

    def save_checkpoint(self) -> bool:
        """Write what a running fit has reached now, if anything; another thread may ask for it."""
        checkpoints = getattr(self, "_checkpoints", None)
        return checkpoints is not None and checkpoints.save()

    def _settings(self, n_samples: int) -> ExamceSettings:
        check_option("criterion", self.criterion, ("mssc",))
        check_option("effort", self.effort, tuple(EFFORTS))
        check_option("solver", self.solver, ("auto", "highs", "lp"))
        check_base(self.base)
        if self.callback is not None and not callable(self.callback):
            raise TypeError(f"callback={self.callback!r} should be callable or None.")
        return ExamceSettings(
            n_clusters=check_n_clusters(self.n_clusters, n_samples),
            effort=EFFORTS[self.effort],
            n_base_runs=None if self.n_base_runs is None else check_count("n_base_runs", self.n_base_runs),
            bracket=None if self.bracket is None else check_count("bracket", self.bracket, least=0),
            base=self.base,
            solver=self.solver,  # type: ignore[arg-type]
            tau=check_count("tau", self.tau, least=0),
            time_limit=check_seconds("time_limit", self.time_limit),
            seed=seed_from(self.random_state),
        )

    def _keep(
        self, result: ExamceResult, points: Floats, sample_weight: ArrayLike | None, n_threads: int
    ) -> None:
        self.labels_ = result.labels
        heavy = _heavy_points(check_weights(sample_weight, len(points)))
        if heavy is not None:
            self.labels_ = _core.assign_to_centres(points, np.empty(0), result.centers, n_threads)[0]
            self.labels_[heavy] = result.labels
        self.cluster_centers_ = result.centers
        self.inertia_ = result.cost
        self.best_base_inertia_ = result.best_base_cost
        self.pool_bound_ = result.pool_bound
        self.status_ = result.status
        self.n_rounds_ = result.n_rounds
        self.n_columns_ = result.n_columns
        self.history_ = list(result.history)
        self.result_ = result


def _heavy_points(weights: Floats) -> NDArray[np.bool_] | None:
    """Mark the points that the search sees, those of positive weight; None when it sees all."""
    return weights > 0 if (weights == 0).any() else None


def _own_partition(partition: ArrayLike, n_samples: int, heavy: NDArray[np.bool_] | None) -> Labels:
    labels = np.asarray(partition)
    if labels.shape != (n_samples,):
        raise ValueError(f"init_partitions: shape={labels.shape} should be ({n_samples},).")
    if labels.dtype.kind not in "iufb":
        raise TypeError(f"init_partitions: labels of type {labels.dtype} should be numbers.")
    if heavy is not None:
        labels = labels[heavy]
    inside = labels >= 0
    numbered = np.full(len(labels), -1, dtype=np.int32)
    numbered[inside] = np.unique(labels[inside], return_inverse=True)[1]
    return numbered
