"""Starts for large clusters: runs of k-means crossed with each other, as Gribel and Vidal do in HG-means.

Where a cluster has hundreds of points a run of k-means takes less time than a few swaps with their local
searches, and what its local optimum got wrong in one place another run has right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from intarsia.arrays import Floats

_MOST_RUNS = 6
_MOST_CROSSINGS = 36
_ALIKE = 1e-6  # of the cost: two runs that differ by less have found the same
_DISTINCT = 2e-4  # of the cost: of runs that differ by less one is kept, or all would soon be near the best
_IN_DOUBT = 2e-3  # of the cost: runs on a sample that differ by less may come in another order on all points


class KMeansRun(NamedTuple):
    """Where a run of k-means ended."""

    cost: float
    centres: Floats


class Crossed(NamedTuple):
    """The best runs, distinct, best first; and how many were made."""

    best: list[KMeansRun]
    n_runs: int

    def in_doubt(self) -> list[KMeansRun]:
        """Return the runs that may be the best one on all points, if these were made on a sample."""
        return [run for run in self.best if run.cost <= (1 + _IN_DOUBT) * self.best[0].cost]


def best_of_crossed(
    new_run: Callable[[int], KMeansRun],
    run_from: Callable[[Floats], KMeansRun],
    draw_point: Callable[[], Floats],
    rng: np.random.Generator,
    is_late: Callable[[], bool],
) -> Crossed:
    """Run k-means until two runs agree; otherwise cross what they found, until a child is like the best."""
    runs: list[KMeansRun] = []
    for number in range(_MOST_RUNS):
        run = new_run(number)
        agrees = bool(runs) and _is_alike(run, runs[0], _ALIKE)
        runs = _with(run, runs)
        if agrees or is_late():
            return Crossed(runs, number + 1)
    n_runs = _MOST_RUNS
    while n_runs < _MOST_RUNS + _MOST_CROSSINGS and len(runs) > 1 and not is_late():
        first, second = (_better_of_two(runs, rng) for _ in range(2))
        child = run_from(_cross(first.centres, second.centres, draw_point(), rng))
        n_runs += 1
        if _is_alike(child, runs[0], _ALIKE):
            break
        runs = _with(child, runs)
    return Crossed(runs, n_runs)


def _with(new: KMeansRun, runs: list[KMeansRun]) -> list[KMeansRun]:
    """Return the best runs, best first; of those that are hardly distinct the cheapest stays."""
    kept: list[KMeansRun] = []
    for run in sorted([*runs, new], key=lambda run: run.cost):
        if not (kept and _is_alike(run, kept[-1], _DISTINCT)):
            kept.append(run)
    return kept[:_MOST_RUNS]


def _is_alike(a: KMeansRun, b: KMeansRun, share: float) -> bool:
    return abs(a.cost - b.cost) <= share * b.cost


def _better_of_two(runs: list[KMeansRun], rng: np.random.Generator) -> KMeansRun:
    a, b = rng.choice(len(runs), 2, replace=False)
    return runs[min(int(a), int(b))]  # they are sorted


def _cross(first: Floats, second: Floats, point: Floats, rng: np.random.Generator) -> Floats:
    """Take one centre of each pair of matching ones; one of them moves to the point."""
    from scipy.optimize import linear_sum_assignment  # here: few fits come to it

    squares = (first**2).sum(axis=1)[:, None] - 2 * first @ second.T + (second**2).sum(axis=1)
    partner = linear_sum_assignment(squares)[1]
    child = np.where(rng.random(len(first))[:, None] < 0.5, first, second[partner])
    child[rng.integers(len(child))] = point
    return child
