"""How EM is set, and where it starts: given parameters, responsibilities, or a partition of the points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points, take_off
from intarsia.base.centroid import CentroidBase
from intarsia.validation import check_count, check_distinct, check_option, check_tol

COVARIANCE_TYPES = ("full", "diag", "spherical")
INIT_PARAMS = ("kmeans", "k-means++", "random_from_data")

#: weights, means, covariances
Parameters = tuple[Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class MixtureSettings:
    """How a mixture is fitted: parameters of `GaussianMixture`."""

    covariance_type: str = "full"
    tol: float = 1e-3
    reg_covar: float = 1e-6
    max_iter: int = 100
    n_init: int = 1
    init_params: str = "kmeans"
    weights_init: ArrayLike | None = None
    means_init: ArrayLike | None = None
    precisions_init: ArrayLike | None = None
    resp_init: ArrayLike | None = None

    def __post_init__(self) -> None:
        check_option("covariance_type", self.covariance_type, COVARIANCE_TYPES)
        check_option("init_params", self.init_params, INIT_PARAMS)
        check_count("max_iter", self.max_iter)
        check_count("n_init", self.n_init)
        check_tol(self.tol)
        check_tol(self.reg_covar, name="reg_covar")


@dataclass(frozen=True)
class GaussianStart:
    """The points, what the caller has given of the start, and the seed of the rest."""

    n_components: int
    points: Points
    sample_weight: Floats | None
    seed: int
    settings: MixtureSettings
    weights: Floats | None
    means: Floats | None
    covariances: Floats | None
    responsibilities: Floats | None
    n_threads: int

    @classmethod
    def of(
        cls,
        settings: MixtureSettings,
        n_components: int,
        points: Points,
        sample_weight: Floats | None,
        seed: int,
        n_threads: int,
    ) -> GaussianStart:
        """Check what the caller has given."""
        (n, d), k = points.shape, n_components
        shapes = {"full": (k, d, d), "diag": (k, d), "spherical": (k,)}
        precisions = _given("precisions_init", settings.precisions_init, shapes[settings.covariance_type])
        return cls(
            k,
            points,
            sample_weight,
            seed,
            settings,
            _weights(_given("weights_init", settings.weights_init, (k,))),
            _given("means_init", settings.means_init, (k, d)),
            None if precisions is None else _inverse(precisions),
            _responsibilities(_given("resp_init", settings.resp_init, (n, k))),
            n_threads,
        )

    def seen_from(self, origin: Floats | None) -> GaussianStart:
        """Return the start with an origin taken off all that has a place."""
        means = None if self.means is None else take_off(self.means, origin)
        return replace(self, points=take_off(self.points, origin), means=means)

    def draw(self, task: int) -> Parameters:
        """Return the parameters of one start; only (seed, task) is random in them."""
        if self.weights is not None and self.means is not None and self.covariances is not None:
            return self.weights, self.means, self.covariances
        weights, means, covariances = self._partition_start(task)
        return (
            weights if self.weights is None else self.weights,
            means if self.means is None else self.means,
            covariances if self.covariances is None else self.covariances,
        )

    def _partition_start(self, task: int) -> Parameters:
        s = self.settings
        form = (s.covariance_type, float(s.reg_covar), self.n_threads)
        if self.responsibilities is not None:
            return _core.gmm_from_responsibilities(
                self.points, self.sample_weight, self.responsibilities, *form
            )
        labels = self._labels(task)
        return _core.gmm_from_labels(self.points, self.sample_weight, labels, self.n_components, *form)

    def _labels(self, task: int) -> Labels:
        s, threads = self.settings, self.n_threads
        if self.means is not None:
            return _core.assign_to_centres(self.points, self.sample_weight, self.means, threads)[0]
        check_distinct(self.points, self.sample_weight, self.n_components)
        if s.init_params == "kmeans":
            kmeans = CentroidBase("kmeans", init="k-means++", tol=1e-4, max_iter=300)
            return kmeans.fit(
                self.points,
                self.n_components,
                weights=self.sample_weight,
                seed=self.seed,
                task=task,
                n_threads=threads,
            ).labels
        how = "random" if s.init_params == "random_from_data" else s.init_params
        seeds = _core.seed_points(
            self.points, self.sample_weight, self.n_components, how, self.seed, task, threads
        )
        centres = self.points[seeds].astype(np.float64)
        return _core.assign_to_centres(self.points, self.sample_weight, centres, threads)[0]


def _given(name: str, value: ArrayLike | None, shape: tuple[int, ...]) -> Floats | None:
    if value is None:
        return None
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name}.shape={array.shape} should be {shape}.")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} should hold finite numbers only.")
    return array


def _weights(weights: Floats | None) -> Floats | None:
    if weights is None:
        return None
    if not (weights > 0).all() or abs(weights.sum() - 1) > 1e-6:
        raise ValueError(f"weights_init should be > 0 and sum to 1, got a sum of {weights.sum():g}.")
    return np.asarray(weights / weights.sum())


def _responsibilities(shares: Floats | None) -> Floats | None:
    if shares is None:
        return None
    if (shares < 0).any() or not np.allclose(shares.sum(axis=1), 1):
        raise ValueError("resp_init should be >= 0 and its rows should sum to 1.")
    return shares


def _inverse(precisions: Floats) -> Floats:
    if precisions.ndim < 3:
        if not (precisions > 0).all():
            raise ValueError("precisions_init should be > 0.")
        return np.asarray(1 / precisions)
    try:
        np.linalg.cholesky(precisions)
    except np.linalg.LinAlgError:
        raise ValueError("precisions_init should hold positive definite matrices.") from None
    return np.ascontiguousarray(np.linalg.inv(precisions))
