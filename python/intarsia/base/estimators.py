"""scikit-learn estimators of the base clusterers."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Points
from intarsia.base.centroid import CentroidBase
from intarsia.base.centroid_clusterer import CentroidClusterer
from intarsia.base.protocol import BaseFit
from intarsia.base.runs import best_of_runs
from intarsia.executor import Executor, executor_for_runs, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.validation import check_count, check_n_clusters, check_weights


class CentroidEstimator(CentroidClusterer):
    """What k-means, HK-means and random swap share: starts, runs, the best of them."""

    _method: str

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "random",
        n_init: Any = 1,
        max_iter: int = 1000,
        tol: float = 0.0,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor

    def _clusterer(self, **more: Any) -> CentroidBase:
        init = self.init if isinstance(self.init, str) else np.asarray(self.init, dtype=np.float64)
        return CentroidBase(self._method, init=init, max_iter=self.max_iter, tol=self.tol, **more)

    def fit(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> "CentroidEstimator":
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
        check_n_clusters(self.n_clusters, len(points))
        self._fitted_type = points.dtype
        self._keep(self._best(points, weights, everybody))
        return self

    def _n_runs(self) -> int:
        return check_count("n_init", self.n_init)

    def _best(self, points: Points, weights: Floats | None, everybody: Executor) -> BaseFit:
        clusterer, n_init = self._clusterer(), self._n_runs()
        check_given_centres(clusterer.init, (self.n_clusters, points.shape[1]))
        executor, n_threads = executor_for_runs(n_init, executor=everybody)
        best = best_of_runs(
            points,
            clusterer,
            self.n_clusters,
            n_runs=n_init,
            seed=agreed_seed(self.random_state, everybody),
            sample_weight=weights,
            executor=executor,
            n_threads=n_threads,
        )
        return best.fit

    def _keep(self, best: BaseFit) -> None:
        assert best.centers is not None
        assert best.cost is not None
        self.labels_ = best.labels
        self.cluster_centers_ = best.centers
        self.inertia_ = best.cost
        self.n_iter_ = best.n_iter


class HKMeans(CentroidEstimator):
    """HK-means: Lloyd, then exact single-point moves until none lowers the cost. Parameters as in `KMeans`,

    but for the start, which is random and one (``init="random"``, ``n_init=1``) unless told otherwise, and
    what is there for scikit-learn's sake. Single-point moves work in float64.
    """

    _method = "hk-means"


class RandomSwap(CentroidEstimator):
    """Random swap: HK-means, then swaps of one centre to a random point, each repaired by single-point moves.

    Parameters are those of `HKMeans` and

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
        executor: Executor | None = None,
    ) -> None:
        super().__init__(
            n_clusters,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            tol=tol,
            random_state=random_state,
            n_threads=n_threads,
            executor=executor,
        )
        self.n_swaps = n_swaps

    def _clusterer(self, **more: Any) -> CentroidBase:
        return super()._clusterer(n_swaps=self.n_swaps, **more)


class JMeans(CentroidEstimator):
    """J-means: HK-means, then the best jump of one centre to a point and HK-means again while that pays.

    Parameters as in `HKMeans` (Hansen and Mladenović 2001).
    """

    _method = "j-means"


class VNS(RandomSwap):
    """Variable neighbourhood search: HK-means after random jumps of one, two, ... centres, one after a gain.

    Parameters as in `RandomSwap`; ``n_swaps`` is the number of such shakes.
    """

    _method = "vns"


def check_given_centres(init: str | Floats, wanted: tuple[int, int]) -> None:
    """Refuse centres to start from that do not fit the points."""
    if isinstance(init, str):
        return
    of_them = f"The shape of the initial centers {init.shape}"
    if init.ndim != 2 or init.shape[0] != wanted[0]:
        raise ValueError(f"{of_them} does not match the number of clusters {wanted[0]}.")
    if init.shape != wanted:
        raise ValueError(f"{of_them} does not match the number of features of the data {wanted[1]}.")
    if not np.isfinite(init).all():
        raise ValueError("init should hold finite centres only.")
