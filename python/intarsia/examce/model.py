"""A fitted `Examce` in a file and back: what it needs to label new points, and what it was asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from intarsia.arrays import Labels, Points
from intarsia.examce.criteria import CRITERIA, find_criterion
from intarsia.io.archive import Model, read_model, write_model

if TYPE_CHECKING:
    from intarsia.examce.criteria.protocol import Criterion
    from intarsia.examce.estimator import Examce

_KEPT = (
    "n_clusters",
    "effort",
    "time_limit",
    "n_base_runs",
    "bracket",
    "solver",
    "tau",
    "min_size",
    "max_size",
)
_FOUND = (
    "inertia_",
    "best_base_inertia_",
    "pool_bound_",
    "status_",
    "n_rounds_",
    "n_columns_",
    "bic_",
    "n_clusters_",
)
_ARRAYS = ("labels_", "medoid_indices_")


def save_examce(model: Examce, path: str | os.PathLike[str]) -> None:
    """Write centres, labels, plain settings and the criterion's name, which one of your own does not have."""
    criterion = find_criterion(model.criterion)
    if criterion.name not in CRITERIA or type(criterion) is not CRITERIA[criterion.name].load():
        raise ValueError(
            f"criterion={model.criterion!r} is your own: save takes {', '.join(_savable())}; pickle it."
        )
    if not criterion.has_representatives or not hasattr(model, "cluster_centers_"):
        raise ValueError(f"criterion={model.criterion!r} has no representatives to save; keep labels_.")
    names = tuple(getattr(model, "feature_names_in_", ()))
    found = {name: _plain(getattr(model, name)) for name in _FOUND if hasattr(model, name)}
    facts = {"asked": {name: getattr(model, name) for name in _KEPT}, "found": found}
    facts["parameters"] = criterion.parameters()
    scaling = getattr(model, "scaling_", None)
    arrays = {name.removesuffix("_"): getattr(model, name) for name in _ARRAYS if hasattr(model, name)}
    write_model(path, Model(criterion.name, model.cluster_centers_, names, scaling, facts, arrays))


def load_examce(made: Any, path: str | os.PathLike[str]) -> Examce:
    """Return an estimator that predicts, transforms and scores as the one that was saved."""
    stored = read_model(path)
    if stored.rule not in CRITERIA:
        raise ValueError(f"{path}: keeps no rule of {', '.join(CRITERIA)} for new points.")
    asked = stored.facts.get("asked", {"n_clusters": len(stored.centers)})
    criterion = _criterion(stored) if stored.facts.get("parameters") else stored.rule
    model: Examce = made(criterion=criterion, **asked)
    model.cluster_centers_ = stored.centers
    model.n_features_in_ = stored.centers.shape[1]
    if stored.feature_names:
        model.feature_names_in_ = np.array(stored.feature_names, dtype=object)
    if stored.scaling is not None:
        model.scaling_ = stored.scaling
    for name in _ARRAYS:
        if name.removesuffix("_") in stored.arrays:
            setattr(model, name, stored.arrays[name.removesuffix("_")])
    for name, value in stored.facts.get("found", {}).items():
        setattr(model, name, value)
    return model


def nearest_clusters(stored: Model, X: Points, n_threads: int) -> Labels:
    """Return what `load_examce` would predict of points, without waiting for scikit-learn."""
    points = X if stored.scaling is None else stored.scaling.apply(X)
    return _criterion(stored).nearest(points, None, stored.centers, n_threads)[0]


def _savable() -> list[str]:
    return [name for name, row in CRITERIA.items() if row.load().has_representatives]


def _criterion(stored: Model) -> Criterion:
    return find_criterion(stored.rule, **stored.facts.get("parameters", {}))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
