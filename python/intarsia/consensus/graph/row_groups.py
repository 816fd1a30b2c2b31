"""Many rows as fewer groups: each row goes with the most similar of the heaviest rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import Ensemble

#: Soft rows are alike when their memberships round to the same multiples of this.
ALIKE = 0.1
#: With fewer groups a part than this, every row stays a group of its own.
_FEW = 2
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class RowGroups:
    """The rows that lead a group, the group of each row, and the point weight of each group."""

    leaders: Ids
    of_row: Labels
    weights: Floats

    def sums(self, rows: sparse.csr_array, point_weights: Floats) -> sparse.csr_array:
        """Return the weighted sum of the rows of each group."""
        shape = (len(self.leaders), len(self.of_row))
        return sparse.csr_array((point_weights, (self.of_row, np.arange(shape[1]))), shape=shape) @ rows


def group_rows(ensemble: Ensemble, n_groups: int, n_threads: int) -> RowGroups:
    """Return at most n_groups groups; every row is a group of its own where that is enough.

    The leaders are the rows of largest point weight, equal ones spread evenly over the rows. A row follows
    the leader with which it shares most labels.
    """
    n = ensemble.n_samples
    if n <= n_groups:
        return RowGroups(np.arange(n), np.arange(n, dtype=np.int32), ensemble.point_weights)
    leaders = _heaviest(ensemble.point_weights, n_groups)
    to_leaders = _core.coassociation(ensemble.labels, ensemble.labels[leaders], ensemble.member_weights)
    of_row = _core.best_targets(to_leaders, n_threads)
    of_row[leaders] = np.arange(n_groups)
    weights: Floats = np.bincount(of_row, ensemble.point_weights, n_groups).astype(np.float64)
    return RowGroups(leaders, of_row, weights)


def group_alike(ensemble: Ensemble, k: int, n_groups: int, n_threads: int, alike: float = ALIKE) -> RowGroups:
    """Return `group_rows`, soft rows that are alike in one group where that leaves enough to make k parts.

    Soft rows hardly ever are equal to the last digit, and a partitioner that balances its parts would tear
    apart what differs by nothing. With `alike` = 0 none are grouped.
    """
    if ensemble.memberships is None or alike == 0 or ensemble.n_samples > n_groups:
        return group_rows(ensemble, n_groups, n_threads)
    rounded = replace(ensemble, memberships=np.rint(ensemble.memberships / alike))
    rows, of_row = rounded.merged()
    if rows.n_samples < _FEW * k:
        return group_rows(ensemble, n_groups, n_threads)
    leaders = np.unique(of_row, return_index=True)[1]
    return RowGroups(leaders, of_row.astype(np.int32), rows.point_weights)


def check_alike(alike: Any) -> None:
    """Refuse what is no share of a membership."""
    if isinstance(alike, bool) or not isinstance(alike, int | float) or not 0 <= alike <= 1:
        raise ValueError(f"alike={alike!r} should be a number from 0 to 1.")


def _heaviest(weights: Floats, count: int) -> Ids:
    # multiples of the golden ratio fill the range evenly, wherever one stops
    spread = np.arange(len(weights), dtype=np.uint64) * _GOLDEN
    return np.sort(np.lexsort((spread, -weights))[:count])
