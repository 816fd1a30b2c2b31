"""Many rows as fewer groups: each row goes with the most similar of the heaviest rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import Ensemble

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Groups:
    """The rows that lead a group, the group of each row, and the point weight of each group."""

    leaders: Ids
    of_row: Labels
    weights: Floats

    def sums(self, rows: sparse.csr_array, point_weights: Floats) -> sparse.csr_array:
        """Return the weighted sum of the rows of each group."""
        shape = (len(self.leaders), len(self.of_row))
        return sparse.csr_array((point_weights, (self.of_row, np.arange(shape[1]))), shape=shape) @ rows


def group_rows(ensemble: Ensemble, n_groups: int, n_threads: int) -> Groups:
    """Return at most n_groups groups; every row is a group of its own where that is enough.

    The leaders are the rows of largest point weight, equal ones spread evenly over the rows. A row follows
    the leader with which it shares most labels.
    """
    n = ensemble.n_samples
    if n <= n_groups:
        return Groups(np.arange(n), np.arange(n, dtype=np.int32), ensemble.point_weights)
    leaders = _heaviest(ensemble.point_weights, n_groups)
    to_leaders = _core.coassociation(ensemble.labels, ensemble.labels[leaders], ensemble.member_weights)
    of_row = _core.best_targets(to_leaders, n_threads)
    of_row[leaders] = np.arange(n_groups)
    weights: Floats = np.bincount(of_row, ensemble.point_weights, n_groups).astype(np.float64)
    return Groups(leaders, of_row, weights)


def _heaviest(weights: Floats, count: int) -> Ids:
    # multiples of the golden ratio fill the range evenly, wherever one stops
    spread = np.arange(len(weights), dtype=np.uint64) * _GOLDEN
    return np.sort(np.lexsort((spread, -weights))[:count])
