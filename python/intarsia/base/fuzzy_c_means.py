"""Fuzzy c-means as a scikit-learn estimator."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points
from intarsia.base.estimators import CentroidClusterer
from intarsia.base.settings import INITS
from intarsia.executor import resolve_threads
from intarsia.validation import (
    check_above_one,
    check_count,
    check_distinct,
    check_n_clusters,
    check_option,
    check_tol,
    check_weights,
    seed_from,
)


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
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> "FuzzyCMeans":
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
        self._check_parameters(points.shape[0])
        weights = check_weights(sample_weight, points.shape[0])
        check_distinct(points, weights, self.n_clusters)
        seed = seed_from(self.random_state)
        runs = [self._run(points, weights, seed, task) for task in range(self.n_init)]
        best = min(runs, key=lambda run: run[1])  # the first one where several are equal
        self.cluster_centers_, self.objective_, self.n_iter_, self.converged_ = best
        self.memberships_ = self.predict_proba(points)
        self.labels_ = self._hardest(self.memberships_)
        return self

    def _run(self, points: Points, weights: Floats, seed: int, task: int) -> tuple[Floats, float, int, bool]:
        threads = resolve_threads(self.n_threads)
        start = self._start(points, weights, seed, task, threads)
        limit = float(self.tol) ** 2 * float(points.var(axis=0, dtype=np.float64).mean())
        return _core.fuzzy_c_means(points, weights, start, float(self.m), self.max_iter, limit, threads)

    def _start(self, points: Points, weights: Floats, seed: int, task: int, threads: int) -> Floats:
        if isinstance(self.init, str):
            chosen = _core.seed_points(points, weights, self.n_clusters, self.init, seed, task, threads)
            return points[chosen].astype(np.float64)
        centres = np.ascontiguousarray(self.init, dtype=np.float64)
        wanted = (self.n_clusters, points.shape[1])
        if centres.shape != wanted:
            raise ValueError(f"init.shape={centres.shape} should be {wanted}.")
        if not np.isfinite(centres).all():
            raise ValueError("init should hold finite centres only.")
        return centres

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
