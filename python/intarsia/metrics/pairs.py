"""Measures that count pairs of points: joined in both partitions, in one, in none.

Each takes two partitions `a` and `b` (and `sample_weight`) as `contingency` does, or one `ContingencyTable`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from numpy.typing import ArrayLike

from intarsia.metrics.table import ContingencyTable, as_table

Partition = ArrayLike | ContingencyTable


@dataclass(frozen=True)
class PairCounts:
    """Twice the number of pairs joined in both partitions, in a, in b, and of all pairs."""

    both: float
    in_a: float
    in_b: float
    all: float

    @property
    def only_a(self) -> float:
        """Joined in a alone."""
        return self.in_a - self.both

    @property
    def only_b(self) -> float:
        """Joined in b alone."""
        return self.in_b - self.both

    @property
    def neither(self) -> float:
        """Joined in neither."""
        return self.all - self.in_a - self.in_b + self.both


def pair_counts(table: ContingencyTable) -> PairCounts:
    """Count the pairs of a table."""
    n = table.total
    both, in_a, in_b = (float(x @ (x - 1)) for x in (table.counts, table.sizes_a, table.sizes_b))
    return PairCounts(both, in_a, in_b, n * (n - 1))


def rand_index(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return the share of pairs on which the partitions agree (1 for a single point)."""
    pairs = pair_counts(as_table(a, b, sample_weight))
    return 1.0 if pairs.all <= 0 else (pairs.both + pairs.neither) / pairs.all


def adjusted_rand_index(
    a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the Rand index corrected for chance (Hubert and Arabie)."""
    pairs = pair_counts(as_table(a, b, sample_weight))
    if pairs.only_a == 0 and pairs.only_b == 0:
        return 1.0
    numerator = 2 * (pairs.both * pairs.neither - pairs.only_a * pairs.only_b)
    return numerator / (
        pairs.in_a * (pairs.only_a + pairs.neither) + pairs.in_b * (pairs.only_b + pairs.neither)
    )


def jaccard_index(a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
    """Return the share of pairs joined in both among those joined in either (1 where there are none)."""
    pairs = pair_counts(as_table(a, b, sample_weight))
    joined = pairs.in_a + pairs.in_b - pairs.both
    return 1.0 if joined == 0 else pairs.both / joined


def wallace(
    a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> tuple[float, float]:
    """Return the shares of the pairs joined in a, and of those in b, that the other joins too.

    Their geometric mean is `fowlkes_mallows`. Both are 0 where no pair is joined in both.
    """
    pairs = pair_counts(as_table(a, b, sample_weight))
    if pairs.both == 0:
        return 0.0, 0.0
    return pairs.both / pairs.in_a, pairs.both / pairs.in_b


def fowlkes_mallows(
    a: Partition, b: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the geometric mean of the two Wallace indices."""
    of_a, of_b = wallace(a, b, sample_weight)
    return sqrt(of_a) * sqrt(of_b)
