"""One member: a pure function of its number, the points, the settings and the seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Labels
from intarsia.base import BaseClusterer, CentroidBase, base_clusterer
from intarsia.ensemble.generate.settings import MemberSettings
from intarsia.streams import generator


@dataclass(frozen=True)
class GenerationTask:
    """The points and settings that all members share."""

    X: Floats
    settings: MemberSettings
    seed: int


def make_member(number: int, task: GenerationTask) -> NDArray[Any]:
    """Return labels (-1: missing) or, for soft members, memberships (zeros: missing) of all points."""
    rng = generator(task.seed, Stage.MEMBERS, number)
    settings = task.settings
    k = int(rng.integers(settings.k[0], settings.k[1] + 1))
    X = _view(task.X, settings, rng)
    if settings.hyperplanes is not None:
        rows = _chosen_rows(len(X), settings, rng)
        return _spread(_cells(X, settings.hyperplanes, rng)[rows], rows, len(X))
    return _clustered(X, k, number, task, rng)


def _view(X: Floats, settings: MemberSettings, rng: Generator) -> Floats:
    """Take some features, then some random directions."""
    if settings.n_features is not None:
        X = X[:, np.sort(rng.choice(X.shape[1], settings.n_features, replace=False))]
    if settings.projection is not None:
        X = X @ rng.standard_normal((X.shape[1], settings.projection))
    return np.ascontiguousarray(X)


def _cells(X: Floats, n_planes: int, rng: Generator) -> Labels:
    """Cut the points by random hyperplanes, each through the middle of two random points."""
    normals = rng.standard_normal((X.shape[1], n_planes))
    ends = X[rng.integers(len(X), size=(2, n_planes))]
    offsets = np.einsum("pd,dp->p", ends.mean(axis=0), normals)
    sides = X @ normals > offsets
    return np.unique(sides, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)


def _chosen_rows(n: int, settings: MemberSettings, rng: Generator) -> NDArray[np.int64]:
    if settings.bootstrap:
        return np.sort(rng.integers(n, size=n))
    if settings.n_rows is None or settings.n_rows == n:
        return np.arange(n)
    return np.sort(rng.choice(n, settings.n_rows, replace=False))


def _clustered(X: Floats, k: int, number: int, task: GenerationTask, rng: Generator) -> NDArray[Any]:
    settings = task.settings
    rows = _chosen_rows(len(X), settings, rng)
    part = np.ascontiguousarray(X[rows]) if settings.bootstrap or len(rows) < len(X) else X
    k = _core.count_distinct(part, k)  # a view with few features may have fewer distinct points than k
    clusterer = base_clusterer(settings.bases[number % len(settings.bases)])  # in turn
    fit = clusterer.fit(part, k, **_stream(clusterer, number, task, rng))
    # a bootstrap run labels all points, also those it did not draw, where the base can predict
    if settings.bootstrap and clusterer.predicts:
        return fit.memberships(X) if settings.soft else fit.label(X)
    return _spread(fit.memberships(part) if settings.soft else fit.labels, rows, len(X))


def _stream(clusterer: BaseClusterer, number: int, task: GenerationTask, rng: Generator) -> dict[str, Any]:
    if isinstance(clusterer, CentroidBase):
        return {"seed": task.seed, "task": number}
    return {"seed": int(rng.integers(2**31 - 1)), "task": None}  # one number is all that an estimator takes


def _spread(found: NDArray[Any], rows: NDArray[np.int64], n: int) -> NDArray[Any]:
    """Give the chosen rows what was found for them; the others are missing."""
    if len(rows) == n and found.ndim == 1 and (np.diff(rows) == 1).all():
        return found
    missing = -1 if found.ndim == 1 else 0
    out = np.full((n, *found.shape[1:]), missing, dtype=found.dtype)
    out[rows] = found
    return out
