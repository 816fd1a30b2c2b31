"""One cycle of the intensified search: islands swap centres while covers recombine what earlier ones made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Labels
from intarsia.examce.cover_result import Clock, CoverLimits
from intarsia.examce.cover_windows import (
    CoverWindow,
    CoverWindowTask,
    join_windows,
    recombine_window,
    window_tasks,
)
from intarsia.examce.holdings import Holdings
from intarsia.examce.rounds import Round, RoundTask, run_round
from intarsia.examce.settings import LARGE_DATA, ExamceSettings
from intarsia.examce.state import ExamceState

_WHILE_HIGHS = 8  # times as many swaps: an exact cover takes long, and nobody should wait for it


@dataclass(frozen=True)
class IslandTask:
    """One island's work in one cycle: a pure function of these and the data."""

    island: int
    cycle: int
    labels: Labels


@dataclass(frozen=True)
class Island:
    """Where an island got to, and the clusters that good trials made."""

    labels: Labels
    columns: ColumnPool


Task: TypeAlias = RoundTask | CoverWindowTask | IslandTask
Made: TypeAlias = Round | CoverWindow | Island


@dataclass(frozen=True)
class _Shared:
    holdings: Holdings
    multipliers: Floats | None
    settings: ExamceSettings
    n_swaps: int
    clock: Clock


def search_cycle(state: ExamceState, limits: CoverLimits | None) -> None:
    """Let the islands swap and, with limits, covers recombine the pool; all meet again at the cycle's end."""
    # Covers come first: they are the longest tasks, and islands fill the time of the other workers.
    stage = "recombine" if state.cycle == 0 else "intensify"
    cover = RoundTask(state.n_rounds, stage, limits) if limits is not None else None
    covers: list[Task] = [] if cover is None else [cover, *window_tasks(state, state.cycle)]
    swaps: list[Task] = [IslandTask(i, state.cycle, labels) for i, labels in enumerate(state.islands)]
    settings = state.settings
    n_swaps = state.criterion.affordable_swaps(state.k, settings.effort.swaps_per_cluster)
    is_large = len(state.criterion.X) > LARGE_DATA  # there a cover is no longer than the swaps
    if limits is not None and limits.use_highs and not (settings.hurried or is_large):
        n_swaps *= _WHILE_HIGHS
    shared = _Shared(state.holdings, state.multipliers, settings, n_swaps, state.clock)
    _join(state, state.executor.map(_work, covers + swaps, shared))


def _join(state: ExamceState, results: list[Made]) -> None:
    join_windows(state, [result for result in results if isinstance(result, CoverWindow)])
    for round_ in results:
        if isinstance(round_, Round):
            state.join_round(round_)
    islands = [result for result in results if isinstance(result, Island)]
    for island in islands:
        state.holdings.pool.absorb(island.columns, state.n_rounds)
        state.holdings.offer(island.labels, state.n_rounds)
    state.islands = [island.labels for island in islands]


def _work(task: Task, shared: _Shared) -> Made:
    if isinstance(task, RoundTask):
        return run_round(task, shared.holdings, shared.multipliers, shared.settings, shared.clock)
    if isinstance(task, CoverWindowTask):
        return recombine_window(task, shared.holdings, shared.settings.seed, shared.clock)
    return _swap(task, shared)


def _swap(task: IslandTask, shared: _Shared) -> Island:
    labels, _, _, columns = shared.holdings.criterion.swap_search(
        task.labels,
        shared.holdings.k,
        n_swaps=shared.n_swaps,
        seconds=min(shared.clock.remaining(), shared.settings.cycle_seconds()),
        seed=shared.settings.seed,
        task=task.island,
        substream=task.cycle,
    )
    return Island(labels, columns)


def adopt_best(state: ExamceState) -> None:
    """The first island goes on from the best partition, and the others in turn: variety, but not for ever."""
    turn = state.cycle % len(state.islands)
    best = state.holdings.incumbent.labels
    state.islands = [best if i in (0, turn) else labels for i, labels in enumerate(state.islands)]
