"""Spectral clustering (Ng, Jordan and Weiss, 2002); `Spectral` adds scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Labels, Points
from intarsia.base.centroid import CentroidBase
from intarsia.base.eigenvectors import Matrix, leading_eigenvectors
from intarsia.base.protocol import BaseFit, NearestFit, one_seed
from intarsia.base.runs import best_run
from intarsia.base.single_link import spanning_tree
from intarsia.neighbours import Neighbours
from intarsia.streams import generator
from intarsia.validation import check_count, check_distinct, check_n_clusters, check_option, check_positive

AFFINITIES = ("auto", "full", "neighbours")
#: Up to so many points "auto" takes the affinities of all pairs: below 100 MB.
FULL_SIZE = 3000
_LEAST_AFFINITY = 1e-12  # of the edges that hold a graph of neighbours together
_LEAST_WIDTH, _MOST_WIDTH = 1e-150, 1e150  # their squares are still numbers


class Spectrum(NamedTuple):
    """What one decomposition gave: a clustering for each number of clusters, eigenvalues, the width."""

    fits: list[BaseFit]
    eigenvalues: Floats
    sigma: float


@dataclass(frozen=True)
class SpectralBase:
    """A base clusterer that runs k-means on eigenvectors; its settings are those of `Spectral`."""

    takes_weights = False
    is_soft = False
    predicts = True

    sigma: float | None = None
    affinity: str = "auto"
    n_neighbors: int = 10
    n_init: int = 10

    def __post_init__(self) -> None:
        """Refuse wrong settings before any work."""
        if self.sigma is not None:
            _check_width(self.sigma)
        check_option("affinity", self.affinity, AFFINITIES)
        check_count("n_neighbors", self.n_neighbors)
        check_count("n_init", self.n_init)

    def fit(
        self,
        X: Points,
        n_clusters: int,
        *,
        weights: Floats | None = None,
        seed: int = 0,
        task: int | None = 0,
        n_threads: int = 1,
        seconds: float = inf,
    ) -> BaseFit:
        """See `BaseClusterer.fit` and `one_seed`. It knows no clock."""
        found = self.spectrum(X, [n_clusters], one_seed(seed, task), n_threads).fits[0]
        return NearestFit(found.labels, cost=found.cost, points=X)

    def labels_for(
        self, X: Points, counts: Sequence[int], *, seed: int = 0, n_threads: int = 1
    ) -> list[Labels]:
        """Return the labels of several numbers of clusters, by one decomposition."""
        return [found.labels for found in self.spectrum(X, counts, seed, n_threads).fits]

    def spectrum(self, X: Points, counts: Sequence[int], seed: int, n_threads: int) -> Spectrum:
        """Cluster the points for several numbers of clusters."""
        points: Floats = np.ascontiguousarray(X, dtype=np.float64)
        wanted = [check_n_clusters(count, len(points)) for count in counts]
        check_distinct(points, None, max(wanted))
        near = _nearest(points, self.n_neighbors, n_threads)
        sigma = _typical(near[1]) if self.sigma is None else float(self.sigma)
        matrix = scaled(self._affinities(points, near, sigma, n_threads))
        start = generator(seed, Stage.SPECTRAL)
        values, vectors = leading_eigenvectors(matrix, max(wanted), start)
        fits = [_cluster_rows(vectors[:, :k], self.n_init, seed, n_threads) for k in wanted]
        return Spectrum(fits, values, sigma)

    def _affinities(self, points: Floats, near: tuple[Any, Floats], sigma: float, n_threads: int) -> Matrix:
        full = self.affinity == "full" or (self.affinity == "auto" and len(points) <= FULL_SIZE)
        return (
            full_affinities(points, sigma) if full else neighbour_affinities(points, near, sigma, n_threads)
        )


def _check_width(sigma: Any) -> None:
    """Refuse a width whose square is no number."""
    if not _LEAST_WIDTH <= check_positive("sigma", sigma) <= _MOST_WIDTH:
        raise ValueError(f"sigma={sigma} should be from {_LEAST_WIDTH} to {_MOST_WIDTH}.")


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
