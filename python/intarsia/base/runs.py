"""Base runs: each a pure function of (run number, data, settings, seed), spread by an executor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points
from intarsia.base.settings import BaseSettings
from intarsia.executor import Executor, SerialExecutor
from intarsia.validation import check_count, check_distinct, check_n_clusters, check_spread, check_weights


@dataclass(frozen=True)
class BaseResult:
    """One partition: labels, centres, weighted sum of squared distances, Lloyd iterations."""

    labels: Labels
    centers: Floats
    inertia: float
    n_iter: int


@dataclass(frozen=True)
class _Shared:
    X: Points
    weights: Floats
    settings: BaseSettings
    seed: int
    n_threads: int


def base_runs(
    X: Points,
    settings: BaseSettings,
    *,
    n_runs: int = 1,
    seed: int = 0,
    sample_weight: ArrayLike | None = None,
    executor: Executor | None = None,
    n_threads: int = 1,
    on_done: Callable[[int], None] | None = None,
) -> list[BaseResult]:
    """Return n_runs base runs of C-ordered float64 or float32 points, in run order.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The points.
    settings : BaseSettings
        What each run does.
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
    check_count("n_runs", n_runs)
    k = check_n_clusters(settings.n_clusters, X.shape[0])
    weights = check_weights(sample_weight, X.shape[0])
    check_spread(X, weights)
    check_distinct(X, weights, k)
    shared = _Shared(X, weights, settings, seed, n_threads)
    return (executor or SerialExecutor()).map(_run, range(n_runs), shared, on_done)


def best_run(results: Sequence[BaseResult]) -> BaseResult:
    """Return the run of least inertia, the first one where several are equal."""
    return min(results, key=lambda result: result.inertia)


def run_once(
    X: Points, weights: Floats, settings: BaseSettings, *, seed: int, task: int, n_threads: int = 1
) -> BaseResult:
    """Return one base run of checked points and weights (empty: all one)."""
    return _run(task, _Shared(X, weights, settings, seed, n_threads))


def _run(task: int, shared: _Shared) -> BaseResult:
    start = _start(task, shared)
    s = shared.settings
    fitted = _core.kmeans(shared.X, shared.weights, start, s.max_iter, s.tol, shared.n_threads)
    lloyd = BaseResult(*fitted[:4])
    if s.method == "kmeans" or s.n_clusters == 1:
        return lloyd
    return _search_further(lloyd, task, shared)


def _start(task: int, shared: _Shared) -> Floats:
    s = shared.settings
    if not isinstance(s.init, str):
        return np.ascontiguousarray(s.init, dtype=np.float64)
    chosen = _core.seed_points(
        shared.X, shared.weights, s.n_clusters, s.init, shared.seed, task, shared.n_threads
    )
    return shared.X[chosen].astype(np.float64)


def _search_further(lloyd: BaseResult, task: int, shared: _Shared) -> BaseResult:
    # Single-point moves work in float64 on points that have weight; the others follow their nearest centre.
    heavy = np.flatnonzero(shared.weights > 0) if (shared.weights == 0).any() else slice(None)
    X = np.ascontiguousarray(shared.X[heavy], dtype=np.float64)
    weights = np.ascontiguousarray(shared.weights[heavy]) if shared.weights.size else shared.weights
    labels = _fill_gaps(np.ascontiguousarray(lloyd.labels[heavy]), X, weights, shared.settings.n_clusters)
    labels = _moves(X, weights, labels, task, shared)
    centers, _, inertia = _core.summarise(X, weights, labels, shared.settings.n_clusters)
    if not isinstance(heavy, slice):
        everywhere = np.ascontiguousarray(shared.X, dtype=np.float64)
        nearest = _core.assign_to_centres(everywhere, shared.weights, centers, shared.n_threads)[0]
        nearest[heavy] = labels
        labels = nearest
    return BaseResult(labels, centers, inertia, lloyd.n_iter)


def _moves(
    X: Floats,
    weights: Floats,
    labels: Labels,
    task: int,
    shared: _Shared,
) -> Labels:
    s = shared.settings
    if s.method == "hk-means":
        return _core.hartigan(X, weights, labels, s.n_clusters, 1, X.shape[0])[0]
    return _core.random_swap(X, weights, labels, s.n_clusters, s.n_swaps, shared.seed, task)[0]


def _fill_gaps(labels: Labels, X: Floats, weights: Floats, k: int) -> Labels:
    # A cluster that held only weightless points is empty without them: start it at the costliest point.
    sizes = np.bincount(labels, minlength=k)
    for c in np.flatnonzero(sizes == 0):
        means = np.array([X[labels == b].mean(axis=0) if (labels == b).any() else X[0] for b in range(k)])
        cost = weights * ((X - means[labels]) ** 2).sum(axis=1)
        cost[np.bincount(labels, minlength=k)[labels] < 2] = -1.0
        labels[int(np.argmax(cost))] = c
    return labels
