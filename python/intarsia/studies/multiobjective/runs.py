"""One data set of the study: fitted once, chosen with a fixed and a free number of clusters, and scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from intarsia.arrays import Floats, Labels
from intarsia.datasets import load
from intarsia.executor import Executor
from intarsia.multiobjective import ChosenCluster
from intarsia.multiobjective.estimator import MultiobjectiveClustering
from intarsia.studies.common import StudySettings, read_by_rank_zero
from intarsia.studies.multiobjective.published import Case

MODES = ("fixed", "free")
#: Of --quick.
QUICK_RESAMPLES = 5

Callback = Callable[[str, int, int, float], None]


@dataclass(frozen=True, eq=False)
class ClassedPoints:
    """Points and what they are."""

    X: Floats
    classes: Labels
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Answer:
    """What was chosen for one number of clusters, fixed or free.

    Attributes
    ----------
    confusion : int array of shape (n_classes, n_clusters + 2)
        Classes by clusters; the last two columns count points of no cluster and of several.
    n_errors : int
        Points that are not of the commonest class of their cluster; first all points were given to one.
    """

    mode: str
    clusters: list[ChosenCluster]
    confusion: NDArray[np.int64]
    n_errors: int
    objective: float
    lower_bound: float
    is_proved: bool
    hill_gap: float


@dataclass(frozen=True, eq=False)
class CaseResult:
    """Answers of a data set, and the fewest errors of any single partition of each algorithm.

    Attributes
    ----------
    single : dict
        One cluster for each class, all other points wrong.
    single_majority : dict
        Counted as those of the answers: many small clusters err little.
    """

    case: Case
    answers: list[Answer]
    single: dict[str, int]
    single_majority: dict[str, int]
    class_names: tuple[str, ...]


def classed_points(case: Case, settings: StudySettings) -> ClassedPoints:
    """Read or draw the points of a case; generated ones are drawn anew for each seed."""
    if case.data.startswith("demo:"):
        points = load(case.data, random_state=settings.seed)
    else:
        points = load(case.data, data_dir=settings.data_dir, **case.reading)
    assert points.labels is not None
    X = np.ascontiguousarray(points.X, dtype=np.float64)
    if case.standard:
        X = np.ascontiguousarray((X - X.mean(axis=0)) / X.std(axis=0))
    names = tuple(map(str, points.class_names))
    order = case.classes or names
    places = np.array([order.index(name) for name in names], dtype=np.int32)
    return ClassedPoints(X, places[points.labels], order)


def run_case(
    case: Case,
    settings: StudySettings,
    n_resamples: int,
    executor: Executor,
    on_done: Callback | None = None,
    kept: Path | None = None,
) -> CaseResult:
    """Cluster and resample once; choose for each kind of number. `kept` holds the resamples that are done."""
    points = read_by_rank_zero(executor, lambda: classed_points(case, settings))
    model = MultiobjectiveClustering(
        case.n_clusters,
        algorithms=case.algorithms,
        search="exact",
        assign=True,
        min_size=case.min_size,
        n_resamples=n_resamples,
        random_state=settings.seed,
        executor=executor,
        callback=on_done,
        checkpoint=kept,
        checkpoint_every=5.0,
        resume=kept is not None,
    ).fit(points.X)
    answers = [_answer("fixed", model, points)]
    if "free" in case.published:
        answers.append(_answer("free", model.choose_again(None, first_guess=case.n_clusters), points))
    found = model.partitions()
    matched = single_errors(found, points.classes, matched_errors)
    majority = single_errors(found, points.classes, majority_errors)
    return CaseResult(case, answers, matched, majority, points.names)


def _answer(mode: str, model: MultiobjectiveClustering, points: ClassedPoints) -> Answer:
    apart = np.zeros(len(points.X), dtype=np.int64)
    apart[model.unassigned_], apart[model.conflicting_] = 1, 2
    k = model.n_clusters_
    places = np.where(apart > 0, k - 1 + apart, model.labels_)
    return Answer(
        mode,
        list(model.clusters_),
        _table(points.classes, places, k + 2),
        majority_errors(points.classes, model.labels_),
        model.objective_,
        model.lower_bound_,
        model.proven_,
        model.hill_objective_ - model.objective_,
    )


def _table(classes: Labels, places: Any, width: int) -> NDArray[np.int64]:
    table = np.zeros((int(classes.max()) + 1, width), dtype=np.int64)
    np.add.at(table, (classes, places), 1)
    return table


def majority_errors(classes: Labels, labels: Labels) -> int:
    """Return how many points are not of the commonest class of their cluster."""
    table = _table(classes, labels, int(labels.max()) + 1)
    return int(table.sum() - table.max(axis=0).sum())


def matched_errors(classes: Labels, labels: Labels) -> int:
    """Return how many points lie outside the cluster that stands for their class, at best: one for each."""
    table = _table(classes, labels, int(labels.max()) + 1)
    rows, columns = linear_sum_assignment(-table)
    return int(table.sum() - table[rows, columns].sum())


def single_errors(
    partitions: list[tuple[Any, Labels]], classes: Labels, count: Callable[[Labels, Labels], int]
) -> dict[str, int]:
    """Return the fewest errors of any partition of each algorithm."""
    found: dict[str, int] = {}
    for instance, labels in partitions:
        errors = count(classes, labels)
        found[instance.algorithm] = min(errors, found.get(instance.algorithm, errors))
    return found
