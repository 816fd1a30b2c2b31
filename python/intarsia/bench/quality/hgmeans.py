"""HG-means (hgmeans on PyPI) within a CPU budget, though it knows neither budgets nor seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from intarsia.arrays import Floats
from intarsia.bench.measure import cost_of
from intarsia.bench.quality.anytime import Mark
from intarsia.clock import Clock

#: What to do where it is not installed: its source on PyPI no longer compiles as it is.
HOW_TO_BUILD = (
    "hgmeans: unpack its source from PyPI, delete hgmeans.cpp, `pip install cython setuptools wheel`, "
    "then `pip install --no-build-isolation .` in that folder"
)

POPULATION, MOST_GENERATIONS = 10, 5000  # its defaults
_FIRST_GENERATIONS, _MOST_GROWTH, _MOST_TRIES = 20, 8.0, 6
_AIM, _NEAR, _TOO_LONG = 0.97, 0.8, 1.1  # shares of a budget: to aim at, to be content with, to reject


@dataclass(frozen=True)
class Call:
    """One call of HG-means: its limit of generations, its seconds, the cost of its labels."""

    generations: int
    cpu: float
    wall: float
    cost: float


def hgmeans_marks(X: Floats, k: int, seed: int, budgets: Sequence[float], n_threads: int) -> list[Mark]:
    """Return the best that one call, with a limit of generations that fits the budget, finds.

    Its random seed is fixed inside, so the points are shuffled instead. A call cannot be watched, so the
    right number of generations is searched for, and this search is not charged to it. Where its default
    number ends before the budget, calls on points shuffled anew follow.
    """
    calls = HgCalls(X, k, seed)
    return [calls.mark(budget) for budget in sorted(budgets)]


class HgCalls:
    """The calls made so far: of growing length on one order of the points, then restarts on other orders."""

    def __init__(self, X: Floats, k: int, seed: int) -> None:
        self._X, self._k = X, k
        self._rng = np.random.default_rng(seed)
        self._shuffled = self._rng.permutation(X)
        self._calls = [self._call(self._shuffled, _FIRST_GENERATIONS)]
        self._restarts: list[Call] = []

    def mark(self, budget: float) -> Mark:
        """Return the mark of one budget; budgets come in growing order."""
        self._lengthen(budget)
        longest = self._longest_within(budget)
        if longest.generations == MOST_GENERATIONS:
            self._restart(longest, budget)
        spent = [longest, *self._restarts]
        cpu, wall = sum(call.cpu for call in spent), sum(call.wall for call in spent)
        cost = min(call.cost for call in [*self._within(budget), *spent])
        return Mark(budget, cost, cpu, wall, len(spent))

    def _within(self, budget: float) -> list[Call]:
        return [call for call in self._calls if call.cpu <= _TOO_LONG * budget] or self._calls[:1]

    def _longest_within(self, budget: float) -> Call:
        return max(self._within(budget), key=lambda call: call.generations)

    def _lengthen(self, budget: float) -> None:
        for _ in range(_MOST_TRIES):
            longest = self._longest_within(budget)
            if longest.cpu >= _NEAR * budget:
                return
            wanted = self._next_length(longest, budget)
            if wanted <= longest.generations:
                return
            self._calls.append(self._call(self._shuffled, wanted))

    def _next_length(self, longest: Call, budget: float) -> int:
        growth = min(_MOST_GROWTH, _AIM * budget / longest.cpu)
        wanted = min(MOST_GENERATIONS, int(longest.generations * growth))
        longer = [call.generations for call in self._calls if call.generations > longest.generations]
        if longer and wanted >= min(longer):  # known to be too long
            return (longest.generations + min(longer)) // 2
        return wanted

    def _restart(self, longest: Call, budget: float) -> None:
        # a whole call more only where most of it fits: it takes about as long as the first
        while 1.5 * longest.cpu + sum(call.cpu for call in self._restarts) < budget:
            self._restarts.append(self._call(self._rng.permutation(self._X), MOST_GENERATIONS))

    def _call(self, X: Floats, generations: int) -> Call:
        points, no_classes = X.tolist(), [0] * len(X)
        clock = Clock()
        (labels,) = (
            import_module("hgmeans")
            .PyHGMeans()
            .Go(points, no_classes, POPULATION, generations, 1, [self._k], 0)
        )
        return Call(generations, clock.cpu_seconds(), clock.seconds(), cost_of(X, np.asarray(labels)))
