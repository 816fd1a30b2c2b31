"""EXAMCE as a scikit-learn estimator."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.base.centroid_clusterer import CentroidClusterer
from intarsia.examce.criteria import find_criterion
from intarsia.examce.fitting import ExamceFit
from intarsia.executor import resolve_threads


def _has_representatives(model: Examce) -> bool:
    criterion = find_criterion(model.criterion)
    if not criterion.has_representatives:
        raise AttributeError(f"criterion={criterion.name!r} has no representatives to tell new points by.")
    return True


class Examce(CentroidClusterer, ExamceFit):
    """Recombine the clusters of many base runs by exact covering into one better partition.

    Parameters
    ----------
    n_clusters : int, (int, int) or None
        Number of clusters; for criteria that choose it themselves the least and the most, or None for
        anything from 1 to the square root of the number of points.
    criterion : {"mssc", "entropy", "pmedian", "bic"}, Criterion or callable
        What is minimised: the sum of squared distances to the cluster means, the structural entropy of the
        clusters around every point, the sum of distances to medians, the Bayesian information criterion of
        spherical Gaussians; one of these with parameters, such as `PMedian(metric="manhattan")`, `Bic` or
        `Entropy`; or a function ``cost(X, members)`` of your own (see `own_cost`).
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
    init_partitions : Ensemble or labels as `Ensemble.from_labels` takes them, optional
        Your own partitions: a list of label vectors, or an array of shape (n_samples, n_partitions). Their
        clusters join the pool (-1: point left out).
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

    medoid_indices_: Ids

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
