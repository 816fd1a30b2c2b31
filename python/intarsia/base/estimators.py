"""scikit-learn estimators of the base clusterers."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia import _core
from intarsia.arrays import Fitted, Floats, Labels, Points
from intarsia.base.runs import BaseResult, base_runs, best_run
from intarsia.base.settings import BaseSettings
from intarsia.executor import executor_for_runs, resolve_threads
from intarsia.validation import check_count, check_n_clusters, is_plain, seed_from


class CentroidClusterer(ClusterMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What every clusterer with centres can do once it is fitted: predict, transform and score."""

    cluster_centers_: Floats
    n_threads: int | None

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        # On small data scikit-learn's checks take longer than the clustering: plain arrays need none of them.
        if is_plain(X) and self._takes_width(X.shape[1], reset):
            return X
        X = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], order="C")
        return np.ascontiguousarray(X)

    def _takes_width(self, n_features: int, reset: bool) -> bool:
        if hasattr(self, "feature_names_in_"):  # to be forgotten, or missed with a warning
            return False
        if reset:
            self.n_features_in_ = n_features
        return n_features == self.n_features_in_

    def _nearest(self, X: ArrayLike, weights: ArrayLike | None = None) -> Fitted:
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        w = np.empty(0) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        centers = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return _core.assign_to_centres(points, w, centers, resolve_threads(self.n_threads))

    def predict(self, X: ArrayLike) -> Labels:
        """Return the index of the nearest centre of each point."""
        return self._nearest(X)[0]

    def transform(self, X: ArrayLike) -> Floats:
        """Return the distances of each point to every centre."""
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        distances: Floats = euclidean_distances(points, self.cluster_centers_.astype(points.dtype))
        return distances

    def score(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """Return minus the sum of squared distances to the nearest centre."""
        return -self._nearest(X, sample_weight)[2]

    @property
    def _n_features_out(self) -> int:
        return int(self.cluster_centers_.shape[0])


class _Base(CentroidClusterer):
    _method: str

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | ArrayLike = "random",
        n_init: int = 1,
        max_iter: int = 1000,
        tol: float = 0.0,
        random_state: Any = None,
        n_threads: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_threads = n_threads

    def _settings(self, **more: Any) -> BaseSettings:
        init = self.init if isinstance(self.init, str) else np.asarray(self.init, dtype=np.float64)
        return BaseSettings(
            self._method, n_clusters=self.n_clusters, init=init, max_iter=self.max_iter, tol=self.tol, **more
        )

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> "_Base":
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
        check_n_clusters(self.n_clusters, points.shape[0])
        settings = self._settings()
        _check_given_centres(settings, points.shape[1])
        self._keep(best_run(self._runs(points, settings, sample_weight)))
        return self

    def _runs(
        self, points: Points, settings: BaseSettings, sample_weight: ArrayLike | None
    ) -> list[BaseResult]:
        n_init = check_count("n_init", self.n_init)
        executor, n_threads = executor_for_runs(n_init, self.n_threads)
        return base_runs(
            points,
            settings,
            n_runs=n_init,
            seed=executor.agree(seed_from(self.random_state)),
            sample_weight=sample_weight,
            executor=executor,
            n_threads=n_threads,
        )

    def _keep(self, best: BaseResult) -> None:
        self.labels_ = best.labels
        self.cluster_centers_ = best.centers
        self.inertia_ = best.inertia
        self.n_iter_ = best.n_iter


class KMeans(_Base):
    """Lloyd's k-means: exact, accelerated by bounds, the same bits for any number of threads.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    init : {"random", "k-means++"} or array of shape (n_clusters, n_features)
        k distinct random points, greedy k-means++, or given centres.
    n_init : int
        Number of runs; the best one is kept.
    max_iter : int
        Limit of Lloyd iterations a run.
    tol : float
        Stop when the summed squared centre shifts fall to ``tol`` times the mean feature variance; 0 runs
        until no label changes.
    random_state : int, RandomState, Generator or None
        Seed of the starts.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Notes
    -----
    A cluster that becomes empty takes the point that costs most where it is, from a cluster that has at least
    two. Ties go to the cluster of lowest index.
    """

    _method = "kmeans"


class HKMeans(_Base):
    """HK-means: Lloyd, then exact single-point moves until none lowers the cost. Parameters as in `KMeans`.

    Single-point moves work in float64.
    """

    _method = "hk-means"


class RandomSwap(_Base):
    """Random swap: HK-means, then swaps of one centre to a random point, each repaired by single-point moves.

    Parameters are those of `KMeans` and

    Parameters
    ----------
    n_swaps : int
        Number of swaps to try in each run.
    """

    _method = "random-swap"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_swaps: int = 1000,
        init: str | ArrayLike = "random",
        n_init: int = 1,
        max_iter: int = 1000,
        tol: float = 0.0,
        random_state: Any = None,
        n_threads: int | None = None,
    ) -> None:
        super().__init__(
            n_clusters,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
            n_threads=n_threads,
        )
        self.n_swaps = n_swaps

    def _settings(self, **more: Any) -> BaseSettings:
        return super()._settings(n_swaps=self.n_swaps, **more)


def _check_given_centres(settings: BaseSettings, n_features: int) -> None:
    if isinstance(settings.init, str):
        return
    wanted = (settings.n_clusters, n_features)
    if settings.init.shape != wanted:
        raise ValueError(f"init.shape={settings.init.shape} should be {wanted}.")
    if not np.isfinite(settings.init).all():
        raise ValueError("init should hold finite centres only.")
