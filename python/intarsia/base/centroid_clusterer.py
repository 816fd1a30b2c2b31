"""What every scikit-learn estimator with centres can do once it is fitted, however it came to them."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
from sklearn.base import ClassNamePrefixFeaturesOutMixin as NamesOut
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia import _core
from intarsia.arrays import Fitted, Floats, Labels, Points, origin_of, take_off
from intarsia.executor import resolve_threads
from intarsia.validation import is_plain


class CentroidClusterer(NamesOut, ClusterMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Predict, transform and score by `cluster_centers_`."""

    cluster_centers_: Floats
    n_threads: int | None

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        # On small data scikit-learn's checks take longer than the clustering: plain arrays need none of them.
        if is_plain(X) and self._takes_width(X.shape[1], reset):
            return X
        X = validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], order="C")
        return np.ascontiguousarray(X)

    def _takes_width(self, n_features: int, reset: bool) -> bool:
        if hasattr(self, "feature_names_in_"):  # to be forgotten, or missed with a warning
            return False
        if reset:
            self.n_features_in_ = n_features
        return n_features == self.n_features_in_

    def _nearest(self, X: ArrayLike, weights: ArrayLike | None = None) -> Fitted:
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        w = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        centers = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return _core.assign_to_centres(points, w, centers, resolve_threads(self.n_threads))

    def predict(self, X: ArrayLike) -> Labels:
        """Return the index of the nearest centre of each point."""
        return self._nearest(X)[0]

    def transform(self, X: ArrayLike) -> Floats:
        """Return the distances of each point to every centre."""
        check_is_fitted(self)
        return distances_to(self._validate(X, reset=False), self.cluster_centers_)

    def score(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """Return minus the sum of squared distances to the nearest centre."""
        return -self._nearest(X, sample_weight)[2]

    @property
    def _n_features_out(self) -> int:
        return int(self.cluster_centers_.shape[0])


def distances_to(X: Points, centres: Floats) -> Floats:
    """Return the distance of each point to each centre; they are products, so that the offset goes first."""
    origin = origin_of(centres)
    near = take_off(centres.astype(np.float64), origin).astype(X.dtype)
    distances: Floats = euclidean_distances(take_off(X, origin), near)
    return distances
