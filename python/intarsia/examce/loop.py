"""EXAMCE, top to bottom: base runs, cover, duplicates, local search, expansion, intensified search."""

from __future__ import annotations

import math

from intarsia import _core
from intarsia.arrays import Labels
from intarsia.examce.base_stage import BaseTask, make_base_runs
from intarsia.examce.bracket import bracket_of, spread_runs
from intarsia.examce.cover import CoverLimits
from intarsia.examce.islands import adopt_best, search_islands
from intarsia.examce.result import ExamceResult, RunStatus
from intarsia.examce.rounds import cover_round
from intarsia.examce.settings import LARGE_DATA
from intarsia.examce.state import ExamceState
from intarsia.examce.windows import search_windows

_PAPER_LIMITS = CoverLimits()
_SEARCH_LIMITS = CoverLimits(n_rounds=1, n_roundings=6, max_nodes=200)
_LARGE_LIMITS = CoverLimits(
    cold_iterations=200, warm_iterations=60, n_rounds=1, n_roundings=2, core_factor=2.0, first_core_factor=2.0
)


def run_examce(state: ExamceState, init_partitions: list[Labels]) -> ExamceResult:
    """Run the whole method; after Ctrl-C or at the time limit return the best so far, labelled so."""
    status: RunStatus = "done"
    try:
        fill_pool(state, init_partitions)
        recombine(state)
        intensify(state)
    except KeyboardInterrupt:
        if state.best is None:
            raise
        status = "interrupted"
    if status == "done" and state.clock.stopped_something:
        status = "time_limit"
    return _result(state, status)


def fill_pool(state: ExamceState, init_partitions: list[Labels]) -> None:
    """Step 1: base runs over the bracket, and the user's own partitions."""
    X, k, settings = state.criterion.X, state.k, state.settings
    widest = k + max(settings.bracket or 0, k // 10)
    low, high = bracket_of(k, settings.bracket, _core.count_distinct(X, widest))
    sizes = spread_runs(settings.base_runs_for(len(X)), k, low, high)
    tasks = [BaseTask(run, int(c)) for run, c in enumerate(sizes)]
    for labels in init_partitions:
        _add_partition(state, labels, origin=-1)
    group = state.executor.n_workers if settings.hurried else len(tasks)
    for first in range(0, len(tasks), group):
        _make_runs(state, tasks[first : first + group], first, len(tasks))
        if first + group < len(tasks) and state.clock.seconds() > settings.base_seconds():
            state.clock.stopped_something = True
            break
    if state.best is None:
        _start_from_own_run(state)


def _make_runs(state: ExamceState, tasks: list[BaseTask], n_before: int, n_total: int) -> None:
    criterion, settings = state.criterion, state.settings

    def on_done(n_done: int) -> None:
        state.tell("base runs", n_before + n_done, n_total)

    runs = make_base_runs(
        criterion.X,
        criterion.weights,
        settings.base,
        settings.effort.base_init,
        tasks,
        settings.seed,
        state.executor,
        on_done,
    )
    for task, labels in zip(tasks, runs, strict=True):
        _add_partition(state, labels, origin=task.run)


def recombine(state: ExamceState) -> None:
    """Steps 2-6: rounds while the cost falls."""
    if state.settings.hurried and state.settings.effort.n_cycles > 0:
        return  # few base runs were made: the cover comes after the first swaps
    while not state.clock.is_over() and cover_round(state, "recombine", _limits(state, _PAPER_LIMITS)):
        state.tell("rounds", state.n_rounds, state.n_rounds)


def intensify(state: ExamceState) -> None:
    """Beyond the paper: islands of swaps feed the pool, the cover recombines, until nothing is gained."""
    settings, n_samples = state.settings, len(state.criterion.X)
    n_cycles = settings.cycles_for(n_samples)
    islands = [state.incumbent.labels] * settings.n_islands(state.executor.n_workers)
    stalled = 0
    for cycle in range(n_cycles):
        if stalled >= settings.effort.patience or state.clock.is_over() or state.k == 1:
            break
        before = state.incumbent.cost
        if settings.uses_windows(n_samples):
            search_windows(state, cycle)
            islands = adopt_best(state, islands)
        islands = search_islands(state, islands, cycle)
        if not state.clock.is_over():
            cover_round(state, "intensify", _limits(state, _SEARCH_LIMITS))
        islands = adopt_best(state, islands)
        state.thin_out()
        stalled = 0 if state.incumbent.cost < before else stalled + 1
        if stalled >= settings.effort.patience and len(islands) < settings.effort.n_islands:
            # A hurried search began with few islands: now that they gain nothing, variety may.
            islands = islands + [state.incumbent.labels] * (settings.effort.n_islands - len(islands))
            stalled = 0
        state.tell("search", cycle + 1, n_cycles)


def _limits(state: ExamceState, usual: CoverLimits) -> CoverLimits:
    # On large data swaps find more than the cover in the same time; the paper's loop keeps to its own.
    large = len(state.criterion.X) > LARGE_DATA and state.settings.effort.n_cycles > 0
    if large:
        return _LARGE_LIMITS
    return _SEARCH_LIMITS if state.settings.hurried else usual


def _add_partition(state: ExamceState, labels: Labels, origin: int) -> None:
    k = int(labels.max()) + 1
    if k == state.k and labels.min() >= 0:
        partition = state.offer(labels, origin)
        if partition is not None and origin >= 0:
            state.best_base_cost = min(state.best_base_cost, partition.cost)
    else:
        state.criterion.add_some_clusters(state.pool, labels, k, origin)


def _start_from_own_run(state: ExamceState) -> None:
    # No base run gave k clusters within the size limits: start from one that does.
    X, weights, k = state.criterion.X, state.criterion.weights, state.k
    runs = make_base_runs(
        X, weights, "hk-means", "k-means++", [BaseTask(0, k)], state.settings.seed, state.executor
    )
    labels = state.criterion.within_sizes(runs[0], k)
    partition = state.offer(state.criterion.local_search(labels, k), 0)
    assert partition is not None
    state.best_base_cost = min(state.best_base_cost, partition.cost)


def _result(state: ExamceState, status: RunStatus) -> ExamceResult:
    best, cover = state.incumbent, state.last_cover
    return ExamceResult(
        labels=best.labels,
        centers=best.centers,
        cost=best.cost,
        best_base_cost=state.best_base_cost,
        pool_bound=-math.inf if cover is None else cover.bound,
        cover_status="none" if cover is None else cover.status,
        cover_gap=math.inf if cover is None else cover.gap,
        status=status,
        n_rounds=state.n_rounds,
        n_columns=len(state.pool),
        history=tuple(state.history),
        seconds=state.clock.seconds(),
        seed=state.settings.seed,
    )
