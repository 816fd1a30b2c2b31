"""The intensified search: islands swap centres side by side, the cover recombines what they made."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia._core import ColumnPool
from intarsia.arrays import Labels
from intarsia.examce.cover_result import Clock
from intarsia.examce.criteria import Mssc
from intarsia.examce.state import ExamceState


@dataclass(frozen=True)
class IslandTask:
    """One island's work in one cycle: a pure function of these and the data."""

    island: int
    cycle: int
    labels: Labels


@dataclass(frozen=True)
class _Shared:
    criterion: Mssc
    k: int
    n_swaps: int
    clock: Clock
    cycle_seconds: float
    seed: int


def search_islands(state: ExamceState, islands: list[Labels], cycle: int) -> list[Labels]:
    """Let every island swap; their clusters join the pool in island order."""
    tasks = [IslandTask(i, cycle, labels) for i, labels in enumerate(islands)]
    effort, seed = state.settings.effort, state.settings.seed
    n_swaps = state.criterion.affordable_swaps(state.k, effort.swaps_per_cluster)
    shared = _Shared(state.criterion, state.k, n_swaps, state.clock, state.settings.cycle_seconds(), seed)
    results = state.executor.map(_search, tasks, shared)
    for labels, columns in results:
        state.pool.absorb(columns, state.n_rounds)
        state.offer(labels, state.n_rounds)
    return [labels for labels, _ in results]


def _search(task: IslandTask, shared: _Shared) -> tuple[Labels, ColumnPool]:
    labels, _, _, columns = shared.criterion.swap_search(
        task.labels,
        shared.k,
        n_swaps=shared.n_swaps,
        seconds=min(shared.clock.remaining(), shared.cycle_seconds),
        seed=shared.seed,
        task=task.island,
        substream=task.cycle,
    )
    return labels, columns


def adopt_best(state: ExamceState, islands: list[Labels]) -> list[Labels]:
    """The first island goes on from the best partition; the others keep their own way, for variety."""
    return [state.incumbent.labels, *islands[1:]]
