"""New points labelled by what the members of an ensemble say of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels

_AT_ONCE = 2**24  # likenesses held at a time


class RowLabels:
    """The final cluster of every row of labels that occurred; other rows follow the most alike of them.

    Rows are alike by the share of the members, by weight, that put them into the same cluster.
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
        step = max(1, _AT_ONCE // len(self._rows))
        for begin in range(0, len(strange), step):
            some = strange[begin : begin + step]
            likeness = _core.coassociation(np.ascontiguousarray(rows[some]), self._rows, self._weights)
            found[some] = _core.best_targets(likeness, n_threads)
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
