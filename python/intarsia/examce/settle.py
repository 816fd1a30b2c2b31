"""Base runs know no size limits: some of those that break them are brought within."""

from __future__ import annotations

import numpy as np

from intarsia.arrays import Labels
from intarsia.examce.criteria import Mssc
from intarsia.examce.state import ExamceState
from intarsia.executor.task import is_wanted

_WORK = 2e6  # points times clusters, summed over the runs: each takes several flows
_LEAST_RUNS, _MOST_RUNS = 4, 60


def settle_runs(state: ExamceState) -> None:
    """Bring the first runs of k clusters that are out of bounds within them, and offer what comes of it."""
    criterion, k = state.criterion, state.k
    n_samples = len(criterion.X)
    if criterion.sizes.are_free(n_samples):
        return
    broken = [run for run, labels in sorted(state.runs.items()) if _is_broken(labels, k, criterion)]
    if broken and state.holdings.best is None:
        # one flow first: whoever interrupts the many below has something in hand
        _offer(state, criterion.within_sizes(state.runs[broken[0]], k), broken[0])
    chosen = broken[: min(_MOST_RUNS, max(_LEAST_RUNS, int(_WORK / (n_samples * k))))]
    while chosen and not state.is_over():
        batch, chosen = chosen[: state.executor.n_workers], chosen[state.executor.n_workers :]
        settled = state.executor.map(_settle, [state.runs[run] for run in batch], state)
        for run, labels in zip(batch, settled, strict=True):
            _offer(state, labels, run)


def _is_broken(labels: Labels, k: int, criterion: Mssc) -> bool:
    if labels.min() < 0 or labels.max() + 1 != k:
        return False
    return not criterion.sizes.allow(np.bincount(labels, minlength=k))


def _settle(labels: Labels, state: ExamceState) -> Labels:
    def is_late() -> bool:
        return state.clock.remaining() <= 0 or not is_wanted()

    return state.criterion.settle(labels, state.k, is_late)


def _offer(state: ExamceState, labels: Labels, run: int) -> None:
    partition = state.holdings.offer(labels, run)
    if partition is not None:
        state.best_base_cost = min(state.best_base_cost, partition.cost)
