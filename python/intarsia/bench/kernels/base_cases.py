"""EM, fuzzy c-means and k-modes by us and by others: the same start, an objective neither side wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture as SklearnMixture

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base.fuzzy_c_means import FuzzyCMeans
from intarsia.base.gaussian_mixture import GaussianMixture
from intarsia.bench.cases import Case, case_points, start_of

N_FEATURES, N_CLUSTERS, N_CATEGORIES = 8, 10, 6
MAX_ITER, N_SWAPS = 100, 20
NOISE = 0.3  # share of categories drawn anew: clusters overlap


@dataclass(frozen=True)
class Fit:
    """What a fit found: something the case's objective understands, and how many iterations it took."""

    found: Any
    n_iter: int


@dataclass(frozen=True)
class BaseCase:
    """One method: its data and start, who fits it, and its objective (lower is better)."""

    name: str
    peer: str
    wanted_ratio: float
    data: Callable[[int], tuple[NDArray[Any], Any]]
    ours: Callable[[NDArray[Any], Any], Fit]
    theirs: Callable[[NDArray[Any], Any], Fit]
    objective: Callable[[NDArray[Any], Any], float]

    def fitter(self, library: str, data: NDArray[Any], start: Any) -> Callable[[], Fit]:
        """Return a callable that fits once."""
        fit = self.ours if library == "intarsia" else self.theirs
        return lambda: fit(data, start)


def _blobs(n_samples: int) -> tuple[Floats, Floats]:
    X = case_points(Case("blobs", n_samples, N_FEATURES, N_CLUSTERS), None).astype(np.float64)
    return X, start_of(X[: 100 * N_CLUSTERS], N_CLUSTERS).astype(np.float64)


def _mixture_start(covariance_type: str) -> Callable[[int], tuple[Floats, Any]]:
    def data(n_samples: int) -> tuple[Floats, Any]:
        X, centres = _blobs(n_samples)
        labels = _core.assign_to_centres(X, None, centres, 1)[0]
        return X, _core.gmm_from_labels(X, None, labels, N_CLUSTERS, covariance_type, 1e-6, 1)

    return data


def _mixture_fit(cls: Any, covariance_type: str, **more: Any) -> Callable[[NDArray[Any], Any], Fit]:
    def fit(X: NDArray[Any], start: Any) -> Fit:
        weights, means, covariances = start
        precisions = np.linalg.inv(covariances) if covariances.ndim == 3 else 1 / covariances
        given = {"weights_init": weights, "means_init": means, "precisions_init": precisions}
        model = cls(N_CLUSTERS, covariance_type=covariance_type, max_iter=MAX_ITER, **given, **more).fit(X)
        return Fit((model.weights_, model.means_, model.covariances_), int(model.n_iter_))

    return fit


def minus_log_likelihood(X: NDArray[Any], mixture: Any) -> float:
    """Return minus the mean log-likelihood, by SciPy's densities."""
    weights, means, covariances = mixture
    parts = [
        np.log(weight) + multivariate_normal(mean, covariance).logpdf(X)
        for weight, mean, covariance in zip(weights, means, covariances, strict=True)
    ]
    return -float(np.logaddexp.reduce(parts, axis=0).mean())


def _fuzzy_ours(X: NDArray[Any], start: Floats) -> Fit:
    model = FuzzyCMeans(N_CLUSTERS, init=start, max_iter=1000, n_threads=1).fit(X)
    return Fit(model.cluster_centers_, model.n_iter_)


def _fuzzy_theirs(X: NDArray[Any], start: Floats) -> Fit:
    from skfuzzy import cmeans

    shares = 1 / _squared_distances(X, start)
    shares /= shares.sum(axis=0)
    found = cmeans(X.T, N_CLUSTERS, 2.0, error=0.005, maxiter=1000, init=shares)
    return Fit(found[0], int(found[5]))


def _squared_distances(X: NDArray[Any], centres: Floats) -> Floats:
    distances = np.stack([((X - centre) ** 2).sum(axis=1) for centre in centres])
    return np.asarray(np.maximum(distances, 1e-290))


def fuzzy_objective(X: NDArray[Any], centres: Floats) -> float:
    """Return the fuzzy c-means objective (m = 2) of centres with their best memberships."""
    return float((1 / (1 / _squared_distances(X, centres)).sum(axis=0)).sum())


def _categories(n_samples: int) -> tuple[Labels, Labels]:
    rng = np.random.default_rng(3)
    modes = rng.integers(N_CATEGORIES, size=(N_CLUSTERS, N_FEATURES))
    rows = modes[rng.integers(N_CLUSTERS, size=n_samples)]
    noisy = rng.random(rows.shape) < NOISE
    rows[noisy] = rng.integers(N_CATEGORIES, size=int(noisy.sum()))
    distinct = np.unique(rows[: 100 * N_CLUSTERS], axis=0)
    start = distinct[rng.choice(len(distinct), N_CLUSTERS, replace=False)]
    return rows.astype(np.int32), start.astype(np.int32)


def _modes_ours(rows: NDArray[Any], start: Labels) -> Fit:
    n, d = rows.shape
    ensemble = _core.LabelEnsemble(rows, np.full(d, N_CATEGORIES), None, np.ones(d), np.ones(n))
    nearest = ensemble.nearest(start, 1)
    found = ensemble.improve_kmodes(nearest, N_CLUSTERS, MAX_ITER, N_SWAPS, 0, 1)
    return Fit(found[0], found[2])


def _modes_theirs(rows: NDArray[Any], start: Labels) -> Fit:
    from kmodes.kmodes import KModes

    model = KModes(N_CLUSTERS, init=start, n_init=1, max_iter=MAX_ITER).fit(rows)
    return Fit(model.labels_, int(model.n_iter_))


def mode_cost(rows: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the number of categories that are not the commonest of their cluster."""
    cost = rows.size
    for cluster in np.unique(labels):
        cost -= sum(int(np.bincount(column).max()) for column in rows[labels == cluster].T)
    return float(cost)


def _mixture_case(covariance_type: str) -> BaseCase:
    return BaseCase(
        f"EM {covariance_type}",
        "sklearn",
        1.5,
        _mixture_start(covariance_type),
        _mixture_fit(GaussianMixture, covariance_type, n_threads=1),
        _mixture_fit(SklearnMixture, covariance_type),
        _of_any_form(minus_log_likelihood),
    )


def _of_any_form(objective: Callable[[NDArray[Any], Any], float]) -> Callable[[NDArray[Any], Any], float]:
    def as_matrices(X: NDArray[Any], mixture: Any) -> float:
        weights, means, covariances = mixture
        full = covariances if covariances.ndim == 3 else np.stack([np.diag(row) for row in covariances])
        return objective(X, (weights, means, full))

    return as_matrices


CASES: dict[str, BaseCase] = {
    case.name: case
    for case in (
        _mixture_case("full"),
        _mixture_case("diag"),
        BaseCase("FCM", "skfuzzy", 3.0, _blobs, _fuzzy_ours, _fuzzy_theirs, fuzzy_objective),
        BaseCase("k-modes", "kmodes", 3.0, _categories, _modes_ours, _modes_theirs, mode_cost),
    )
}
