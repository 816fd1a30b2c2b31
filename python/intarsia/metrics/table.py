"""The contingency table of two partitions: counted once, asked by every measure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.ensemble.hard import encode_member
from intarsia.executor import resolve_threads
from intarsia.validation import check_weights

#: Below this number of points one thread counts faster than several.
_MANY_POINTS = 500_000


@dataclass(frozen=True, eq=False)
class ContingencyTable:
    """How many points (or how much weight) are in cluster i of a and cluster j of b.

    Attributes
    ----------
    rows, cols, counts
        The cells that are not zero, by row and column.
    n_a, n_b : int
        Number of clusters of each partition among the points counted.
    """

    rows: Labels
    cols: Labels
    counts: Floats
    n_a: int
    n_b: int

    @cached_property
    def total(self) -> float:
        """Number of points counted."""
        return float(self.counts.sum())

    @cached_property
    def sizes_a(self) -> Floats:
        """Sizes of the clusters of a."""
        return np.bincount(self.rows, weights=self.counts, minlength=self.n_a).astype(np.float64)

    @cached_property
    def sizes_b(self) -> Floats:
        """Sizes of the clusters of b."""
        return np.bincount(self.cols, weights=self.counts, minlength=self.n_b).astype(np.float64)

    def dense(self) -> Floats:
        """Return the whole table as an array of shape (n_a, n_b)."""
        table = np.zeros((self.n_a, self.n_b))
        table[self.rows, self.cols] = self.counts
        return table


def contingency(a: ArrayLike, b: ArrayLike, sample_weight: ArrayLike | None = None) -> ContingencyTable:
    """Count two partitions against each other.

    Parameters
    ----------
    a, b : array of shape (n_samples,)
        Labels: whole numbers or text; -1, NaN, None and empty text mean missing. A point that is missing in
        either partition is left out.
    sample_weight : array of shape (n_samples,), optional
        How many points each one stands for.
    """
    labels_a, labels_b = np.asarray(a), np.asarray(b)
    for name, labels in (("a", labels_a), ("b", labels_b)):
        if labels.ndim != 1:
            raise ValueError(f"{name}.shape={labels.shape} should be (n_samples,).")
    if len(labels_a) != len(labels_b):
        raise ValueError(f"a has {len(labels_a)} labels, b has {len(labels_b)}: they should be as many.")
    if len(labels_a) == 0:
        raise ValueError("a and b have no labels: at least one is needed.")
    weights = check_weights(sample_weight, len(labels_a))
    codes_a, n_a = encode_member(labels_a, "a")
    codes_b, n_b = encode_member(labels_b, "b")
    return count_codes(codes_a, n_a, codes_b, n_b, weights)


def count_codes(a: Labels, n_a: int, b: Labels, n_b: int, weights: Floats | None) -> ContingencyTable:
    """Count codes from 0 to n - 1 (-1: missing) against each other; without weights all count one."""
    threads = resolve_threads(None) if len(a) >= _MANY_POINTS else 1
    a, b = (np.ascontiguousarray(codes, dtype=np.int32) for codes in (a, b))
    rows, cols, counts = _core.contingency(a, b, weights, n_a, n_b, threads)
    if len(counts) == 0:
        raise ValueError("no point has a label in both partitions.")
    rows, n_rows = _renumbered(rows, n_a)
    cols, n_cols = _renumbered(cols, n_b)
    return ContingencyTable(rows, cols, counts, n_rows, n_cols)


def _renumbered(codes: Labels, n_codes: int) -> tuple[Labels, int]:
    """Drop the clusters none of whose points is counted."""
    present = np.bincount(codes, minlength=n_codes) > 0
    names = (np.cumsum(present) - 1).astype(np.int32)
    return names[codes], int(present.sum())


def as_table(
    a: ArrayLike | ContingencyTable, b: ArrayLike | None, sample_weight: ArrayLike | None = None
) -> ContingencyTable:
    """Return the table itself when it comes in place of two partitions."""
    if isinstance(a, ContingencyTable):
        return a
    if b is None:
        raise TypeError("two partitions or one ContingencyTable are needed.")
    return contingency(a, b, sample_weight)
