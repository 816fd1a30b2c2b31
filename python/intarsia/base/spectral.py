"""Spectral clustering (Ng, Jordan and Weiss, 2002) as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Labels, Points
from intarsia.base.centroid import CentroidBase
from intarsia.base.eigenvectors import Matrix, leading_eigenvectors
from intarsia.base.protocol import BaseFit
from intarsia.base.runs import best_run
from intarsia.base.single_link import spanning_tree
from intarsia.executor import resolve_threads
from intarsia.executor.choose import agreed_seed
from intarsia.neighbours import Neighbours
from intarsia.streams import generator
from intarsia.validation import check_count, check_distinct, check_n_clusters, check_option, check_positive

AFFINITIES = ("auto", "full", "neighbours")
#: Up to so many points "auto" takes the affinities of all pairs: below 100 MB.
FULL_SIZE = 3000
_LEAST_AFFINITY = 1e-12  # of the edges that hold a graph of neighbours together
_LEAST_WIDTH, _MOST_WIDTH = 1e-150, 1e150  # their squares are still numbers


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
        found = self._cluster(points, [self.n_clusters])[0]
        assert found.cost is not None
        self.labels_, self.objective_ = found.labels, found.cost
        self._points = points
        return self

    def labels_for(self, X: ArrayLike, counts: Sequence[int]) -> list[Labels]:
        """Return the labels of several numbers of clusters, by one decomposition."""
        return [found.labels for found in self._cluster(self._validate(X, reset=True), counts)]

    def predict(self, X: ArrayLike) -> Labels:
        """Return the clusters of the nearest of the fitted points."""
        check_is_fitted(self)
        places = self._validate(X, reset=False)
        nearest = Neighbours(self._points, self.n_threads).nearest(1, places)[0][:, 0]
        return np.asarray(self.labels_[nearest])

    def _cluster(self, points: Floats, counts: Sequence[int]) -> list[BaseFit]:
        wanted = [check_n_clusters(count, len(points)) for count in counts]
        check_option("affinity", self.affinity, AFFINITIES)
        check_count("n_neighbors", self.n_neighbors)
        check_count("n_init", self.n_init)
        check_distinct(points, None, max(wanted))
        seed, threads = agreed_seed(self.random_state), resolve_threads(self.n_threads)
        near = _nearest(points, self.n_neighbors, threads)
        self.sigma_ = _typical(near[1]) if self.sigma is None else _width(self.sigma)
        matrix = scaled(self._affinities(points, near, threads))
        start = generator(seed, Stage.SPECTRAL)
        self.eigenvalues_, vectors = leading_eigenvectors(matrix, max(wanted), start)
        return [_cluster_rows(vectors[:, :k], self.n_init, seed, threads) for k in wanted]

    def _affinities(self, points: Floats, near: tuple[Any, Floats], threads: int) -> Matrix:
        full = self.affinity == "full" or (self.affinity == "auto" and len(points) <= FULL_SIZE)
        if full:
            return full_affinities(points, self.sigma_)
        return neighbour_affinities(points, near, self.sigma_, threads)

    def _validate(self, X: ArrayLike, reset: bool) -> Floats:
        return np.ascontiguousarray(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))


def _width(sigma: Any) -> float:
    """Return a width whose square is a number, too."""
    if not _LEAST_WIDTH <= check_positive("sigma", sigma) <= _MOST_WIDTH:
        raise ValueError(f"sigma={sigma} should be from {_LEAST_WIDTH} to {_MOST_WIDTH}.")
    return float(sigma)


def full_affinities(points: Floats, sigma: float) -> Floats:
    """Return exp(-d² / 2 sigma²) of all pairs, zero on the diagonal."""
    affinities: Floats = cdist(points, points, "sqeuclidean")
    affinities *= -0.5 / sigma**2
    np.exp(affinities, out=affinities)
    np.fill_diagonal(affinities, 0.0)
    return affinities


def neighbour_affinities(
    points: Floats, near: tuple[Any, Floats], sigma: float, n_threads: int
) -> sparse.csr_array:
    """Return the same of neighbours, on either side, and of the edges of the minimum spanning tree."""
    n, (ids, distances) = len(points), near
    edges, lengths = spanning_tree(points, n_threads)
    rows = np.concatenate([np.repeat(np.arange(n), ids.shape[1]), edges[:, 0]])
    cols = np.concatenate([ids.ravel(), edges[:, 1]])
    squares = np.concatenate([distances.ravel(), lengths]) ** 2
    weights = np.maximum(np.exp(squares * (-0.5 / sigma**2)), _LEAST_AFFINITY)
    # the larger of two entries, not their sum: a pair may be there up to three times
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    _, first = np.unique(low.astype(np.int64) * n + high, return_index=True)
    low, high, weights = low[first], high[first], weights[first]
    half = sparse.csr_array((weights, (low, high)), shape=(n, n))
    return sparse.csr_array(half + half.T)


def scaled(affinities: Matrix) -> Matrix:
    """Return affinities divided by the roots of the sums of both their points."""
    sums = np.asarray(affinities.sum(axis=1)).ravel()
    # a point too far from all others has no affinity at all: its row stays zero
    roots = np.divide(1.0, np.sqrt(sums), out=np.zeros_like(sums), where=sums > 0)
    if sparse.issparse(affinities):
        return sparse.csr_array(sparse.diags_array(roots) @ affinities @ sparse.diags_array(roots))
    affinities *= roots
    affinities *= roots[:, None]
    return affinities


def typical_distance(points: Points, k: int = 10) -> float:
    """Return the median distance to the k-th neighbour: the width of an affinity when none is given."""
    return _typical(_nearest(np.ascontiguousarray(points, dtype=np.float64), k, 1)[1])


def _nearest(points: Floats, k: int, n_threads: int) -> tuple[Any, Floats]:
    n = len(points)
    if n == 1:
        return np.empty((1, 0), dtype=np.int32), np.empty((1, 0))
    return Neighbours(points, n_threads).nearest(min(k, n - 1))


def _typical(distances: Floats) -> float:
    """Return the median distance to the last neighbour; copies of points do not make it zero."""
    furthest = distances[:, -1:]
    positive = furthest[furthest > 0]
    return float(np.median(positive)) if positive.size else 1.0


def _cluster_rows(vectors: Floats, n_init: int, seed: int, n_threads: int) -> BaseFit:
    """Cluster the rows, scaled to length one, by the best of several runs of k-means."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    rows = np.ascontiguousarray(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0))
    k = _core.count_distinct(rows, vectors.shape[1])  # points without any affinity all lie at zero
    kmeans = CentroidBase("kmeans", init="k-means++")
    return best_run([kmeans.fit(rows, k, seed=seed, task=run, n_threads=n_threads) for run in range(n_init)])
