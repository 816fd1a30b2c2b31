"""One member: a pure function of its number, the points, the settings and the seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Labels
from intarsia.base.centroid import CentroidBase
from intarsia.base.protocol import BaseClusterer, BaseFit
from intarsia.base.registry import base_clusterer
from intarsia.ensemble.generate.rule import MemberRule, View, without_points
from intarsia.ensemble.generate.settings import MemberSettings
from intarsia.streams import generator


@dataclass(frozen=True)
class GenerationTask:
    """The points and settings that all members share, and whether they keep what labels new points."""

    X: Floats
    settings: MemberSettings
    seed: int
    keeps_rules: bool = False


class Member(NamedTuple):
    """Labels (-1: missing) or, if soft, memberships (zeros: missing) of all points; and its rule, if kept."""

    found: NDArray[Any]
    rule: MemberRule | None


def make_member(number: int, task: GenerationTask) -> Member:
    """Make one member."""
    rng = generator(task.seed, Stage.MEMBERS, number)
    settings = task.settings
    k = int(rng.integers(settings.k[0], settings.k[1] + 1))
    view = _view(task.X.shape[1], settings, rng)
    X = view.of(task.X)
    if settings.hyperplanes is not None:
        rows = _chosen_rows(len(X), settings, rng)
        return Member(_spread(_cells(X, settings.hyperplanes, rng)[rows], rows, len(X)), None)
    found, fit = _clustered(X, k, number, task, rng)
    return Member(found, _rule(view, fit, found) if task.keeps_rules else None)


def _rule(view: View, fit: BaseFit, found: NDArray[Any]) -> MemberRule:
    names = np.unique(found[found >= 0]).astype(np.int64) if found.ndim == 1 else None
    return MemberRule(view, without_points(fit), names)


def _view(n_features: int, settings: MemberSettings, rng: Generator) -> View:
    """Draw some features, then some random directions."""
    features, directions = None, None
    if settings.n_features is not None:
        features = np.sort(rng.choice(n_features, settings.n_features, replace=False))
        n_features = settings.n_features
    if settings.projection is not None:
        directions = rng.standard_normal((n_features, settings.projection))
    return View(features, directions)


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


def _clustered(
    X: Floats, k: int, number: int, task: GenerationTask, rng: Generator
) -> tuple[NDArray[Any], BaseFit]:
    settings = task.settings
    rows = _chosen_rows(len(X), settings, rng)
    part = np.ascontiguousarray(X[rows]) if settings.bootstrap or len(rows) < len(X) else X
    k = _core.count_distinct(part, k)  # a view with few features may have fewer distinct points than k
    clusterer = base_clusterer(settings.bases[number % len(settings.bases)])  # in turn
    fit = clusterer.fit(part, k, **_stream(clusterer, number, task, rng))
    # a bootstrap run labels all points, also those it did not draw, where the base can predict
    if settings.bootstrap and clusterer.predicts:
        return fit.memberships(X) if settings.soft else fit.label(X), fit
    return _spread(fit.memberships(part) if settings.soft else fit.labels, rows, len(X)), fit


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
