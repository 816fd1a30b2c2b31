"""`KMeans`: Lloyd's algorithm under scikit-learn's parameters, warnings and words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points
from intarsia.base.centroid import CentroidBase
from intarsia.base.estimators import CentroidEstimator, check_given_centres
from intarsia.base.protocol import BaseFit
from intarsia.executor import Executor
from intarsia.validation import check_count, check_option, with_weight

#: What scikit-learn calls its ways to the same answer; ours chooses by itself.
ALGORITHMS = ("lloyd", "elkan")
_AUTO_RUNS = 10  # of starts that are as good as their luck
_START_SWAPS = 2  # a cluster; four gain little more, and one run would cost more than scikit-learn's

Init = str | ArrayLike | Callable[..., ArrayLike]


class KMeans(CentroidEstimator):
    """Lloyd's k-means: exact, accelerated by bounds, the same bits for any number of threads.

    It can be put in the place of scikit-learn's for dense data.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    init : {"k-means++", "random"}, array of shape (n_clusters, n_features) or callable
        Greedy k-means++ and local search, k distinct random points, given centres, or a function of
        (X, n_clusters, random_state) that returns centres.
    n_init : "auto" or int
        Number of runs; the best one is kept. "auto": 1 for k-means++ and given centres, otherwise 10.
    max_iter : int
        Limit of Lloyd iterations a run.
    tol : float
        Stop when the summed squared centre shifts fall to ``tol`` times the mean feature variance; 0 runs
        until no label changes.
    verbose : int
        Above 0 the end of the best run is printed.
    random_state : int, RandomState, Generator or None
        Seed of the starts.
    copy_x : bool
        Taken for scikit-learn's sake: the points are never changed.
    algorithm : {"lloyd", "elkan"}
        Taken for scikit-learn's sake: bounds and blocks are chosen by the size of the data.
    n_threads : int or None
        Threads; None and -1 ask ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then take all processors.
    executor : Executor, optional
        Who computes the runs; by default these threads, on all ranks of an MPI job.

    Notes
    -----
    A cluster that becomes empty takes the point that costs most where it is, from a cluster that has at least
    two. Ties go to the cluster of lowest index. Where there are fewer distinct points than clusters, each has
    one of its own and a `ConvergenceWarning` says so. Centres have the type of the points.

    Starts are drawn as scikit-learn's are (greedy k-means++, ``2 + log(n_clusters)`` trials a centre), but by
    another generator, and then improved by local search (Lattanzi and Sohler 2019): ``2 * n_clusters`` times
    a point drawn by its cost takes the place of a start if the points cost less then. One seed gives another
    result than scikit-learn's; over several seeds the mean cost is no higher, and where clusters are many it
    is much lower, at less than the CPU time of scikit-learn's fit.
    """

    _method = "kmeans"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Init = "k-means++",
        n_init: str | int = "auto",
        max_iter: int = 1000,
        tol: float = 0.0,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
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
        self.verbose = verbose
        self.copy_x = copy_x
        self.algorithm = algorithm

    def _clusterer(self, **more: Any) -> CentroidBase:
        return super()._clusterer(start_swaps=_START_SWAPS, **more)

    def _n_runs(self) -> int:
        check_option("algorithm", self.algorithm, ALGORITHMS)
        if isinstance(self.init, str):
            plain = 1 if self.init == "k-means++" else _AUTO_RUNS
        else:
            plain = _AUTO_RUNS if callable(self.init) else 1
        asked = plain if self.n_init == "auto" else check_count("n_init", self.n_init)
        if asked > 1 and not isinstance(self.init, str) and not callable(self.init):
            warnings.warn(
                "Explicit initial center position passed: performing only one init in "
                f"{type(self).__name__} instead of n_init={asked}.",
                RuntimeWarning,
                stacklevel=4,
            )
            asked = 1
        self._n_init = asked
        return asked

    def _best(self, points: Points, weights: Floats | None, everybody: Executor) -> BaseFit:
        heavy = with_weight(points, weights)
        found = _core.count_distinct(heavy, self.n_clusters)
        if found < self.n_clusters:
            self._n_runs()
            self._check_start(points)
            return self._one_for_each(points, heavy, found)
        if not callable(self.init):
            return self._reported(super()._best(points, weights, everybody), points, weights)
        drawn = check_random_state(self.random_state)
        starts = [self._called(points, drawn) for _ in range(self._n_runs())]
        fits = [self._run_from(start, points, weights, everybody) for start in starts]
        return self._reported(min(fits, key=_cost), points, weights)

    def _called(self, points: Points, drawn: Any) -> Floats:
        assert callable(self.init)
        made = self.init(points, self.n_clusters, random_state=drawn)
        start: Floats = np.array(made, dtype=np.float64)
        check_given_centres(start, (self.n_clusters, points.shape[1]))
        return start

    def _check_start(self, points: Points) -> None:
        if not isinstance(self.init, str) and not callable(self.init):
            wanted = (self.n_clusters, points.shape[1])
            check_given_centres(np.asarray(self.init, dtype=np.float64), wanted)

    def _run_from(
        self, start: Floats, points: Points, weights: Floats | None, everybody: Executor
    ) -> BaseFit:
        clusterer = CentroidBase("kmeans", init=start, max_iter=self.max_iter, tol=self.tol)
        return clusterer.fit(points, self.n_clusters, weights=weights, n_threads=everybody.n_threads)

    def _one_for_each(self, points: Points, heavy: Points, found: int) -> BaseFit:
        """Give every distinct point of weight a cluster of its own; the clusters left over repeat one."""
        warnings.warn(
            f"Number of distinct clusters ({found}) found smaller than n_clusters ({self.n_clusters}). "
            "Possibly due to duplicate points in X.",
            ConvergenceWarning,
            stacklevel=4,
        )
        _, first = np.unique(heavy + 0.0, axis=0, return_index=True)  # -0.0 is 0.0
        centers = heavy[np.sort(first)].astype(np.float64)
        labels: Labels = _core.assign_to_centres(points, None, centers, 1)[0]
        spare = np.repeat(centers[:1], self.n_clusters - found, axis=0)
        return BaseFit(labels, np.concatenate([centers, spare]), 0.0, 1)

    def _reported(self, best: BaseFit, points: Points, weights: Floats | None) -> BaseFit:
        if self.verbose:
            self._print_end(best, points, weights)
        return best

    def _print_end(self, best: BaseFit, points: Points, weights: Floats | None) -> None:
        """Print where the best run ended, and what one more iteration would do."""
        assert best.centers is not None
        further = _core.kmeans(points, weights, best.centers, 1, 0.0, 1)
        shift = float(((further[1] - best.centers) ** 2).sum())
        last = best.n_iter - 1
        print("Initialization complete")
        print(f"Iteration {last}, inertia {best.cost}.")
        if np.array_equal(further[0], best.labels):
            print(f"Converged at iteration {last}: strict convergence.")
        elif best.n_iter < self.max_iter:
            tolerance = self.tol * float(points.var(axis=0).mean())
            print(f"Converged at iteration {last}: next center shift {shift} within tolerance {tolerance}.")

    def _keep(self, best: BaseFit) -> None:
        super()._keep(best)
        if self._fitted_type == np.float32:
            self.cluster_centers_ = self.cluster_centers_.astype(np.float32)


def _cost(fit: BaseFit) -> float:
    assert fit.cost is not None
    return fit.cost
