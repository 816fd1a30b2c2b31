"""Gaussian mixtures by EM: how one is fitted, and what one fit gives; `GaussianMixture` adds scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points, origin_of, put_back
from intarsia.base.gaussian_start import GaussianStart, MixtureSettings
from intarsia.base.protocol import BaseFit, one_seed

_FORMS = {3: "full", 2: "diag", 1: "spherical"}  # by the dimensions of the covariances


class Mixture(NamedTuple):
    """What a run of EM found; fields are the attributes of `GaussianMixture`."""

    weights: Floats
    means: Floats
    covariances: Floats
    lower_bound: float
    n_iter: int
    converged: bool

    def posteriors(self, X: Points, n_threads: int = 1) -> tuple[Floats, Floats]:
        """Return the responsibility of each component for each point, and each point's log-likelihood."""
        form = _FORMS[self.covariances.ndim]
        return _core.gmm_posteriors(X, self.weights, self.means, self.covariances, form, n_threads)


@dataclass(frozen=True, eq=False)
class MixtureBase(MixtureSettings):
    """A base clusterer with Gaussians."""

    takes_weights = True
    is_soft = True
    predicts = True

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
    ) -> MixtureFit:
        """See `BaseClusterer.fit` and `one_seed`; the cost is minus the mean log-likelihood.

        EM knows no clock: it goes on to its end.
        """
        origin = origin_of(X)
        start = GaussianStart.of(self, n_clusters, X, weights, one_seed(seed, task), n_threads)
        start = start.seen_from(origin)
        best = best_mixture([self.run(number, start) for number in range(self.n_init)], origin)
        labels = likeliest(best.posteriors(X, n_threads)[0])
        return MixtureFit(labels, best.means, -best.lower_bound, best.n_iter, best)

    def run(self, number: int, start: GaussianStart) -> Mixture:
        """Return what EM finds from one start."""
        return Mixture(
            *_core.gmm(
                start.points,
                start.sample_weight,
                *start.draw(number),
                self.covariance_type,
                self.max_iter,
                float(self.tol),
                float(self.reg_covar),
                start.n_threads,
            )
        )


@dataclass(frozen=True, eq=False)
class MixtureFit(BaseFit):
    """A mixture; a point belongs to its likeliest component."""

    mixture: Mixture | None = None

    def label(self, X: Points, n_threads: int = 1) -> Labels:
        """Return the likeliest components of any points."""
        assert self.mixture is not None
        return likeliest(self.mixture.posteriors(X, n_threads)[0])

    def memberships(self, X: Points, n_threads: int = 1) -> Floats:
        """Return how responsible each component is for any points."""
        assert self.mixture is not None
        return self.mixture.posteriors(X, n_threads)[0]


def best_mixture(runs: Sequence[Mixture], origin: Floats | None) -> Mixture:
    """Return the run of highest likelihood, the first where several are equal, with the origin put back."""
    best = max(runs, key=lambda run: run.lower_bound)
    return best._replace(means=put_back(best.means, origin))


def likeliest(responsibilities: Floats) -> Labels:
    """Return the most responsible component of each point."""
    return np.asarray(np.argmax(responsibilities, axis=1), dtype=np.int32)
