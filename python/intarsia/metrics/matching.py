"""Measures that match clusters with classes; `a` holds the classes, `b` the clusters.

Each takes two partitions `a` and `b` (and `sample_weight`) as `contingency` does, or one `ContingencyTable`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Ids, Labels
from intarsia.metrics.pairs import Partition
from intarsia.metrics.table import ContingencyTable, as_table

#: Matching works on the whole table: this many cells are 200 MB.
MOST_CELLS = 25_000_000


def purity(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return the share of points in the majority class of their cluster (the published tables' "CVC")."""
    table = as_table(a, b, sample_weight)
    largest = np.zeros(table.n_b)
    np.maximum.at(largest, table.cols, table.counts)
    return float(largest.sum()) / table.total


def cvc_error(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return the share of points misclassified when each cluster stands for its majority class."""
    return 1.0 - purity(a, b, sample_weight)


def error_rate(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return the share of points misclassified under the best one-to-one matching of clusters and classes."""
    table = as_table(a, b, sample_weight)
    _check_size(table)
    dense = table.dense()
    return 1.0 - float(dense[_matched(dense)].sum()) / table.total


def best_names(overlap: Floats) -> Labels:
    """Return the column that each row is to be called, so that rows and their names overlap most in all.

    Names are given one to one (Hungarian method); rows left over, where there are more of them than columns,
    get the name that they overlap most.
    """
    names: Labels = overlap.argmax(axis=1).astype(np.int32)
    rows, columns = _matched(overlap)
    names[rows] = columns
    return names


def _matched(overlap: Floats) -> tuple[Ids, Ids]:
    """Return the rows and their columns that overlap most in all, one to one."""
    best = overlap.argmax(axis=1) if overlap.size else np.zeros(0, dtype=np.int64)
    is_clear = (overlap == overlap.max(axis=1, initial=-np.inf, keepdims=True)).sum(axis=1) == 1
    if len(best) and is_clear.all() and len(np.unique(best)) == len(best):  # no two rows want the same
        return np.arange(len(best)), best
    from scipy.optimize import linear_sum_assignment  # here: a third of a second that most need not wait

    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return rows, columns


def _check_size(table: ContingencyTable) -> None:
    if table.n_a * table.n_b > MOST_CELLS:
        raise ValueError(
            f"matching {table.n_a} with {table.n_b} clusters needs more than {MOST_CELLS:,} table cells."
        )
