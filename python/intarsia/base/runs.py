"""Base runs: each a pure function of (run number, data, clusterer, seed), spread by an executor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from threading import Lock
from typing import Any

from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Points
from intarsia.base.protocol import BaseClusterer, BaseFit
from intarsia.base.registry import base_clusterer
from intarsia.clock import Clock
from intarsia.executor import Executor, SerialExecutor
from intarsia.validation import check_count, check_distinct, check_n_clusters, check_spread, check_weights


@dataclass(frozen=True)
class _Shared:
    X: Points
    weights: Floats | None
    clusterer: BaseClusterer
    n_clusters: int
    seed: int
    n_threads: int


def base_runs(
    X: Points,
    base: Any,
    n_clusters: int,
    *,
    n_runs: int = 1,
    seed: int = 0,
    sample_weight: ArrayLike | None = None,
    executor: Executor | None = None,
    n_threads: int = 1,
    on_done: Callable[[int], None] | None = None,
) -> list[BaseFit]:
    """Return n_runs base runs of C-ordered float64 or float32 points, in run order.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The points.
    base : BaseClusterer, str or estimator
        What each run does; see `base_clusterer`.
    n_clusters : int
        Clusters of each run.
    n_runs, seed : int
        Run r draws its random numbers from (seed, r) alone.
    sample_weight : array of shape (n_samples,), optional
        Weights >= 0.
    executor : Executor, optional
        Who computes the runs; serial by default.
    n_threads : int
        Threads inside each run's kernels.
    on_done : callable, optional
        Called with the number of finished runs.
    """
    shared = _checked(X, base, n_clusters, n_runs, seed, sample_weight, n_threads)
    return (executor or SerialExecutor()).map(_run, range(n_runs), shared, on_done)


@dataclass(frozen=True)
class BestRun:
    """The best of several runs.

    Attributes
    ----------
    fit : BaseFit
        The run of least cost, the first one where several are equal.
    costs : list of float
        Of every run that was made, in run order.
    is_late : bool
        Whether a time limit ended a run or kept one from being made: then the answer may not repeat.
    """

    fit: BaseFit
    costs: list[float]
    is_late: bool


def best_of_runs(
    X: Points,
    base: Any,
    n_clusters: int,
    *,
    n_runs: int = 1,
    seed: int = 0,
    sample_weight: ArrayLike | None = None,
    executor: Executor | None = None,
    n_threads: int = 1,
    on_done: Callable[[int], None] | None = None,
    time_limit: float | None = None,
) -> BestRun:
    """Return the best of such runs; each process holds the labels of its own best one alone.

    Parameters are those of `base_runs` and

    Parameters
    ----------
    time_limit : float, optional
        Wall seconds after which runs give what they have and no other begins; the first is always made.
    """
    everybody = executor or SerialExecutor()
    checked = _checked(X, base, n_clusters, n_runs, seed, sample_weight, n_threads)
    shared = _Kept(checked, Clock(time_limit))
    costs = everybody.map(_run_and_keep, range(n_runs), shared, on_done)
    made = {run: cost for run, (cost, _) in enumerate(costs) if cost is not None}
    winner = min(made, key=made.__getitem__)
    own = shared.fit if shared.run == winner else None
    fit = next(fit for fit in everybody.gather(own) if fit is not None)
    return BestRun(fit, list(made.values()), any(late for _, late in costs))


def _checked(
    X: Points,
    base: Any,
    n_clusters: int,
    n_runs: int,
    seed: int,
    sample_weight: ArrayLike | None,
    n_threads: int,
) -> _Shared:
    clusterer = base if hasattr(base, "takes_weights") else base_clusterer(base)
    check_count("n_runs", n_runs)
    k = check_n_clusters(n_clusters, X.shape[0])
    weights = check_weights(sample_weight, X.shape[0])
    check_spread(X, weights)
    check_distinct(X, weights, k)
    return _Shared(X, weights, clusterer, k, seed, n_threads)


class _Kept:
    """The best run that this process has made so far, whichever of its threads made it."""

    def __init__(self, shared: _Shared, clock: Clock) -> None:
        self.shared, self.clock = shared, clock
        self.fit: BaseFit | None = None
        self.run = -1
        self._one_at_a_time = Lock()

    def offer(self, run: int, fit: BaseFit) -> None:
        with self._one_at_a_time:
            if self.fit is None or (_cost(fit), run) < (_cost(self.fit), self.run):
                self.fit, self.run = fit, run


def best_run(results: Sequence[BaseFit]) -> BaseFit:
    """Return the run of least cost, the first one where several are equal."""
    return min(results, key=_cost)


def _run(task: int, shared: _Shared, seconds: float = inf) -> BaseFit:
    s = shared
    fit = s.clusterer.fit(
        s.X,
        s.n_clusters,
        weights=s.weights,
        seed=s.seed,
        task=task,
        n_threads=s.n_threads,
        seconds=seconds,
    )
    return fit.summary()


def _run_and_keep(task: int, kept: _Kept) -> tuple[float | None, bool]:
    """Return the cost of a run, None if it came too late; and whether the clock had a say in it."""
    if task > 0 and kept.clock.is_over():
        return None, True
    fit = _run(task, kept.shared, kept.clock.remaining())
    kept.offer(task, fit)
    return fit.cost, kept.clock.is_over()


def _cost(fit: BaseFit) -> float:
    if fit.cost is None:
        raise ValueError("runs of a clusterer without a cost cannot be compared.")
    return fit.cost
