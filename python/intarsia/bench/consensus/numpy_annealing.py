"""Annealing on the corrected Rand index in plain NumPy: the paper's incremental update, trial by trial."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class NumpyAnnealing:
    """The peer of the benchmark: threshold acceptance, first acceptable label of a random order."""

    def __init__(self, labels: NDArray[Any], start: NDArray[Any], k: int, seed: int = 0) -> None:
        self.members, self.k = labels.astype(np.int64), k
        self.partition = start.astype(np.int64)
        self.rng = np.random.default_rng(seed)
        n, r = labels.shape
        self.columns = np.arange(r)
        self.sizes: Ints = np.bincount(self.partition, minlength=k)
        self.shared: Ints = np.zeros((r, k, int(labels.max()) + 1), dtype=np.int64)
        for q in range(r):
            np.add.at(self.shared[q], (self.partition, self.members[:, q]), 1)
        self.joined = _pairs(self.sizes).sum()
        self.both = _pairs(self.shared).sum(axis=(1, 2))
        self.of_members = _pairs(self.shared.sum(axis=1)).sum(axis=1)
        self.all_pairs = n * (n - 1) / 2
        self.value = self._value(self.joined, self.both)

    def run(self, n_loops: int, threshold: float = 0.85, cooling: float = 0.99) -> Iterator[float]:
        """Run loops over all points; yields the value after each."""
        temperature = 0.1 * self.value
        for _ in range(n_loops):
            for point in self.rng.permutation(len(self.partition)):
                self._visit(int(point), temperature * np.log(threshold))
            temperature *= cooling
            yield self.value

    def _visit(self, point: int, loss: float) -> None:
        own = int(self.partition[point])
        if self.sizes[own] == 1:
            return
        for to in self.rng.permutation(self.k):
            if to != own and self._try(point, own, int(to), loss):
                return

    def _try(self, point: int, own: int, to: int, loss: float) -> bool:
        at = self.members[point]
        joined = self.joined + self.sizes[to] - self.sizes[own] + 1
        both = self.both + self.shared[self.columns, to, at] - self.shared[self.columns, own, at] + 1
        value = self._value(joined, both)
        if value == self.value or value - self.value <= loss:
            return False
        self.shared[self.columns, own, at] -= 1
        self.shared[self.columns, to, at] += 1
        self.sizes[[own, to]] += (-1, 1)
        self.partition[point] = to
        self.joined, self.both, self.value = joined, both, value
        return True

    def _value(self, joined: Any, both: Ints) -> float:
        expected = joined * self.of_members / self.all_pairs
        return float(((both - expected) / ((joined + self.of_members) / 2 - expected)).mean())


def _pairs(counts: Ints) -> Ints:
    return counts * (counts - 1) // 2
