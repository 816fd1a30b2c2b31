"""k-means and what goes on from it: clusters by their means, one run a pure function of its stream."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points, origin_of, put_back, take_off
from intarsia.base.protocol import BaseFit
from intarsia.base.registry import CENTROID_METHODS
from intarsia.clock import Clock
from intarsia.validation import check_count, check_option, check_tol

INITS = ("random", "k-means++")


@dataclass(frozen=True)
class CentroidBase:
    """A base clusterer with centres.

    Attributes
    ----------
    method : {"kmeans", "hk-means", "random-swap", "j-means", "vns"}
        Lloyd; Lloyd and single-point moves; these and random swaps, the best jumps of centres to points, or
        random jumps of more and more centres.
    init : {"random", "k-means++"} or array of shape (n_clusters, n_features)
        k distinct random points, greedy k-means++, or given centres.
    max_iter, tol
        Limits of Lloyd's iterations; ``tol=0`` runs until no label changes.
    n_swaps : int
        Number of swaps that random swap tries, and of shakes that vns does.
    start_swaps : int
        Swaps of local search on k-means++ starts, so many for each cluster.
    """

    method: str = "hk-means"
    init: str | Floats = "random"
    max_iter: int = 1000
    tol: float = 0.0
    n_swaps: int = 1000
    start_swaps: int = 0

    takes_weights = True
    is_soft = False
    predicts = True

    def __post_init__(self) -> None:
        check_option("method", self.method, CENTROID_METHODS)
        if isinstance(self.init, str):
            check_option("init", self.init, INITS)
        check_count("max_iter", self.max_iter)
        check_count("n_swaps", self.n_swaps, least=0)
        check_tol(self.tol)

    def fit(
        self,
        X: Points,
        n_clusters: int,
        *,
        weights: Floats | None = None,
        seed: int = 0,
        task: int = 0,
        n_threads: int = 1,
        seconds: float = inf,
    ) -> BaseFit:
        """See `BaseClusterer.fit`; the cost is the weighted sum of squared distances."""
        clock, origin = Clock(None if seconds == inf else seconds), origin_of(X)
        run = _Run(take_off(X, origin), weights, n_clusters, seed, task, n_threads, clock)
        found = self._from_origin(origin)._run(run)
        assert found.centers is not None
        return replace(found, centers=put_back(found.centers, origin))

    def _from_origin(self, origin: Floats | None) -> CentroidBase:
        if origin is None or isinstance(self.init, str):
            return self
        return replace(self, init=self.init - origin)

    def _run(self, run: _Run) -> BaseFit:
        lloyd = self._lloyd(run)
        if self.method == "kmeans" or run.n_clusters == 1 or run.clock.is_over():
            return lloyd
        return self._search_further(lloyd, run)

    def _lloyd(self, run: _Run) -> BaseFit:
        start, limits = self._start(run), (self.max_iter, self.tol)
        return BaseFit(
            *_core.kmeans(run.X, run.weights, start, *limits, run.n_threads, run.clock.remaining())[:4]
        )

    def _start(self, run: _Run) -> Floats:
        if not isinstance(self.init, str):
            return np.ascontiguousarray(self.init, dtype=np.float64)
        half = run.clock.remaining() / 2  # starts without a run are of no use
        chosen = _core.seed_points(
            run.X,
            run.weights,
            run.n_clusters,
            self.init,
            run.seed,
            run.task,
            run.n_threads,
            half,
            self.start_swaps * run.n_clusters,
        )
        return run.X[chosen].astype(np.float64)

    def _search_further(self, lloyd: BaseFit, run: _Run) -> BaseFit:
        # Moves work in float64 on points that have weight; the others follow their nearest centre.
        heavy = run.heavy()
        X = np.ascontiguousarray(run.X[heavy], dtype=np.float64)
        weights = None if run.weights is None else np.ascontiguousarray(run.weights[heavy])
        labels = _fill_gaps(np.ascontiguousarray(lloyd.labels[heavy]), X, weights, run.n_clusters)
        labels = self._moves(X, weights, labels, run)
        centers, _, inertia = _core.summarise(X, weights, labels, run.n_clusters)
        if not isinstance(heavy, slice):
            everywhere = np.ascontiguousarray(run.X, dtype=np.float64)
            nearest = _core.assign_to_centres(everywhere, run.weights, centers, run.n_threads)[0]
            nearest[heavy] = labels
            labels = nearest
        return BaseFit(labels, centers, inertia, lloyd.n_iter)

    def _moves(self, X: Floats, weights: Floats | None, labels: Labels, run: _Run) -> Labels:
        if self.method in ("j-means", "vns"):
            from intarsia.base.jump_search import JumpSearch

            search = JumpSearch(X, weights, run.n_clusters, run.n_threads, run.clock)
            if self.method == "j-means":
                return search.j_means(labels)
            return search.shake(labels, self.n_swaps, run.seed, run.task)
        if self.method == "hk-means":
            return _core.hartigan(X, weights, labels, run.n_clusters, 1, X.shape[0], run.clock.remaining())[0]
        swaps = (self.n_swaps, run.seed, run.task, run.clock.remaining())
        return _core.random_swap(X, weights, labels, run.n_clusters, *swaps)[0]


@dataclass(frozen=True)
class _Run:
    """What one run gets."""

    X: Points
    weights: Floats | None
    n_clusters: int
    seed: int
    task: int
    n_threads: int
    clock: Clock

    def heavy(self) -> NDArray[np.int64] | slice:
        """Return the points of positive weight."""
        w = self.weights
        return slice(None) if w is None or w.all() else np.flatnonzero(w > 0)


def _fill_gaps(labels: Labels, X: Floats, weights: Floats | None, k: int) -> Labels:
    # A cluster that held only weightless points is empty without them: start it at the costliest point.
    sizes = np.bincount(labels, minlength=k)
    for c in np.flatnonzero(sizes == 0):
        means = np.array([X[labels == b].mean(axis=0) if (labels == b).any() else X[0] for b in range(k)])
        cost = (1.0 if weights is None else weights) * ((X - means[labels]) ** 2).sum(axis=1)
        cost[np.bincount(labels, minlength=k)[labels] < 2] = -1.0
        labels[int(np.argmax(cost))] = c
    return labels
