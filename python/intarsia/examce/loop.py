"""EXAMCE, top to bottom: base runs, cover, duplicates, local search, expansion, intensified search."""

from __future__ import annotations

import math

from intarsia import _core
from intarsia.arrays import Labels
from intarsia.examce.base_stage import BaseTask, make_base_runs
from intarsia.examce.bracket import bracket_of, spread_runs
from intarsia.examce.cover import CoverLimits
from intarsia.examce.cover_windows import recombine_windows
from intarsia.examce.groups import fuse_groups
from intarsia.examce.islands import adopt_best, search_cycle
from intarsia.examce.result import ExamceResult, RunStatus
from intarsia.examce.rounds import Round, RoundTask, run_round
from intarsia.examce.settings import LARGE_DATA
from intarsia.examce.settle import settle_runs
from intarsia.examce.state import ExamceState
from intarsia.examce.windows import search_windows

_BATCH = 8  # base runs of a worker between two records
_ROUNDING = 1e-10  # relative: a smaller gain is the same partition added in another order
_PAPER_LIMITS = CoverLimits(n_rounds=10, n_roundings=20)
_FIRST_LIMITS = CoverLimits()
_FIRST_EXACT = 1  # cycle: before the first swaps HiGHS would have a poor cutoff and take twice as long
_QUICK_LIMITS = CoverLimits(n_rounds=1, n_roundings=6, use_highs=False)
_EXACT_LIMITS = CoverLimits(n_rounds=1, n_roundings=6, core_factor=6.0, max_nodes=200)
_LARGE_LIMITS = CoverLimits(
    cold_iterations=200, warm_iterations=60, n_rounds=1, n_roundings=2, core_factor=2.0, first_core_factor=2.0
)


def run_examce(state: ExamceState) -> ExamceResult:
    """Run the whole method; after Ctrl-C or at the time limit return the best so far, labelled so."""
    status: RunStatus = "done"
    try:
        fill_pool(state)
        recombine(state)
        intensify(state)
    except KeyboardInterrupt:
        if state.holdings.best is None:
            raise
        status = "interrupted"
    if status == "done" and state.clock.stopped_something:
        status = "time_limit"
    return _result(state, status)


def fill_pool(state: ExamceState) -> None:
    """Step 1: base runs over the bracket, and the user's own partitions; then the groups of runs."""
    if state.base_done:
        return  # an earlier run left it so
    for labels in state.init_partitions:
        state.holdings.add_run(labels, origin=-1)
    _make_base_runs(state)
    settle_runs(state)
    if state.holdings.best is None:
        _start_from_own_run(state)
    fused = [] if state.settings.hurried else fuse_groups(state, list(state.runs.values()))
    n_islands = state.settings.n_islands(state.executor.n_workers)
    state.islands = (fused + [state.holdings.incumbent.labels] * n_islands)[:n_islands]
    state.n_base_runs = len(state.runs)
    state.runs, state.base_done = {}, True
    state.record()


def _make_base_runs(state: ExamceState) -> None:
    for run, labels in state.runs.items():
        _keep_base_run(state, labels, run)
    tasks = base_tasks(state)
    left = [task for task in tasks if task.run not in state.runs]
    batch = state.executor.n_workers * (1 if state.settings.hurried else _BATCH)
    while left and not _base_time_is_over(state):
        _make_runs(state, left[:batch], len(tasks))
        left = left[batch:]
        state.record()


def base_tasks(state: ExamceState) -> list[BaseTask]:
    """All base runs of this search, in order."""
    X, k, settings = state.criterion.X, state.k, state.settings
    widest = k + max(settings.bracket or 0, k // 10)
    low, high = bracket_of(k, settings.bracket, _core.count_distinct(X, widest))
    sizes = spread_runs(settings.base_runs_for(len(X)), k, low, high)
    return [BaseTask(run, int(c)) for run, c in enumerate(sizes)]


def _base_time_is_over(state: ExamceState) -> bool:
    late = bool(state.runs) and state.clock.seconds() > state.settings.base_seconds()
    over = state.executor.agree(late)
    state.clock.stopped_something |= over
    return over


def _make_runs(state: ExamceState, tasks: list[BaseTask], n_total: int) -> None:
    criterion, settings, n_before = state.criterion, state.settings, len(state.runs)
    runs = make_base_runs(
        criterion.X,
        criterion.weights,
        settings.base,
        settings.effort.base_init,
        tasks,
        settings.seed,
        state.executor,
        lambda n_done: state.tell("base runs", n_before + n_done, n_total),
    )
    for task, labels in zip(tasks, runs, strict=True):
        state.runs[task.run] = labels
        _keep_base_run(state, labels, task.run)


def _keep_base_run(state: ExamceState, labels: Labels, run: int) -> None:
    partition = state.holdings.add_run(labels, run)
    if partition is not None:
        state.best_base_cost = min(state.best_base_cost, partition.cost)


def recombine(state: ExamceState) -> None:
    """Steps 2-6 of the paper: rounds while the cost falls."""
    if state.settings.effort.n_cycles > 0 and state.k > 1:
        return  # the search has covers of its own, side by side with swaps
    while state.stalled == 0 and not state.is_over():
        before = state.cost
        task = RoundTask(state.n_rounds, "recombine", _PAPER_LIMITS)
        (round_,) = state.executor.map(_round, [task], state)
        state.join_round(round_)
        recombine_windows(state)
        state.stalled = 0 if state.cost < before else 1
        state.record()
        state.tell("rounds", state.n_rounds, state.n_rounds)


def _round(task: RoundTask, state: ExamceState) -> Round:
    return run_round(task, state.holdings, state.multipliers, state.settings, state.clock)


def intensify(state: ExamceState) -> None:
    """Beyond the paper: islands of swaps feed the pool, covers recombine it, until nothing is gained."""
    settings, n_samples = state.settings, len(state.criterion.X)
    n_cycles = settings.cycles_for(n_samples) if state.k > 1 else 0
    while state.cycle < n_cycles and state.stalled <= settings.effort.patience and not state.is_over():
        before = state.cost
        if settings.uses_windows(n_samples):
            search_windows(state)
            adopt_best(state)
        search_cycle(state, _cycle_limits(state))
        adopt_best(state)
        state.thin_out()
        state.stalled = 0 if state.cost < before * (1 - _ROUNDING) else state.stalled + 1
        state.cycle += 1
        _widen(state)
        state.record()
        state.tell("search", state.cycle, n_cycles)


def _widen(state: ExamceState) -> None:
    # A hurried search began with few islands: once they gain nothing, variety may.
    effort = state.settings.effort
    if state.stalled > effort.patience and len(state.islands) < effort.n_islands:
        state.islands += [state.holdings.incumbent.labels] * (effort.n_islands - len(state.islands))
        state.stalled = 0


def _cycle_limits(state: ExamceState) -> CoverLimits | None:
    """How much the cover of this cycle may do: most once swaps gave a good cutoff, more before giving up."""
    if state.settings.hurried and state.cycle == 0:
        return None  # few base runs were made: the cover comes after the first swaps
    if len(state.criterion.X) > LARGE_DATA:
        return _LARGE_LIMITS  # there swaps find more than the cover in the same time
    if state.stalled >= state.settings.effort.patience:
        return _EXACT_LIMITS
    if state.cycle == _FIRST_EXACT and not state.settings.hurried:
        return _FIRST_LIMITS
    return _QUICK_LIMITS


def _start_from_own_run(state: ExamceState) -> None:
    # No base run gave k clusters within the size limits: start from one that does.
    X, weights, k = state.criterion.X, state.criterion.weights, state.k
    runs = make_base_runs(
        X, weights, "hk-means", "k-means++", [BaseTask(0, k)], state.settings.seed, state.executor
    )
    labels = state.criterion.within_sizes(runs[0], k)
    partition = state.holdings.offer(state.criterion.local_search(labels, k), 0)
    assert partition is not None
    state.best_base_cost = min(state.best_base_cost, partition.cost)


def _result(state: ExamceState, status: RunStatus) -> ExamceResult:
    best, cover = state.holdings.incumbent, state.last_cover
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
        n_base_runs=state.n_base_runs or len(state.runs),
        n_columns=len(state.holdings.pool),
        history=tuple(state.history),
        seconds=state.clock.seconds(),
        seed=state.settings.seed,
    )
