"""Measures of whole ensembles: agreement of a partition with the members, and of the members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Labels
from intarsia.ensemble import Ensemble
from intarsia.ensemble.hard import encode_member
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
        normalized_mutual_information(_against(members, q, codes, k), average=average)
        for q in range(members.n_members)
    ]
    return float(np.average(scores, weights=members.member_weights))


def pairwise(
    ensemble: Any, measure: Callable[[ContingencyTable], float] = normalized_mutual_information
) -> Floats:
    """Return a measure between every two members, as a matrix."""
    members = as_ensemble(ensemble)
    r = members.n_members
    table = np.empty((r, r))
    for q in range(r):
        codes, k = members.labels[:, q], int(members.n_classes[q])
        for p in range(r):
            table[p, q] = measure(_against(members, p, codes, k))
    return table


def diversity(ensemble: Any) -> float:
    """Return 1 minus the mean normalised mutual information of two different members (0 for one member)."""
    members = as_ensemble(ensemble)
    if members.n_members == 1:
        return 0.0
    above = np.triu_indices(members.n_members, 1)
    return 1.0 - float(pairwise(members)[above].mean())


def as_ensemble(ensemble: Any) -> Ensemble:
    """Return the ensemble itself, or one made from labels."""
    return ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)


def _against(members: Ensemble, q: int, codes: Labels, k: int) -> ContingencyTable:
    return count_codes(members.labels[:, q], int(members.n_classes[q]), codes, k, members.point_weights)
