"""Any scikit-learn clusterer as a base clusterer; the package's own estimators too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, signature
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.base.protocol import BaseFit, one_seed
from intarsia.neighbours import Neighbours

#: Where estimators keep their centres, and their cost with its sign.
_CENTERS = ("cluster_centers_", "means_")
_COSTS = {"objective_": 1.0, "inertia_": 1.0, "lower_bound_": -1.0}  # the first that it has


@dataclass(frozen=True, eq=False)
class EstimatorBase:
    """A clusterer with ``fit_predict``; each fit is that of a fresh copy.

    Attributes
    ----------
    estimator : object
        Its ``n_clusters`` (or ``n_components``), ``random_state``, ``n_threads`` are set where it has them.
    writes : bool
        Whether it may write into the points that it is given: then it gets a copy.
    """

    estimator: Any
    writes: bool = True

    @classmethod
    def of(cls, estimator: Any, options: Mapping[str, Any], *, writes: bool) -> EstimatorBase:
        """Return it with some of its parameters changed; the one given stays as it is."""
        return cls(_changed(clone(estimator), options), writes)

    @property
    def takes_weights(self) -> bool:
        """Whether ``fit_predict`` passes a ``sample_weight`` on."""
        given = signature(self.estimator.fit_predict).parameters
        if "sample_weight" in given:
            return True
        passes_on = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in given.values())
        return passes_on and "sample_weight" in signature(self.estimator.fit).parameters

    @property
    def is_soft(self) -> bool:
        """Whether it has ``predict_proba``."""
        return hasattr(self.estimator, "predict_proba")

    @property
    def predicts(self) -> bool:
        """Whether it has ``predict``."""
        return hasattr(self.estimator, "predict")

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
    ) -> EstimatorFit:
        """See `BaseClusterer.fit`; ``random_state`` is `one_seed`. It knows no clock."""
        model = self._fresh({"random_state": one_seed(seed, task), "n_threads": n_threads}, n_clusters)
        own = X.copy() if self.writes else X
        weighted = {"sample_weight": weights} if weights is not None and self.takes_weights else {}
        found = _checked(np.asarray(model.fit_predict(own, **weighted)), len(X), self.estimator)
        names = _names(found)
        if len(names) == 0 or names[-1] < max(n_clusters, len(names)):
            names = np.arange(max(n_clusters, len(names)))  # its own numbers will do
        return EstimatorFit(
            _renamed(found, names), _centers(model), _cost(model), _n_iter(model), model, X, names
        )

    def _fresh(self, settings: dict[str, Any], n_clusters: int) -> Any:
        model = clone(self.estimator)
        names = model.get_params()
        # spectral clustering has both; its n_components are something else
        counted = "n_clusters" if "n_clusters" in names else "n_components"
        wanted = {counted: n_clusters, **settings}
        return _changed(model, {name: value for name, value in wanted.items() if name in names})


@dataclass(frozen=True, eq=False)
class EstimatorFit(BaseFit):
    """What an estimator found; new points are labelled by it, or by their nearest neighbours."""

    model: Any = None
    points: Points | None = None
    names: Ids | None = None

    def label(self, X: Points, n_threads: int = 1) -> Labels:
        """Return what ``predict`` says; without it, the label of the nearest point that has one."""
        if not hasattr(self.model, "predict"):
            nearest = self._neighbours.nearest(1, X)[0][:, 0]
            return np.asarray(self.labels[self.labels >= 0][nearest])
        assert self.names is not None
        return _renamed(np.asarray(self.model.predict(X)), self.names)

    def memberships(self, X: Points, n_threads: int = 1) -> Floats:
        """Return what ``predict_proba`` says."""
        if not hasattr(self.model, "predict_proba"):
            return super().memberships(X, n_threads)
        return np.asarray(self.model.predict_proba(X), dtype=np.float64)

    @cached_property
    def _neighbours(self) -> Neighbours:
        known = self.labels >= 0
        if not known.any():
            raise ValueError(f"{self.model!r} left every point out: it has no cluster for new ones.")
        assert self.points is not None
        return Neighbours(self.points[known], 1)


def _changed(model: Any, params: Mapping[str, Any]) -> Any:
    # one that has nothing to set needs no set_params: `check_base` promises that get_params is enough
    return model.set_params(**params) if params else model


def _checked(labels: NDArray[Any], n_samples: int, base: Any) -> NDArray[Any]:
    if labels.shape != (n_samples,) or labels.dtype.kind not in "iu":
        raise ValueError(
            f"base={base!r} gave labels of shape {labels.shape} and type {labels.dtype}, need {n_samples} "
            "whole numbers."
        )
    return labels


def _names(found: NDArray[Any]) -> Ids:
    """Return the labels from 0 up that there are, ascending."""
    known = found[found >= 0].astype(np.int64)
    if known.max(initial=0) < len(known):
        return np.flatnonzero(np.bincount(known))
    return np.unique(known)


def _renamed(found: NDArray[Any], names: Ids) -> Labels:
    """Return places among the names; names that are new come after them, negative ones stay out."""
    n = len(names)
    if np.array_equal(names, np.arange(n)) and found.max(initial=-1) < n:  # nothing to sort
        same: Labels = np.maximum(found, -1).astype(np.int32)
        return same
    new = np.setdiff1d(found[found >= 0], names)
    every = np.concatenate([names, new])
    order = np.argsort(every, kind="stable")
    labels = order[np.minimum(np.searchsorted(every, found, sorter=order), len(every) - 1)]
    return np.where(found >= 0, labels, -1).astype(np.int32)


def _centers(model: Any) -> Floats | None:
    for name in _CENTERS:
        centers = getattr(model, name, None)
        if isinstance(centers, np.ndarray):
            return np.ascontiguousarray(centers, dtype=np.float64)
    return None


def _cost(model: Any) -> float | None:
    for name, sign in _COSTS.items():
        if hasattr(model, name):
            return sign * float(getattr(model, name))
    return None


def _n_iter(model: Any) -> int:
    count = getattr(model, "n_iter_", None)
    return 0 if count is None else int(np.max(count))
