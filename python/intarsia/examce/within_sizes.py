"""Base runs know no size limits: some of those that break them are brought within."""

from __future__ import annotations

import numpy as np

from intarsia.arrays import Labels
from intarsia.examce.criteria.protocol import Data, count_clusters
from intarsia.examce.state import ExamceState
from intarsia.executor import is_wanted

_WORK = 2e6  # points times clusters, summed over the runs: each takes several flows
_LEAST_RUNS, _MOST_RUNS = 4, 60


def bring_runs_within_sizes(state: ExamceState) -> None:
    """Bring the first runs of k clusters that are out of bounds within them, and offer what comes of it."""
    criterion, data = state.criterion, state.criterion.data
    broken = [run for run, labels in sorted(state.runs.items()) if _is_broken(labels, data)]
    if broken and state.incumbent.best is None:
        # one repair first: whoever interrupts the many below has something in hand
        _offer(state, criterion.within_sizes(state.runs[broken[0]]), broken[0])
    affordable = int(_WORK / (len(data.X) * data.counts.most))
    chosen = broken[: min(_MOST_RUNS, max(_LEAST_RUNS, affordable))]
    while chosen and not state.is_over():
        batch, chosen = chosen[: state.executor.n_workers], chosen[state.executor.n_workers :]
        within = state.executor.map(_bring_within, [state.runs[run] for run in batch], state)
        for run, labels in zip(batch, within, strict=True):
            _offer(state, labels, run)


def _is_broken(labels: Labels, data: Data) -> bool:
    if labels.min() < 0 or count_clusters(labels) not in data.counts:
        return False
    return not data.sizes.allow(np.bincount(labels))


def _bring_within(labels: Labels, state: ExamceState) -> Labels:
    def is_late() -> bool:
        return state.clock.remaining() <= 0 or not is_wanted()

    return state.criterion.search_within_sizes(labels, is_late)


def _offer(state: ExamceState, labels: Labels, run: int) -> None:
    partition = state.incumbent.offer(labels, run)
    if partition is not None:
        state.keep_base_cost(partition.cost)
