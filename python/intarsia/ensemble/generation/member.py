"""One member: a pure function of its number, the points, the settings and the seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.base import clone

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base.runs import run_once
from intarsia.base.settings import BaseSettings
from intarsia.ensemble.generation.settings import MemberSettings

_STREAM = 5  # second word of the key: keeps these draws apart from those of the kernels


@dataclass(frozen=True)
class GenerationTask:
    """The points and settings that all members share."""

    X: Floats
    settings: MemberSettings
    seed: int


def make_member(number: int, task: GenerationTask) -> NDArray[Any]:
    """Return labels (-1: missing) or, for soft members, memberships (zeros: missing) of all points."""
    rng = np.random.Generator(np.random.Philox(key=[task.seed, _STREAM], counter=[0, 0, 0, number]))
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
    # a bootstrap run labels all points, also those it did not draw, where the base can predict
    whole = X if settings.bootstrap else None
    if settings.base in ("kmeans", "hk-means"):
        found, predicted = _by_centroids(part, whole, k, number, task)
    else:
        found, predicted = _by_model(part, whole, _model(settings.base, k, rng), settings.soft)
    return found if predicted else _spread(found, rows, len(X))


def _by_centroids(
    part: Floats, whole: Floats | None, k: int, number: int, task: GenerationTask
) -> tuple[Labels, bool]:
    settings = BaseSettings(task.settings.base, n_clusters=k)
    run = run_once(part, np.empty(0), settings, seed=task.seed, task=number)
    if whole is None:
        return run.labels, False
    return _core.assign_to_centres(whole, np.empty(0), run.centers, 1)[0], True


def _by_model(part: Floats, whole: Floats | None, model: Any, soft: bool) -> tuple[NDArray[Any], bool]:
    if soft:
        model.fit(part)
        predicted = whole is not None and hasattr(model, "predict_proba")
        return _memberships(model, part if whole is None else whole), predicted
    if whole is not None and hasattr(model, "predict"):
        return np.asarray(model.fit(part).predict(whole)), True
    return np.asarray(model.fit_predict(part)), False


def _memberships(model: Any, X: Floats) -> Floats:
    found = model.predict_proba(X) if hasattr(model, "predict_proba") else model.memberships_
    return np.asarray(found, dtype=np.float64)


def _model(base: Any, k: int, rng: Generator) -> Any:
    """Return a fresh clusterer with this number of clusters, this seed and one thread, where it has them."""
    model = _named(base) if isinstance(base, str) else clone(base)
    names = model.get_params()
    seed = int(rng.integers(2**31 - 1))
    wanted = {"n_clusters": k, "n_components": k, "random_state": seed, "n_threads": 1}
    return model.set_params(**{name: value for name, value in wanted.items() if name in names})


def _named(base: str) -> Any:
    import intarsia.base as known

    return getattr(known, {"gmm": "GaussianMixture", "fcm": "FuzzyCMeans"}[base])()


def _spread(found: NDArray[Any], rows: NDArray[np.int64], n: int) -> NDArray[Any]:
    """Give the chosen rows what was found for them; the others are missing."""
    if len(rows) == n and found.ndim == 1 and (np.diff(rows) == 1).all():
        return found
    missing = -1 if found.ndim == 1 else 0
    out = np.full((n, *found.shape[1:]), missing, dtype=found.dtype)
    out[rows] = found
    return out
