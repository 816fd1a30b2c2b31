"""Gaussian mixtures fitted by EM, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia.arrays import Floats, Labels, Points, origin_of
from intarsia.base.gaussian_start import GaussianStart
from intarsia.base.mixture import Mixture, MixtureBase, best_mixture, likeliest
from intarsia.executor import Executor, executor_for_runs, resolve_threads, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.validation import check_n_clusters, check_weights


class GaussianMixture(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian mixture fitted by EM: one pass over the points an iteration, the same bits for any threads.

    Parameters
    ----------
    n_components : int
        Number of Gaussians.
    covariance_type : {"full", "diag", "spherical"}
        Form of the covariances: shapes (k, d, d), (k, d) and (k,).
    tol : float
        EM stops when the mean log-likelihood changes by less.
    reg_covar : float
        Added to every variance.
    max_iter : int
        Limit of EM iterations a start.
    n_init : int
        Number of starts; the one of highest likelihood is kept.
    init_params : {"kmeans", "k-means++", "random_from_data"}
        Where components start: the clusters of a k-means run, or the points nearest to k seeds.
    weights_init, means_init, precisions_init : arrays, optional
        Given parts of the start; the others come from the start above.
    resp_init : array of shape (n_samples, n_components), optional
        Responsibilities to start from, instead of ``init_params``.
    random_state : int, RandomState, Generator or None
        Seed of the starts.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    executor : Executor, optional
        Who computes the starts; by default these threads, on all ranks of an MPI job.

    Attributes
    ----------
    weights_, means_, covariances_ : arrays
        The mixture.
    lower_bound_ : float
        Mean log-likelihood in the last iteration.
    converged_ : bool
    n_iter_ : int
    labels_ : int32 array of shape (n_samples,)
        The likeliest component of each point.
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        precisions_init: ArrayLike | None = None,
        resp_init: ArrayLike | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.resp_init = resp_init
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> GaussianMixture:
        """Fit the mixture.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points, float64 or float32.
        y : ignored
        sample_weight : array of shape (n_samples,), optional
            Weights >= 0.
        """
        points = self._validate(X, reset=True)
        weights = check_weights(sample_weight, len(points))
        everybody = use_executor(self.executor, self.n_threads)
        check_same_fit(everybody, self, X=points, sample_weight=weights)
        check_n_clusters(self.n_components, len(points), name="n_components")
        base = MixtureBase(**{field.name: getattr(self, field.name) for field in fields(MixtureBase)})
        seed = agreed_seed(self.random_state, everybody)
        executor, n_threads = executor_for_runs(self.n_init, executor=everybody)
        origin = origin_of(points)
        start = GaussianStart.of(base, self.n_components, points, weights, seed, n_threads).seen_from(origin)
        best = best_mixture(executor.map(base.run, range(self.n_init), start), origin)
        self.weights_, self.means_, self.covariances_ = best.weights, best.means, best.covariances
        self.lower_bound_, self.n_iter_, self.converged_ = best.lower_bound, best.n_iter, best.converged
        self.labels_ = self.predict(points)
        return self

    def predict(self, X: ArrayLike) -> Labels:
        """Return the likeliest component of each point."""
        return likeliest(self._posteriors(X)[0])

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the responsibility of each component for each point."""
        return self._posteriors(X)[0]

    def score_samples(self, X: ArrayLike) -> Floats:
        """Return the log-likelihood of each point."""
        return self._posteriors(X)[1]

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Return the mean log-likelihood."""
        return float(self.score_samples(X).mean())

    def bic(self, X: ArrayLike) -> float:
        """Return the Bayesian information criterion: lower is better."""
        likelihoods = self.score_samples(X)
        return float(self._n_parameters() * np.log(len(likelihoods)) - 2 * likelihoods.sum())

    def aic(self, X: ArrayLike) -> float:
        """Return the Akaike information criterion: lower is better."""
        return float(2 * self._n_parameters() - 2 * self.score_samples(X).sum())

    def _n_parameters(self) -> int:
        k, d = self.means_.shape
        per_covariance = {"full": d * (d + 1) // 2, "diag": d, "spherical": 1}[self.covariance_type]
        return int(k * per_covariance + k * d + k - 1)

    def _posteriors(self, X: ArrayLike) -> tuple[Floats, Floats]:
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        ended = (self.lower_bound_, self.n_iter_, self.converged_)
        mixture = Mixture(self.weights_, self.means_, self.covariances_, *ended)
        return mixture.posteriors(points, resolve_threads(self.n_threads))

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        X = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], order="C")
        return np.ascontiguousarray(X)
