"""Measures from information theory, in nats.

Each takes two partitions `a` and `b` (and `sample_weight`) as `contingency` does, or one `ContingencyTable`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.metrics.pairs import Partition
from intarsia.metrics.table import ContingencyTable, as_table
from intarsia.validation import check_option

_EPS = float(np.finfo(np.float64).eps)

MEANS: dict[str, Callable[[float, float], float]] = {
    "geometric": lambda x, y: sqrt(x * y),
    "arithmetic": lambda x, y: (x + y) / 2,
    "max": max,
    "min": min,
}


def mutual_information(
    a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mutual information."""
    return _information(as_table(a, b, sample_weight))


def normalized_mutual_information(
    a: Partition,
    b: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    average: str = "geometric",
) -> float:
    """Return the mutual information over a mean of the two entropies.

    `average` is "geometric" (as in the cluster ensemble papers), "arithmetic", "max" or "min". Two partitions
    of one cluster each score 1; if only one has a single cluster the score is 0.
    """
    table = as_table(a, b, sample_weight)
    mean = _mean(average)
    if table.n_a == table.n_b == 1:
        return 1.0
    information = _information(table)
    return 0.0 if information <= _EPS else information / mean(*_entropies(table))


def adjusted_mutual_information(
    a: Partition,
    b: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    average: str = "arithmetic",
) -> float:
    """Return the mutual information corrected for chance; weights have to be whole numbers."""
    table = as_table(a, b, sample_weight)
    mean = _mean(average)
    if table.n_a == table.n_b == 1 or table.n_a == table.n_b == table.total:
        return 1.0
    if table.n_a == 1 or table.n_b == 1:
        return 0.0
    expected = _core.expected_mutual_information(_whole(table.sizes_a), _whole(table.sizes_b))
    return _not_zero(_information(table) - expected) / _not_zero(mean(*_entropies(table)) - expected)


def homogeneity(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return how far each cluster of b lies in one class of a."""
    table = as_table(a, b, sample_weight)
    classes = _entropies(table)[0]
    return _information(table) / classes if classes else 1.0


def completeness(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return how far each class of a lies in one cluster of b."""
    table = as_table(a, b, sample_weight)
    clusters = _entropies(table)[1]
    return _information(table) / clusters if clusters else 1.0


def v_measure(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return the harmonic mean of homogeneity and completeness."""
    table = as_table(a, b, sample_weight)
    h, c = homogeneity(table), completeness(table)
    return 2 * h * c / (h + c) if h + c else 0.0


def variation_of_information(
    a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return what each partition says that the other does not, a distance (0: the same)."""
    table = as_table(a, b, sample_weight)
    return max(0.0, sum(_entropies(table)) - 2 * _information(table))


def _information(table: ContingencyTable) -> float:
    p = table.counts / table.total
    expected = (table.sizes_a / table.total)[table.rows] * (table.sizes_b / table.total)[table.cols]
    return max(0.0, float(p @ np.log(p / expected)))


def _entropies(table: ContingencyTable) -> tuple[float, float]:
    return _entropy(table.sizes_a), _entropy(table.sizes_b)


def _entropy(sizes: Floats) -> float:
    if len(sizes) == 1:
        return 0.0
    p = sizes / sizes.sum()
    return -float(p @ np.log(p))


def _not_zero(value: float) -> float:
    # what is 0 but for rounding keeps its sign: a perfect match is 1, not 0 / 0
    return min(value, -_EPS) if value < 0 else max(value, _EPS)


def _mean(average: str) -> Callable[[float, float], float]:
    check_option("average", average, tuple(MEANS))
    return MEANS[average]


def _whole(sizes: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    whole = np.rint(sizes)
    if (whole != sizes).any():
        raise ValueError("adjusted mutual information needs weights that are whole numbers.")
    return whole.astype(np.int64)
