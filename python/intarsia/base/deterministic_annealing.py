"""Deterministic annealing: clusters split one by one while the points cool down."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.base.centroid_clusterer import CentroidClusterer
from intarsia.executor import resolve_threads
from intarsia.validation import (
    check_count,
    check_distinct,
    check_n_clusters,
    check_positive,
    check_spread,
    check_weights,
)

_END = 1e-6  # of the first temperature, unless told otherwise
_AT_REST = 1e-3  # of a typical distance at a temperature: centres that move less are at rest
_APART = 1e-2  # of the same: how far the halves of a split are set from each other
_PARTED = 0.3  # of the same: halves that are nearer are still one, and do not split again


class DeterministicAnnealing(CentroidClusterer):
    """Deterministic annealing (Rose 1998): soft clusters that harden as a temperature falls.

    At each temperature points spread over the centres by exp(-squared distance / temperature) times the
    centres' shares; a centre whose points' largest variance passes half the temperature splits. At the end
    Lloyd's algorithm follows. Nothing is random.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    cooling : float
        Factor, between 0 and 1, by which the temperature falls.
    t_min : float, optional
        Last temperature, in squared units of the data; by default a millionth of the first.
    max_iter : int
        Limit of iterations at a temperature.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Attributes
    ----------
    labels_, cluster_centers_, inertia_
        Clusters, their means, and the sum of squared distances to them.
    n_iter_ : int
        Iterations at all temperatures.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        cooling: float = 0.91,
        t_min: float | None = None,
        max_iter: int = 100,
        n_threads: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.cooling = cooling
        self.t_min = t_min
        self.max_iter = max_iter
        self.n_threads = n_threads

    def fit(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> DeterministicAnnealing:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points; float32 is widened.
        y : ignored
        sample_weight : array of shape (n_samples,), optional
            Weights >= 0.
        """
        points = np.ascontiguousarray(self._validate(X, reset=True), dtype=np.float64)
        weights = check_weights(sample_weight, len(points))
        k = check_n_clusters(self.n_clusters, len(points))
        self._check_parameters()
        check_spread(points, weights)
        check_distinct(points, weights, k)
        cooling = _Cooling(points, weights, k, self.max_iter, resolve_threads(self.n_threads))
        centers = cooling.cool(self.cooling, self.t_min)
        hard = _core.kmeans(points, weights, centers, 1000, 0.0, cooling.n_threads)
        self.labels_, self.cluster_centers_, self.inertia_ = hard[0], hard[1], float(hard[2])
        self.n_iter_ = cooling.n_iter + int(hard[3])
        return self

    def _check_parameters(self) -> None:
        if not 0 < check_positive("cooling", self.cooling) < 1:
            raise ValueError(f"cooling={self.cooling} should be between 0 and 1.")
        if self.t_min is not None:
            check_positive("t_min", self.t_min)
        check_count("max_iter", self.max_iter)


@dataclass
class _Cooling:
    X: Floats
    weights: Floats | None
    k: int
    max_iter: int
    n_threads: int
    n_iter: int = 0

    def cool(self, rate: float, t_min: float | None) -> Floats:
        """Return as many centres as clusters are wanted."""
        w = np.ones(len(self.X)) if self.weights is None else self.weights
        self.centers = np.average(self.X, axis=0, weights=w)[None, :]
        self.shares = np.ones(1)
        self.twins = np.zeros(1, dtype=np.int64)  # with whom each centre was one before it split
        temperature = 2.1 * float(self._widest(1.0)[0][0])
        last = _END * temperature if t_min is None else t_min
        while temperature > last:
            self._come_to_rest(temperature)
            if len(self.centers) < self.k:
                self._split(temperature, forced=False)
            temperature *= rate
        while len(self.centers) < self.k:
            self._split(max(temperature, math.ulp(0.0)), forced=True)
        return np.ascontiguousarray(self.centers)

    def _come_to_rest(self, temperature: float) -> None:
        for _ in range(self.max_iter):
            self.n_iter += 1
            mass, sums, _ = self._moments(temperature, with_products=False)
            moved = sums / np.maximum(mass, np.finfo(float).tiny)[:, None]
            moved[mass <= 0] = self.centers[mass <= 0]
            shift = float(((moved - self.centers) ** 2).sum(axis=1).max())
            self.centers, self.shares = moved, _shares(mass)
            if shift <= _AT_REST**2 * temperature:
                return

    def _moments(self, temperature: float, with_products: bool) -> tuple[Floats, Floats, Floats]:
        d = self.X.shape[1]
        mass, sums, products = _core.annealed_moments(
            self.X, self.weights, self.centers, self.shares, temperature, with_products, self.n_threads
        )
        return mass, sums.reshape(-1, d), products.reshape(-1, d, d) if with_products else products

    def _widest(self, temperature: float) -> tuple[Floats, Floats, Floats]:
        """Return the largest variance of each centre's points, its direction, and their mass."""
        mass, _, products = self._moments(temperature, with_products=True)
        variances, directions = np.linalg.eigh(
            products / np.maximum(mass, np.finfo(float).tiny)[:, None, None]
        )
        return variances[:, -1], directions[:, :, -1], mass

    def _split(self, temperature: float, forced: bool) -> None:
        """Split the centres too wide for the temperature, the widest first; forced, the costliest."""
        widest, directions, mass = self._widest(temperature)
        wanted = mass * widest if forced else widest
        order = np.argsort(-wanted, kind="stable")
        is_due = (2 * widest > temperature) & self._have_parted(temperature)
        chosen = order[:1] if forced else order[is_due[order]]
        chosen = chosen[: self.k - len(self.centers)]
        length = np.sqrt(widest[chosen]) if forced else np.full(len(chosen), _APART * math.sqrt(temperature))
        steps = directions[chosen] * length[:, None] / 2
        others = self.centers[chosen] - steps
        self.centers[chosen] += steps
        self.shares[chosen] /= 2
        self.twins[chosen] = len(self.centers) + np.arange(len(chosen))
        self.twins = np.concatenate([self.twins, chosen])
        self.centers = np.concatenate([self.centers, others])
        self.shares = np.concatenate([self.shares, self.shares[chosen]])

    def _have_parted(self, temperature: float) -> NDArray[np.bool_]:
        """Tell which centres are away from their twins; just below their temperature halves part slowly."""
        between = ((self.centers - self.centers[self.twins]) ** 2).sum(axis=1)
        is_alone = self.twins == np.arange(len(self.twins))
        parted: NDArray[np.bool_] = is_alone | (between > _PARTED**2 * temperature)
        return parted


def _shares(mass: Floats) -> Floats:
    # a centre that nobody has left keeps a trace, so that its logarithm is a number
    shares: Floats = np.maximum(mass / mass.sum(), 1e-300)
    return shares
