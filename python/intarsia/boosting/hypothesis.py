"""A round's hypothesis: how much any point belongs to each cluster that the round found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Points
from intarsia.base.protocol import BaseClusterer, BaseFit

#: Fuzzy memberships of this exponent are inversely proportional to the distance: the paper's.
FUZZINESS = 3.0


class Hypothesis(Protocol):
    """Memberships of any points in the clusters of a round."""

    @property
    def centers(self) -> Floats | None:
        """The centres of the clusters, where memberships come from them."""
        ...

    def memberships(self, X: Points, n_threads: int, out: Floats | None = None) -> Floats:
        """Return an array of shape (n_samples, n_clusters); it may be `out`, of that shape."""
        ...


@dataclass(frozen=True, eq=False)
class ByCenters:
    """Memberships inversely proportional to the distance; a point on a centre belongs to it alone."""

    centers: Floats

    def memberships(self, X: Points, n_threads: int, out: Floats | None = None) -> Floats:
        """Return them; rows sum to 1."""
        if out is not None and out.shape != (len(X), len(self.centers)):
            out = None
        return _core.fuzzy_memberships(X, self.centers, FUZZINESS, n_threads, out)


@dataclass(frozen=True, eq=False)
class ByModel:
    """Memberships of a soft clusterer such as a Gaussian mixture."""

    fit: BaseFit
    centers: None = None

    def memberships(self, X: Points, n_threads: int, out: Floats | None = None) -> Floats:
        """Return them; rows sum to 1."""
        return np.ascontiguousarray(self.fit.memberships(X, n_threads), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ByLabels:
    """A hard clusterer without centres: every point belongs to one cluster, as the clusterer labels it."""

    fit: BaseFit
    centers: None = None

    def memberships(self, X: Points, n_threads: int, out: Floats | None = None) -> Floats:
        """Return ones and zeros; a row of zeros where the clusterer leaves a point out."""
        labels = self.fit.label(X, n_threads)
        n_clusters = int(self.fit.labels.max()) + 1
        if labels.max() >= n_clusters:
            raise ValueError(f"label {labels.max()} of a new point is none of the {n_clusters} fitted ones.")
        found = np.zeros((len(X), n_clusters))
        known = np.flatnonzero(labels >= 0)
        found[known, labels[known]] = 1.0
        return found


def hypothesis_of(fit: BaseFit, base: BaseClusterer) -> Hypothesis:
    """Return what a fit says of any point.

    Centres speak where the clusterer has them, for fuzzy c-means too, as the paper has it; other soft
    clusterers speak for themselves: a Gaussian mixture is more than its means.
    """
    if base.is_soft and not _is_fuzzy(base):
        return ByModel(fit)
    if fit.centers is None:
        return ByLabels(fit)
    if not np.isfinite(fit.centers).all():
        raise ValueError("the base clusterer gave centres that are not finite.")
    return ByCenters(np.ascontiguousarray(fit.centers))


def _is_fuzzy(base: BaseClusterer) -> bool:
    from intarsia.base.fuzzy_c_means import FuzzyCMeans  # here: a k-means need not wait for scikit-learn

    return isinstance(getattr(base, "estimator", None), FuzzyCMeans)
