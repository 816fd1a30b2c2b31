"""Single link as a scikit-learn estimator: the minimum spanning tree of the points, cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia import _core
from intarsia.arrays import Floats, Labels, Members
from intarsia.executor import resolve_threads
from intarsia.neighbours import Neighbours
from intarsia.validation import check_distinct, check_n_clusters


class SingleLink(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Single link: the two clusters with the nearest points merge until `n_clusters` are left.

    Exact, in float64 and in memory of the order of the points. Of equally near pairs those of the lowest
    points merge first, so the result depends on nothing but the points and their order.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Attributes
    ----------
    labels_ : int32 array of shape (n_samples,)
        Clusters are numbered by their first points.
    spanning_tree_ : int32 array of shape (n_samples - 1, 2)
        Pairs of points in the order in which their clusters merge, also beyond `n_clusters`.
    merge_distances_ : float64 array of shape (n_samples - 1,)
        How far apart they are, ascending.
    """

    def __init__(self, n_clusters: int = 2, *, n_threads: int | None = None) -> None:
        self.n_clusters = n_clusters
        self.n_threads = n_threads

    def fit(self, X: ArrayLike, y: object = None) -> SingleLink:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points; float32 is widened.
        y : ignored
        """
        points = self._validate(X, reset=True)
        n_clusters = check_n_clusters(self.n_clusters, len(points))
        check_distinct(points, None, n_clusters)
        self.spanning_tree_, self.merge_distances_ = spanning_tree(points, self.n_threads)
        self.labels_ = cut(self.spanning_tree_, n_clusters)
        self._points = points
        return self

    def labels_for(self, X: ArrayLike, counts: Sequence[int]) -> list[Labels]:
        """Return the labels of several numbers of clusters, by one spanning tree."""
        points = self._validate(X, reset=True)
        wanted = [check_n_clusters(count, len(points)) for count in counts]
        check_distinct(points, None, max(wanted))
        tree = spanning_tree(points, self.n_threads)[0]
        return [cut(tree, count) for count in wanted]

    def predict(self, X: ArrayLike) -> Labels:
        """Return the clusters of the nearest of the fitted points."""
        check_is_fitted(self)
        places = self._validate(X, reset=False)
        nearest = Neighbours(self._points, self.n_threads).nearest(1, places)[0][:, 0]
        return np.asarray(self.labels_[nearest])

    def _validate(self, X: ArrayLike, reset: bool) -> Floats:
        return np.ascontiguousarray(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))


def spanning_tree(X: Floats, n_threads: int | None = None) -> tuple[Members, Floats]:
    """Return the minimum spanning tree of finite C-ordered points: edges, shortest first, and lengths."""
    return _core.euclidean_spanning_tree(X, resolve_threads(n_threads))


def cut(tree: Members, n_clusters: int) -> Labels:
    """Return the labels of the clusters that its shortest edges leave."""
    return _core.cut_tree(tree, n_clusters)
