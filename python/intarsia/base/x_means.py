"""X-means: k-means that splits its clusters as long as the Bayesian information criterion gains by it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Ids, Labels
from intarsia.base.centroid_clusterer import CentroidClusterer
from intarsia.executor import resolve_threads
from intarsia.executor.choose import agreed_seed
from intarsia.streams import generator
from intarsia.validation import check_count, check_n_clusters, check_spread

_LEAST_VARIANCE = 1e-6  # of that of all points
_STARTS = 3  # of the two halves of a cluster


class XMeans(CentroidClusterer):
    """X-means: k-means from few clusters, each split in two where that pays, until none is.

    Whether a split pays is told by the Bayesian information criterion of spherical Gaussians of one variance
    (Pelleg and Moore 2000). Of all the rounds the one with the best criterion is kept.

    Parameters
    ----------
    n_clusters : int
        Number of clusters at most.
    min_clusters : int
        Number of clusters that it begins with.
    max_iter : int
        Limit of Lloyd iterations a round.
    random_state : int, RandomState, Generator or None
        Seed of the starts.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Attributes
    ----------
    labels_, cluster_centers_
        The clusters and their means.
    n_clusters_ : int
        How many there are.
    objective_ : float
        Half the criterion: the smaller, the better.
    inertia_ : float
        Sum of squared distances to the means.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        min_clusters: int = 1,
        max_iter: int = 1000,
        random_state: Any = None,
        n_threads: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.min_clusters = min_clusters
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X: ArrayLike, y: object = None) -> XMeans:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points; float32 is widened.
        y : ignored
        """
        points = np.ascontiguousarray(self._validate(X, reset=True), dtype=np.float64)
        most = check_n_clusters(self.n_clusters, len(points))
        least = check_n_clusters(self.min_clusters, len(points), "min_clusters")
        if least > most:
            raise ValueError(f"min_clusters={least} should be <= n_clusters={most}.")
        check_spread(points, None)
        check_count("max_iter", self.max_iter)
        most = _core.count_distinct(points, most)
        threads = resolve_threads(self.n_threads)
        run = _Run(points, agreed_seed(self.random_state), self.max_iter, threads)
        best = run.search(min(least, most), most)
        self.labels_, self.cluster_centers_ = best.labels, best.centers
        self.inertia_, self.objective_, self.n_iter_ = best.sse, best.half_bic, run.n_iter
        self.n_clusters_ = len(best.centers)
        return self


@dataclass(frozen=True, eq=False)
class _Round:
    labels: Labels
    centers: Floats
    sse: float
    half_bic: float


@dataclass
class _Run:
    X: Floats
    seed: int
    max_iter: int
    n_threads: int
    n_iter: int = 0

    def search(self, least: int, most: int) -> _Round:
        """Return the best of the rounds from the least number of clusters to where no split pays."""
        chosen = _core.seed_points(self.X, None, least, "k-means++", self.seed, 0, self.n_threads)
        now = best = self._lloyd(self.X[chosen])
        while len(now.centers) < most:
            centers = self._split(now, most - len(now.centers))
            if len(centers) == len(now.centers):
                break
            now = self._lloyd(centers)
            best = now if now.half_bic < best.half_bic else best
        return best

    def _lloyd(self, centers: Floats) -> _Round:
        labels, found, sse, n_iter = _core.kmeans(
            self.X, None, np.ascontiguousarray(centers), self.max_iter, 0.0, self.n_threads
        )[:4]
        self.n_iter += int(n_iter)
        sizes = np.bincount(labels, minlength=len(found))
        floor = least_variance(self.X)
        return _Round(labels, found, sse, half_bic(sse, sizes, self.X.shape[1], floor))

    def _split(self, now: _Round, n_more: int) -> Floats:
        """Return the centres, the most rewarding splits made."""
        halves = [self._halves(now, c) for c in range(len(now.centers))]
        gains = np.array([gain for gain, _ in halves])
        chosen = [c for c in np.argsort(-gains, kind="stable")[:n_more] if gains[c] > 0]
        kept = [now.centers[c] for c in range(len(now.centers)) if c not in chosen]
        return np.array([*kept, *(center for c in chosen for center in halves[c][1])])

    def _halves(self, now: _Round, c: int) -> tuple[float, Floats]:
        """Return what two clusters in place of one gain on its points, and their means."""
        members = np.ascontiguousarray(self.X[now.labels == c])
        if _core.count_distinct(members, 2) < 2:
            return 0.0, np.empty((0, 0))
        draws = generator(self.seed, Stage.BASE_RUN, len(now.centers), c).integers(2**63, size=_STARTS)
        fits = [self._two_means(members, int(draw)) for draw in draws]
        labels, centers, sse = min(fits, key=lambda fit: fit[2])
        n_dims, floor = members.shape[1], least_variance(members)
        whole = half_bic(float(((members - members.mean(axis=0)) ** 2).sum()), [len(members)], n_dims, floor)
        return whole - half_bic(sse, np.bincount(labels), n_dims, floor), centers

    def _two_means(self, members: Floats, seed: int) -> tuple[Labels, Floats, float]:
        chosen = _core.seed_points(members, None, 2, "k-means++", seed, 0, 1)
        fitted = _core.kmeans(members, None, members[chosen], self.max_iter, 0.0, 1)
        return fitted[0], fitted[1], float(fitted[2])


def least_variance(X: Floats) -> float:
    """Return the variance below which none is taken: a tiny share of that of all points."""
    return max(_LEAST_VARIANCE * float((X - X[0]).var(axis=0).mean()), float(np.finfo(np.float64).tiny))


def half_bic(sse: float, sizes: ArrayLike, n_dims: int, floor: float) -> float:
    """Return half the Bayesian information criterion of spherical Gaussians around the means.

    All have one variance, the most likely one: X-means divides by n - k instead of n.
    """
    n_each: Ids = np.asarray(sizes)
    n, k = int(n_each.sum()), len(n_each)
    variance = max(sse / (n * n_dims), floor)
    shares = float((n_each * np.log(n_each / n)).sum())
    likelihood = -n * n_dims / 2 * math.log(2 * math.pi * variance) - sse / (2 * variance) + shares
    return k * (n_dims + 1) / 2 * math.log(n) - likelihood
