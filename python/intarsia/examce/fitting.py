"""EXAMCE from points to answer, as a plain class: nobody who only fits has to wait for scikit-learn."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Points
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
from intarsia.executor import Executor, use_executor
from intarsia.executor.choose import check_same_fit
from intarsia.validation import (
    check_count,
    check_option,
    check_points,
    check_positive,
    check_seconds,
    check_weights,
    seed_from,
)

if TYPE_CHECKING:
    from intarsia.examce.checkpoint.files import Checkpoints

Self = TypeVar("Self", bound="ExamceFit")


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


class ExamceFit:
    """What `Examce` is asked, how it fits, and what it keeps: all but what makes it scikit-learn's."""

    _checkpoints: Checkpoints | None
    _state: ExamceState
    gone: float = 0.0  # seconds of the time limit that went before the fit

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

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what was asked, by name."""
        return {name: getattr(self, name) for name in signature(ExamceFit).parameters}

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        return check_points(X, (np.float64, np.float32))

    def fit(self: Self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
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
        self: Self, X: ArrayLike, folder: str | os.PathLike[str], sample_weight: ArrayLike | None = None
    ) -> Self:
        """Cluster the points from base runs that other jobs made: the same answer as `fit`."""
        from intarsia.examce.checkpoint.shards import take_shards

        points, state = self._start(X, sample_weight)
        take_shards(state, Path(folder))
        return self._finish(points, sample_weight, state)

    def _finish(self: Self, points: Floats, sample_weight: ArrayLike | None, state: ExamceState) -> Self:
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
        clock = Clock(settings.time_limit, self.gone)
        weights = check_weights(sample_weight, len(points))
        heavy = heavy_points(weights, criterion)
        criterion.check(points, weights, counts)
        X, w = points, weights
        if heavy is not None and weights is not None:
            X, w = np.ascontiguousarray(points[heavy]), np.ascontiguousarray(weights[heavy])
        sizes = limit_sizes(self.min_size, self.max_size, counts, len(X), heavy is None, criterion)
        n_threads = kernel_threads(len(X), executor.n_threads)
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
        for name, value in result.attributes.items():
            setattr(self, name, value)
        self.inertia_ = result.cost
        self.best_base_inertia_ = result.best_base_cost
        self.pool_bound_ = result.pool_bound
        self.status_ = result.status
        self.n_rounds_ = result.n_rounds
        self.n_columns_ = result.n_columns
        self.history_ = list(result.history)
        self.result_ = result
        if state.executor.rank == 0:  # once is enough
            for remark in state.criterion.remarks(result.partition):
                warnings.warn(remark, UserWarning, stacklevel=4)
