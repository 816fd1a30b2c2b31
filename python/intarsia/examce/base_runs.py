"""The base runs that fill the pool: how many, with how many clusters, made by whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.arrays import Ids, Labels
from intarsia.base.registry import base_clusterer
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.protocol import BaseTask, Criterion
from intarsia.examce.settings import without_gaps
from intarsia.examce.state import ExamceState

_GOLDEN = (5**0.5 - 1) / 2  # multiples of it, less their whole part, fill an interval evenly


def base_tasks(state: ExamceState) -> list[BaseTask]:
    """Return all base runs of this search, in order."""
    counts, settings, criterion = state.counts, state.settings, state.criterion
    widest = counts.most + max(settings.bracket or 0, counts.most // 10)
    low, high = bracket_of(counts, settings.bracket, criterion.most_clusters(widest))
    n_runs = settings.base_runs_for(criterion, counts.most)
    if counts.least == counts.most:
        sizes = spread_runs(n_runs, counts.least, low, high)
    else:
        sizes = spread_evenly(n_runs, low, high)
    return [BaseTask(run, int(k)) for run, k in enumerate(sizes)]


def bracket_of(counts: CountRange, width: int | None, n_distinct: int) -> tuple[int, int]:
    """Return the smallest and largest number of clusters of the base runs."""
    below = counts.least // 10 if width is None else width
    above = counts.most // 10 if width is None else width
    return max(1, counts.least - below), min(n_distinct, counts.most + above)


def spread_runs(n_runs: int, k: int, low: int, high: int) -> Ids:
    """Return the number of clusters of each run; k gets the largest share and the first run.

    Parameters
    ----------
    n_runs : int
        Number of runs; the first m runs of a longer list are the list of m runs as far as possible, so that
        more runs contain fewer.
    k, low, high : int
        The target and the bracket around it.
    """
    others = [c for step in range(1, high - low + 1) for c in (k - step, k + step) if low <= c <= high]
    # One turn: k, then every other size once, with k again after every four others and at least once.
    spacing = min(4, max(1, len(others)))
    turn = [k]
    for position, c in enumerate(others, start=1):
        turn.append(c)
        if position % spacing == 0:
            turn.append(k)
    repeats = -(-n_runs // len(turn))
    return np.array((turn * repeats)[:n_runs], dtype=np.int64)


def spread_evenly(n_runs: int, low: int, high: int) -> Ids:
    """Return the number of clusters of each run where any number may be the answer; more contain fewer."""
    places = (0.5 + _GOLDEN * np.arange(n_runs)) % 1.0
    return low + (places * (high - low + 1)).astype(np.int64)


@dataclass(frozen=True)
class _Shared:
    criterion: Criterion
    base: Any
    init: str
    seed: int


def make_base_runs(
    state: ExamceState, tasks: Sequence[BaseTask], on_done: Callable[[int], None]
) -> list[Labels]:
    """Return the labels of each run, renumbered from 0; -1 marks points that a clusterer left out."""
    settings = state.settings
    shared = _Shared(state.criterion, settings.base, settings.effort.base_init, settings.seed)
    return state.executor.map(_run, tasks, shared, on_done)


def _run(task: BaseTask, shared: _Shared) -> Labels:
    if shared.base in shared.criterion.bases:
        return shared.criterion.base_run(task, shared.base, shared.init, shared.seed)
    data, clusterer = shared.criterion.data, base_clusterer(shared.base, prefer={"init": shared.init})
    fit = clusterer.fit(data.X, task.n_clusters, weights=data.weights, seed=shared.seed, task=task.run)
    return without_gaps(fit.labels)
