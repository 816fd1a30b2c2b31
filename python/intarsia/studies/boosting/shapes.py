"""Beyond the paper: clusters of any shape from boosted rounds, aggregated by evidence instead of a vote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from intarsia.arrays import Floats, Labels
from intarsia.boosting.estimator import BaggingClustering, BoostClustering
from intarsia.datasets import load
from intarsia.executor import Executor
from intarsia.metrics import adjusted_rand_index
from intarsia.report.scatter import Cloud
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.boosting.data import ClassedPoints
from intarsia.studies.boosting.runs import best_single
from intarsia.studies.boosting.settings import BoostingStudySettings
from intarsia.studies.common import read_by_rank_zero

SHAPES = ("bananas", "two-moons", "shapes")
N_ROUNDS = 20
KMEANS, VOTE, EAC, BAGGED = "best k-means", "boosted, vote", "boosted, evidence", "bagged, evidence"
METHODS = (KMEANS, VOTE, EAC, BAGGED)
COLUMNS = (
    Column("data"), Column("n", "d"), Column("C", "d"), Column("method"),
    Column("median ARI", ".3f"), Column("least", ".3f"), Column("most", ".3f"),
)  # fmt: skip
NOTES = (
    f"best k-means: lowest error of 20 runs; rounds: {N_ROUNDS} each, of C clusters for the vote, of the "
    "root of n for evidence accumulation (aggregate='eac', all its options at their defaults)",
)


class _Task(NamedTuple):
    data: str
    seed: int


def shape_points(settings: BoostingStudySettings, executor: Executor) -> dict[str, ClassedPoints]:
    """Return the generated sets and their classes."""

    def read() -> dict[str, ClassedPoints]:
        sources = {name: load(f"demo:{name}") for name in SHAPES[: 2 if settings.quick else None]}
        return {name: ClassedPoints(p.X, np.asarray(p.labels)) for name, p in sources.items()}

    return read_by_rank_zero(executor, read)


def shapes_sheet(
    settings: BoostingStudySettings, executor: Executor, on_done: Callable[[int], None] | None = None
) -> tuple[Sheet, list[Cloud]]:
    """Return agreement with the classes over a few seeds, and the partitions of the first seed."""
    points = shape_points(settings, executor)
    tasks = [_Task(name, settings.seed + s) for name in points for s in range(settings.shape_seeds)]
    found = dict(zip(tasks, executor.map(_partitions, tasks, points, on_done), strict=True))
    rows = []
    for name, (X, classes) in points.items():
        runs = [found[task] for task in tasks if task.data == name]
        for method in METHODS:
            agreement = [adjusted_rand_index(classes, labels[method]) for labels in runs]
            spread = (float(np.median(agreement)), min(agreement), max(agreement))
            rows.append((name, len(X), int(classes.max()) + 1, method, *spread))
    title = f"Clusters of any shape: adjusted Rand index against the classes, {settings.shape_seeds} seeds"
    clouds = [
        Cloud(f"{name}: {method}", points[name].X, found[_Task(name, settings.seed)][method])
        for name in points
        for method in (KMEANS, EAC)
    ]
    return Sheet("figure-shapes", title, COLUMNS, tuple(rows), NOTES), clouds


def _partitions(task: _Task, points: Mapping[str, ClassedPoints]) -> dict[str, Labels]:
    X, classes = points[task.data]
    k = int(classes.max()) + 1
    return {
        KMEANS: best_single(X, "kmeans", k, 20, task.seed).labels,
        VOTE: _boosted(X, k, task.seed),
        EAC: _boosted(X, k, task.seed, aggregate="eac"),
        BAGGED: _labels(BaggingClustering(k, n_rounds=N_ROUNDS, aggregate="eac"), X, task.seed),
    }


def _boosted(X: Floats, k: int, seed: int, **options: Any) -> Labels:
    return _labels(BoostClustering(k, max_rounds=N_ROUNDS, stop=False, **options), X, seed)


def _labels(model: Any, X: Floats, seed: int) -> Labels:
    labels: Labels = model.set_params(random_state=seed, n_threads=1).fit(X).labels_
    return labels
