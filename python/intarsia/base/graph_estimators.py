"""Single link and spectral clustering as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia.arrays import Floats, Labels
from intarsia.base.single_link import SingleLinkBase, cut, spanning_tree
from intarsia.base.spectral import SpectralBase, Spectrum
from intarsia.executor import resolve_threads
from intarsia.executor.choose import agreed_seed
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
        return SingleLinkBase().labels_for(points, counts, n_threads=resolve_threads(self.n_threads))

    def predict(self, X: ArrayLike) -> Labels:
        """Return the clusters of the nearest of the fitted points."""
        check_is_fitted(self)
        places = self._validate(X, reset=False)
        nearest = Neighbours(self._points, self.n_threads).nearest(1, places)[0][:, 0]
        return np.asarray(self.labels_[nearest])

    def _validate(self, X: ArrayLike, reset: bool) -> Floats:
        return np.ascontiguousarray(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))


class Spectral(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Spectral clustering: k-means on the leading eigenvectors of the scaled affinities of the points.

    The affinity of two points is exp(-d² / 2 sigma²), none with itself; each is divided by the roots of the
    two points' sums. The k leading eigenvectors, rows scaled to length one, are clustered by k-means.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    sigma : float, optional
        Width of the affinity; by default the median distance to the `n_neighbors`-th neighbour.
    affinity : {"auto", "full", "neighbours"}
        All pairs; or pairs of which one is among the nearest of the other, and the edges of the minimum
        spanning tree, so that the graph holds together. "auto": all pairs of up to 3,000 points.
    n_neighbors : int
        How many neighbours of a point count.
    n_init : int
        Starts of k-means, of which the best counts.
    random_state : int, RandomState, Generator or None
        Seed of the starts.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Attributes
    ----------
    labels_ : int32 array of shape (n_samples,)
    eigenvalues_ : float64 array of shape (n_clusters,)
        The leading ones, largest first; the first is 1.
    objective_ : float
        Sum of squared distances of the scaled rows of the eigenvectors to the means of their clusters.
    sigma_ : float
        The width in use.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        sigma: float | None = None,
        affinity: str = "auto",
        n_neighbors: int = 10,
        n_init: int = 10,
        random_state: Any = None,
        n_threads: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.sigma = sigma
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.n_init = n_init
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X: ArrayLike, y: object = None) -> Spectral:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points; float32 is widened.
        y : ignored
        """
        points = self._validate(X, reset=True)
        self.eigenvalues_: Floats
        (found,), self.eigenvalues_, self.sigma_ = self._spectrum(points, [self.n_clusters])
        assert found.cost is not None
        self.labels_, self.objective_ = found.labels, found.cost
        self._points = points
        return self

    def labels_for(self, X: ArrayLike, counts: Sequence[int]) -> list[Labels]:
        """Return the labels of several numbers of clusters, by one decomposition."""
        return [found.labels for found in self._spectrum(self._validate(X, reset=True), counts).fits]

    def predict(self, X: ArrayLike) -> Labels:
        """Return the clusters of the nearest of the fitted points."""
        check_is_fitted(self)
        places = self._validate(X, reset=False)
        nearest = Neighbours(self._points, self.n_threads).nearest(1, places)[0][:, 0]
        return np.asarray(self.labels_[nearest])

    def _spectrum(self, points: Floats, counts: Sequence[int]) -> Spectrum:
        base = SpectralBase(self.sigma, self.affinity, self.n_neighbors, self.n_init)
        return base.spectrum(points, counts, agreed_seed(self.random_state), resolve_threads(self.n_threads))

    def _validate(self, X: ArrayLike, reset: bool) -> Floats:
        return np.ascontiguousarray(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))
