"""The rounds aggregated by a consensus function instead of the vote; new points labelled by their rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor

VOTE = "vote"

#: Takes the rounds and the number of clusters and returns labels.
Aggregate = Callable[[Ensemble, int], ArrayLike]


def check_aggregate(aggregate: str | Aggregate, params: Mapping[str, Any] | None) -> None:
    """Refuse what is neither the vote nor a consensus function."""
    if not callable(aggregate) and aggregate != VOTE:
        known = _consensus().METHODS
        if aggregate not in known:
            names = ", ".join(map(repr, known))
            raise ValueError(f"aggregate={aggregate!r} should be one of {names} or a function.")
    if params and (callable(aggregate) or aggregate == VOTE):
        raise ValueError(f"aggregate_params are options of a consensus function; aggregate={aggregate!r}.")


def combine_rounds(
    rounds: Ensemble,
    n_clusters: int,
    aggregate: str | Aggregate,
    params: Mapping[str, Any] | None,
    *,
    seed: int,
    n_threads: int,
    executor: Executor,
) -> Labels:
    """Return the clusters that a consensus function makes of the rounds."""
    if callable(aggregate):
        labels = np.asarray(aggregate(rounds, n_clusters))
        if labels.shape != (rounds.n_samples,) or labels.dtype.kind not in "iu":
            raise ValueError(
                f"aggregate returned shape {labels.shape} of {labels.dtype}; it should be "
                f"({rounds.n_samples},) of whole numbers."
            )
        return labels.astype(np.int32)
    who = {"random_state": seed, "n_threads": n_threads, "executor": executor}
    labels = _consensus().combine(rounds, n_clusters, aggregate, **who, **dict(params or {}))
    return np.asarray(labels, dtype=np.int32)


def _consensus() -> Any:
    # by name and when asked for: two methods must not lean on each other, and a vote needs no consensus
    return import_module("intarsia.consensus")


class RowLabels:
    """The final cluster of every row of round labels that occurred; other rows follow the most alike of them.

    Rows are alike by the share of the rounds, by weight, that put them into the same cluster.
    """

    def __init__(self, rows: Labels, labels: Labels, weights: Floats) -> None:
        keys, first, of_point = np.unique(_keys(rows), return_index=True, return_inverse=True)
        self._keys, self._rows, self._weights = keys, np.ascontiguousarray(rows[first]), weights
        self._labels = _majority(of_point.reshape(-1), labels, len(keys))

    def label(self, rows: Labels, n_threads: int) -> Labels:
        """Return the clusters of any rows."""
        found = np.searchsorted(self._keys, _keys(rows))
        found[found == len(self._keys)] = 0
        strange = np.flatnonzero((self._rows[found] != rows).any(axis=1))
        if len(strange):
            asked = np.ascontiguousarray(rows[strange])
            likeness = _core.coassociation(asked, self._rows, self._weights)
            found[strange] = _core.best_targets(likeness, n_threads)
        return self._labels[found]


def _keys(rows: Labels) -> NDArray[Any]:
    """Return one comparable value a row."""
    table = np.ascontiguousarray(rows)
    return table.view(np.dtype((np.void, table.dtype.itemsize * table.shape[1]))).reshape(-1)


def _majority(rows: Ids, labels: Labels, n_rows: int) -> Labels:
    """Return the commonest label of each row: a function that balances its parts may tear rows apart."""
    n_clusters = int(labels.max()) + 1
    pairs, counts = np.unique(rows.astype(np.int64) * n_clusters + labels, return_counts=True)
    order = np.lexsort((-pairs, counts))  # the commonest last, the lowest of equally common ones
    found = np.zeros(n_rows, dtype=np.int32)
    found[pairs[order] // n_clusters] = pairs[order] % n_clusters
    return found
