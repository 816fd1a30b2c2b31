"""EXAMCE as a scikit-learn estimator."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.base.centroid_clusterer import CentroidClusterer
from intarsia.clock import Clock
from intarsia.examce.criteria import find_criterion
from intarsia.examce.criteria.protocol import Criterion, Data
from intarsia.examce.loop import run_examce
from intarsia.examce.settings import (
    EFFORTS,
    ExamceSettings,
    check_counts,
    choose_base,
    heavy_points,
    kernel_threads,
    limit_sizes,
    own_partitions,
)
from intarsia.examce.state import Callback, ExamceResult, ExamceState
from intarsia.executor import Executor, resolve_threads, use_executor
from intarsia.executor.choose import check_same_fit
from intarsia.validation import (
    check_count,
    check_option,
    check_positive,
    check_seconds,
    check_weights,
    seed_from,
)

if TYPE_CHECKING:
    from intarsia.examce.checkpoint.files import Checkpoints


def _has_representatives(model: Examce) -> bool:
    criterion = find_criterion(model.criterion)
    if not criterion.has_representatives:
        raise AttributeError(f"criterion={criterion.name!r} has no representatives to tell new points by.")
    return True


class StoppingCallback:
    """A callback that ends the search by returning True."""

    def __init__(self, callback: Callback) -> None:
        self._callback = callback
        self.stopped = False

    def __call__(self, stage: str, done: int, total: int, best_cost: float) -> None:
        """Pass on, and stop as Ctrl-C would if the answer is True."""
        if self._callback(stage, done, total, best_cost) is True:
            self.stopped = True
            raise KeyboardInterrupt


class Examce(CentroidClusterer):
    """Recombine the clusters of many base runs by exact covering into one better partition.

    Parameters
    ----------
    n_clusters : int, (int, int) or None
        Number of clusters; for criteria that choose it themselves the least and the most, or None for
        anything from 1 to the square root of the number of points.
    criterion : {"mssc", "entropy", "pmedian", "bic"}, Criterion or callable
        What is minimised: the sum of squared distances to the cluster means, the structural entropy of the
        clusters around every point, the sum of distances to medians, the Bayesian information criterion of
        spherical Gaussians; one of these with parameters, such as `PMedian(metric="manhattan")` or `Entropy`
        (`intarsia.examce.criteria.entropy`); or a function ``cost(X, members)`` of your own (see `own_cost`).
    effort : {"fast", "default", "high", "paper"}
        "fast" takes about as long as ten k-means++ starts, "default" goes on until searches that know nothing
        of each other agree, or until nothing was gained for several times as long as it took to come there;
        "high" asks for more agreement and waits for it; "paper" is the published loop alone. Effort
        counts work, not seconds: the same seed gives the same bits for any number of threads.
    time_limit : float, optional
        Seconds of wall clock, for people in a hurry: it cuts the search off, and ``status_`` says so.
    base : str or clusterer, optional
        Base clusterer: a name among `intarsia.base.registry.BASES`, or any scikit-learn clusterer with
        ``fit_predict`` (given the weights, if it takes them). By default the criterion's own: k-means.
    n_base_runs : int, optional
        Base runs before the search; by default 150 at effort "paper" and none at the others, whose search
        begins from k-means++ starts of its own. They are made, and recombined, where asked for.
    bracket : int, optional
        Base runs have n_clusters ± bracket clusters; by default a tenth of n_clusters.
    solver : {"auto", "highs", "lp"}
        Of the cover: bound, fixing and HiGHS on what is left; the whole pool to HiGHS; the paper's LPMCE.
    tau : int
        Each cluster is expanded by its 1…tau nearest non-members and shrunk by its 1…tau farthest members.
    min_size, max_size : int, optional
        Least and largest number of points of positive weight in a cluster; by default any, for entropy at
        least 0.4 n / k.
    init_partitions : sequence of label arrays, optional
        Your own partitions; their clusters join the pool (−1: point left out).
    random_state : int, RandomState, Generator or None
        Seed.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    executor : Executor, optional
        Who computes; by default these threads, on all ranks of an MPI job.
    verbose : int
        Above 0 a line is printed every second: what is being done, the best cost, what is left where known.
    callback : callable, optional
        Called with (stage, steps done, steps in all, best cost so far); the fit ends where it returns True.
    checkpoint : path, optional
        Folder for checkpoints: a run that was killed goes on from the newest one and ends with the same bits.
    checkpoint_every : float
        Seconds between two checkpoints at least.
    resume : bool
        Go on from the newest checkpoint in the folder; start anew where there is none.

    Attributes
    ----------
    labels_, cluster_centers_, inertia_
        The best partition, its representatives (where the criterion has them) and its cost.
    medoid_indices_
        Which points the medians are ("pmedian").
    bic_, n_clusters_
        The whole criterion with the answer's own variance, and how many clusters there are ("bic").
    best_base_inertia_ : float
        Cost of the best base run with n_clusters clusters, the starts of the search among them (k-means++ and
        single-point moves, before any swap); brought within the size limits where none was.
    pool_bound_ : float
        Lower bound on covers from the last pool. It is no bound on the clustering problem.
    status_ : str
        "done", "time_limit" or "interrupted" (by the callback, or by Ctrl-C: then `fit` raises
        KeyboardInterrupt once the best so far is kept here).
    n_rounds_, n_columns_, history_, result_
        Covers solved, pool size, one entry per cover, and all of it as an `ExamceResult`.
    """

    _checkpoints: Checkpoints | None
    _state: ExamceState
    medoid_indices_: Ids

    def __init__(
        self,
        n_clusters: int | tuple[int, int] | None = 8,
        *,
        criterion: Any = "mssc",
        effort: str = "default",
        time_limit: float | None = None,
        base: Any = None,
        n_base_runs: int | None = None,
        bracket: int | None = None,
        solver: str = "auto",
        tau: int = 10,
        min_size: int | None = None,
        max_size: int | None = None,
        init_partitions: Sequence[ArrayLike] | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
        verbose: int = 0,
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
        self.executor = executor
        self.verbose = verbose
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
        return self._finish(points, sample_weight, state)

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
        from intarsia.examce.checkpoint.shards import make_shard

        _, state = self._start(X, sample_weight)
        with self._watched(state):
            return make_shard(state, Path(folder), index, n_shards, request or {})

    def fit_from_shards(
        self, X: ArrayLike, folder: str | os.PathLike[str], sample_weight: ArrayLike | None = None
    ) -> Examce:
        """Cluster the points from base runs that other jobs made: the same answer as `fit`."""
        from intarsia.examce.checkpoint.shards import take_shards

        points, state = self._start(X, sample_weight)
        take_shards(state, Path(folder))
        return self._finish(points, sample_weight, state)

    def _finish(self, points: Floats, sample_weight: ArrayLike | None, state: ExamceState) -> Examce:
        """Search, keep what was found, and let an interrupt go on to whoever it was meant for."""
        asked = StoppingCallback(state.callback) if state.callback is not None else None
        state.callback = asked
        with self._watched(state):
            result = self._run(state)
        self._keep(result, points, sample_weight, state)
        if result.status == "interrupted" and not (asked is not None and asked.stopped):
            raise KeyboardInterrupt
        return self

    def _start(self, X: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Floats, ExamceState]:
        points = np.ascontiguousarray(self._validate(X, reset=True), dtype=np.float64)
        executor = use_executor(self.executor, self.n_threads)
        check_same_fit(executor, self, X=points, sample_weight=sample_weight)
        return points, self.start_state(points, sample_weight, executor)

    def start_state(self, points: Floats, sample_weight: ArrayLike | None, executor: Executor) -> ExamceState:
        """Return a search that has not begun, for whoever wants to watch or steer it step by step."""
        criterion = find_criterion(self.criterion)
        counts = check_counts(self.n_clusters, len(points), criterion)
        settings = executor.agree(self._settings(criterion))  # a drawn seed must be everybody's
        weights = check_weights(sample_weight, len(points))
        heavy = heavy_points(weights, criterion)
        criterion.check(points, weights, counts)
        X, w = points, weights
        if heavy is not None and weights is not None:
            X, w = np.ascontiguousarray(points[heavy]), np.ascontiguousarray(weights[heavy])
        sizes = limit_sizes(self.min_size, self.max_size, counts, len(X), heavy is None, criterion)
        n_threads = kernel_threads(len(X), executor.n_threads)
        clock = Clock(settings.time_limit)
        data = Data(X, w, sizes.narrow(counts, len(X)), sizes, n_threads, heavy, clock=clock)
        given = own_partitions(self.init_partitions, len(points), heavy)
        return ExamceState(criterion.on(data), settings, executor, clock, self.callback, given)

    @contextmanager
    def _watched(self, state: ExamceState) -> Iterator[None]:
        self._state = state
        try:
            if not self.verbose or state.executor.rank > 0:
                yield
                return
            from intarsia.examce.progress import printed

            with printed(state):
                yield
        finally:
            del self._state

    def progress(self) -> str:
        """Return in one line what a running fit is doing now, and what is left where known; "" if none is.

        Another thread may ask for it.
        """
        from intarsia.examce.progress import describe

        state = getattr(self, "_state", None)
        return "" if state is None else describe(state)

    def _run(self, state: ExamceState) -> ExamceResult:
        if self.checkpoint is None:
            return run_examce(state)
        from intarsia.examce.checkpoint.files import begin_checkpoints, open_checkpoints

        every = check_positive("checkpoint_every", self.checkpoint_every)
        self._checkpoints = open_checkpoints(state, Path(self.checkpoint), every, self.resume)
        try:
            begin_checkpoints(state, self._checkpoints)
            return run_examce(state)
        finally:
            if self._checkpoints is not None:
                self._checkpoints.try_to_save()
            del self._checkpoints

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what labels new points (centres, criterion, feature names) and the labels; never pickle."""
        from intarsia.examce.model import save_examce

        check_is_fitted(self)
        save_examce(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Examce:
        """Return what `save` or `intarsia fit --out` wrote (the file or its folder): it can predict.

        Points are given unscaled: where the fit had `--scale`, `scaling_` is applied to them again.
        """
        from intarsia.examce.model import load_examce

        return load_examce(cls, path)

    def _to_measure(self, X: ArrayLike) -> Points:
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        scaling = getattr(self, "scaling_", None)
        return points if scaling is None else np.ascontiguousarray(scaling.apply(points))

    def save_checkpoint(self) -> bool:
        """Write what a running fit has reached now, if anything; another thread may ask for it."""
        checkpoints = getattr(self, "_checkpoints", None)
        return checkpoints is not None and checkpoints.save()

    def _settings(self, criterion: Criterion) -> ExamceSettings:
        check_option("effort", self.effort, tuple(EFFORTS))
        check_option("solver", self.solver, ("auto", "highs", "lp"))
        if self.callback is not None and not callable(self.callback):
            raise TypeError(f"callback={self.callback!r} should be callable or None.")
        return ExamceSettings(
            effort=EFFORTS[self.effort],
            n_base_runs=None if self.n_base_runs is None else check_count("n_base_runs", self.n_base_runs),
            bracket=None if self.bracket is None else check_count("bracket", self.bracket, least=0),
            base=choose_base(self.base, criterion),
            solver=self.solver,  # type: ignore[arg-type]
            tau=check_count("tau", self.tau, least=0),
            time_limit=check_seconds("time_limit", self.time_limit),
            seed=seed_from(self.random_state),
        )

    def _keep(
        self, result: ExamceResult, points: Floats, sample_weight: ArrayLike | None, state: ExamceState
    ) -> None:
        self.labels_ = result.labels
        heavy = heavy_points(check_weights(sample_weight, len(points)), state.criterion)
        if heavy is not None:
            assert result.partition.representatives is not None  # weights of 0 were refused otherwise
            self.labels_ = state.criterion.nearest(
                points, None, result.partition.representatives, state.executor.n_threads
            )[0]
            self.labels_[heavy] = result.labels
        for name, value in state.criterion.attributes(result.partition).items():
            setattr(self, name, value)
        self.inertia_ = result.cost
        self.best_base_inertia_ = result.best_base_cost
        self.pool_bound_ = result.pool_bound
        self.status_ = result.status
        self.n_rounds_ = result.n_rounds
        self.n_columns_ = result.n_columns
        self.history_ = list(result.history)
        self.result_ = result
        for remark in state.criterion.remarks(result.partition):
            warnings.warn(remark, UserWarning, stacklevel=4)

    @available_if(_has_representatives)  # type: ignore[untyped-decorator]
    def predict(self, X: ArrayLike) -> Labels:
        """Return the cluster of each point by the nearest representative, as the criterion measures."""
        return self._told(X)[0]

    @available_if(_has_representatives)  # type: ignore[untyped-decorator]
    def transform(self, X: ArrayLike) -> Floats:
        """Return the distances of each point to every representative, as the criterion measures."""
        points = self._to_measure(X)
        return find_criterion(self.criterion).distances(points, self._representatives())

    @available_if(_has_representatives)  # type: ignore[untyped-decorator]
    def score(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """Return minus what the points cost in the clusters of their nearest representatives."""
        return -self._told(X, sample_weight)[1]

    def _told(self, X: ArrayLike, weights: ArrayLike | None = None) -> tuple[Labels, float]:
        points = self._to_measure(X)
        w = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        n_threads = resolve_threads(self.n_threads)
        return find_criterion(self.criterion).nearest(points, w, self._representatives(), n_threads)

    def _representatives(self) -> Floats:
        if hasattr(self, "cluster_centers_"):
            return self.cluster_centers_
        return np.asarray(self.medoid_indices_, dtype=np.float64)[:, None]  # of a matrix of distances
