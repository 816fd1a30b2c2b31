"""Measures of whole ensembles: agreement of a partition with the members, and of the members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import Ensemble
from intarsia.ensemble.hard import encode_member
from intarsia.executor import Executor, SerialExecutor
from intarsia.metrics.information import normalized_mutual_information
from intarsia.metrics.table import ContingencyTable, count_codes


def anmi(labels: ArrayLike, ensemble: Any, *, average: str = "geometric") -> float:
    """Return the average normalised mutual information of a partition with the members, by their weights.

    Parameters
    ----------
    labels : array of shape (n_samples,)
        The partition.
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        Its point weights count; soft members are taken by their most likely labels.
    average : str
        See `normalized_mutual_information`.
    """
    members = as_ensemble(ensemble)
    partition = np.asarray(labels)
    if partition.shape != (members.n_samples,):
        raise ValueError(f"labels.shape={partition.shape} should be ({members.n_samples},).")
    codes, k = encode_member(partition)
    scores = [
        normalized_mutual_information(
            count_codes(members.labels[:, q], n_classes, codes, k, members.point_weights), average=average
        )
        for q, n_classes in enumerate(members.n_classes.tolist())
    ]
    return float(np.average(scores, weights=members.member_weights))


Measure = Callable[[ContingencyTable], float]


def pairwise(
    ensemble: Any, measure: Measure = normalized_mutual_information, executor: Executor | None = None
) -> Floats:
    """Return a measure between every two members, as a matrix.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        Its point weights count; soft members are taken by their most likely labels.
    measure : callable
        Of a contingency table.
    executor : Executor, optional
        Who computes the columns; serial by default.
    """
    members = as_ensemble(ensemble)
    everyone = range(members.n_members)
    columns = _columns([(q, everyone) for q in everyone], members, measure, executor)
    return np.array(columns).T.copy()


def diversity(ensemble: Any, executor: Executor | None = None) -> float:
    """Return 1 minus the mean normalised mutual information of two different members (0 for one member).

    Parameters are those of `pairwise`.
    """
    members = as_ensemble(ensemble)
    r = members.n_members
    if r == 1:
        return 0.0
    tasks = [(q, range(q)) for q in reversed(range(1, r))]  # the longest first
    columns = _columns(tasks, members, normalized_mutual_information, executor)
    table = np.zeros((r, r))
    for (q, rows), column in zip(tasks, columns, strict=True):
        table[rows, q] = column
    return 1.0 - float(table[np.triu_indices(r, 1)].mean())


_Column = tuple[int, range]


def _columns(
    tasks: Sequence[_Column], members: Ensemble, measure: Measure, executor: Executor | None
) -> list[list[float]]:
    """Return, for each task, the measure of some members against one."""
    by_member = np.ascontiguousarray(members.labels.T)  # each is read many times
    return (executor or SerialExecutor()).map(_column, tasks, (members, by_member, measure))


def _column(task: _Column, shared: tuple[Ensemble, Labels, Measure]) -> list[float]:
    (q, rows), (members, by_member, measure) = task, shared
    n_classes, weights = members.n_classes.tolist(), members.point_weights
    return [
        measure(count_codes(by_member[p], n_classes[p], by_member[q], n_classes[q], weights)) for p in rows
    ]


def members_of_median_diversity(ensemble: Ensemble, n_members: int) -> Ids:
    """Return the members whose mean diversity (1 - NMI with the others) is nearest to the median."""
    similarity = pairwise(ensemble)
    np.fill_diagonal(similarity, 0.0)
    mean = 1.0 - similarity.sum(axis=1) / max(ensemble.n_members - 1, 1)
    distance = np.abs(mean - np.median(mean))
    return np.sort(np.argsort(distance, kind="stable")[:n_members])


def as_ensemble(ensemble: Any) -> Ensemble:
    """Return the ensemble itself, or one made from labels."""
    return ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
