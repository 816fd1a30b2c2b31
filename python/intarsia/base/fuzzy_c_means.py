"""Fuzzy c-means as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points, origin_of, put_back, take_off
from intarsia.base.centroid import INITS
from intarsia.base.centroid_clusterer import CentroidClusterer
from intarsia.base.estimators import check_given_centres
from intarsia.executor import Executor, executor_for_runs, resolve_threads, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.validation import (
    check_above_one,
    check_count,
    check_distinct,
    check_n_clusters,
    check_option,
    check_tol,
    check_weights,
)


class _Shared(NamedTuple):
    points: Points
    weights: Floats | None
    seed: int
    n_threads: int
    origin: Floats | None


class FuzzyCMeans(CentroidClusterer):
    """Fuzzy c-means: every point belongs to every cluster, the more the nearer its centre.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    m : float
        Fuzziness > 1; near 1 memberships are nearly hard.
    init : {"k-means++", "random"} or array of shape (n_clusters, n_features)
        Greedy k-means++, k distinct random points, or given centres.
    n_init : int
        Number of runs; the one of least objective is kept.
    max_iter : int
        Limit of iterations a run.
    tol : float
        Stop when the summed squared centre shifts fall to ``tol`` squared times the mean feature variance.
    random_state : int, RandomState, Generator or None
        Seed of the starts.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    executor : Executor, optional
        Who computes the runs; by default these threads, on all ranks of an MPI job.

    Attributes
    ----------
    cluster_centers_ : array of shape (n_clusters, n_features)
    memberships_ : array of shape (n_samples, n_clusters)
        Rows sum to 1.
    labels_ : int32 array of shape (n_samples,)
        The cluster of largest membership, which is the one of the nearest centre.
    objective_ : float
        Sum of weight, membership to the power m and squared distance.
    n_iter_ : int
    converged_ : bool
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        m: float = 2.0,
        init: str | ArrayLike = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> FuzzyCMeans:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points, float64 or float32.
        y : ignored
        sample_weight : array of shape (n_samples,), optional
            Weights >= 0.
        """
        points = self._validate(X, reset=True)
        weights = check_weights(sample_weight, len(points))
        everybody = use_executor(self.executor, self.n_threads)
        check_same_fit(everybody, self, X=points, sample_weight=weights)
        self._check_parameters(len(points))
        check_distinct(points, weights, self.n_clusters)
        seed = agreed_seed(self.random_state, everybody)
        executor, n_threads = executor_for_runs(self.n_init, executor=everybody)
        origin = origin_of(points)
        shared = _Shared(take_off(points, origin), weights, seed, n_threads, origin)
        runs = executor.map(self._run, range(self.n_init), shared)
        best = min(runs, key=lambda run: run[1])  # the first one where several are equal
        centres, self.objective_, self.n_iter_, self.converged_ = best
        self.cluster_centers_ = put_back(centres, origin)
        self.memberships_ = self.predict_proba(points)
        self.labels_ = self._hardest(self.memberships_)
        return self

    def _run(self, task: int, shared: _Shared) -> tuple[Floats, float, int, bool]:
        start = self._start(task, shared)
        points, weights, _, threads, _ = shared
        limit = float(self.tol) ** 2 * float(points.var(axis=0, dtype=np.float64).mean())
        return _core.fuzzy_c_means(points, weights, start, float(self.m), self.max_iter, limit, threads)

    def _start(self, task: int, shared: _Shared) -> Floats:
        points, weights, seed, threads, origin = shared
        if isinstance(self.init, str):
            chosen = _core.seed_points(points, weights, self.n_clusters, self.init, seed, task, threads)
            return points[chosen].astype(np.float64)
        centres = np.ascontiguousarray(self.init, dtype=np.float64)
        check_given_centres(centres, (self.n_clusters, points.shape[1]))
        return take_off(centres, origin)

    def predict(self, X: ArrayLike) -> Labels:
        """Return the cluster of largest membership of each point."""
        return self._hardest(self.predict_proba(X))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the memberships of each point; rows sum to 1."""
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        threads = resolve_threads(self.n_threads)
        return _core.fuzzy_memberships(points, self.cluster_centers_, float(self.m), threads)

    @staticmethod
    def _hardest(memberships: Floats) -> Labels:
        return np.asarray(np.argmax(memberships, axis=1), dtype=np.int32)

    def _check_parameters(self, n_samples: int) -> None:
        check_n_clusters(self.n_clusters, n_samples)
        check_above_one("m", self.m)
        check_count("n_init", self.n_init)
        check_count("max_iter", self.max_iter)
        check_tol(self.tol)
        if isinstance(self.init, str):
            check_option("init", self.init, INITS)
