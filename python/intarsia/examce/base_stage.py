"""The base runs that fill the pool, spread by the executor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import clone

from intarsia.arrays import Floats, Labels
from intarsia.base import METHODS, BaseSettings
from intarsia.base.runs import run_once
from intarsia.executor import Executor

_BASE_SWAPS = 200


@dataclass(frozen=True)
class BaseTask:
    """Run number and number of clusters: all that a base run depends on, besides data, method and seed."""

    run: int
    n_clusters: int


@dataclass(frozen=True)
class _Shared:
    X: Floats
    weights: Floats
    base: Any
    init: str
    seed: int


def make_base_runs(
    X: Floats,
    weights: Floats | None,
    base: Any,
    init: str,
    tasks: list[BaseTask],
    seed: int,
    executor: Executor,
    on_done: Callable[[int], None] | None = None,
) -> list[Labels]:
    """Return the labels of each run, renumbered from 0; -1 marks points that a clusterer left out."""
    shared = _Shared(X, np.empty(0) if weights is None else weights, base, init, seed)
    return executor.map(_run, tasks, shared, on_done)


def _run(task: BaseTask, shared: _Shared) -> Labels:
    if isinstance(shared.base, str):
        settings = BaseSettings(
            shared.base, n_clusters=task.n_clusters, init=shared.init, n_swaps=_BASE_SWAPS
        )
        return run_once(shared.X, shared.weights, settings, seed=shared.seed, task=task.run).labels
    return _renumber(_fit_foreign(task, shared))


def _fit_foreign(task: BaseTask, shared: _Shared) -> Labels:
    estimator = clone(shared.base)
    names = estimator.get_params()
    if "n_clusters" in names:
        estimator.set_params(n_clusters=task.n_clusters)
    elif "n_components" in names:
        estimator.set_params(n_components=task.n_clusters)
    if "random_state" in names:
        estimator.set_params(random_state=(shared.seed * 100_003 + task.run) % (2**31))
    X = shared.X.copy()  # some clusterers write into what they are given
    weighted = shared.weights.size > 0 and "sample_weight" in signature(estimator.fit_predict).parameters
    labels = estimator.fit_predict(X, sample_weight=shared.weights) if weighted else estimator.fit_predict(X)
    return _checked(np.asarray(labels), len(X), shared.base)


def _checked(labels: Labels, n_samples: int, base: Any) -> Labels:
    if labels.shape != (n_samples,) or labels.dtype.kind not in "iu":
        raise ValueError(
            f"base={base!r} gave labels of shape {labels.shape} and type {labels.dtype}, need {n_samples} "
            "whole numbers."
        )
    return labels


def _renumber(labels: Labels) -> Labels:
    numbered = np.full(len(labels), -1, dtype=np.int32)
    inside = labels >= 0
    numbered[inside] = np.unique(labels[inside], return_inverse=True)[1]
    return numbered


def check_base(base: Any) -> None:
    """Refuse a base clusterer that is neither one of ours nor has fit_predict."""
    if isinstance(base, str):
        if base not in METHODS:
            raise ValueError(
                f"base={base!r} should be one of {', '.join(map(repr, METHODS))} or a clusterer."
            )
    elif not hasattr(base, "fit_predict"):
        raise TypeError(f"base={base!r} should have fit_predict, as scikit-learn's clusterers do.")
