"""EXAMCE, top to bottom: base runs, cover, duplicates, local search, expansion; then the search."""

from __future__ import annotations

from intarsia._core import Stage
from intarsia.arrays import Labels
from intarsia.examce.cover.problem import CoverLimits
from intarsia.examce.criteria.protocol import BaseTask
from intarsia.examce.search.contest import see_next_step
from intarsia.examce.search.round import Round, RoundTask, run_round
from intarsia.examce.state import ExamceResult, ExamceState, RunStatus

_BATCH = 8  # base runs of a worker between two records
#: The paper solves its covers to the end. Up to so many points, more than in its tables of costs, all that
#: fixing leaves goes to HiGHS, whatever the gap; beyond, only what HiGHS can be expected to finish.
_SOLVED_TO_THE_END = 5_000
_PAPER_LIMITS = CoverLimits(core_factor=1e6, max_gap=1e6, max_nodes=100)
_LARGE_PAPER_LIMITS = CoverLimits(core_factor=24.0, max_gap=0.01)
_FIRST_LIMITS = CoverLimits()


def run_examce(state: ExamceState) -> ExamceResult:
    """Run the whole method; after Ctrl-C or at the time limit return the best so far, labelled so."""
    status: RunStatus = "done"
    try:
        fill_pool(state)
        recombine(state)
        search(state)
    except KeyboardInterrupt:
        if state.best is None:
            raise
        status = "interrupted"
    if status == "done" and state.clock.stopped_something:
        status = "time_limit"
    return state.result(status)


def fill_pool(state: ExamceState) -> None:
    """Step 1: base runs over the bracket, and the user's own partitions."""
    if state.base_done:
        return  # an earlier run left it so
    for labels in state.init_partitions:
        state.incumbent.add_run(labels, origin=-1)
    if state.settings.base_runs_for(state.criterion, state.counts.most) > 0:
        _make_base_runs(state)
    if state.runs and not state.criterion.data.sizes.are_free(state.n_samples):
        from intarsia.examce.within_sizes import bring_runs_within_sizes

        bring_runs_within_sizes(state)
    # without base runs there is nothing to recombine: the search has starts of its own
    state.recombined = state.settings.effort.searches and not (state.runs or state.init_partitions)
    if state.incumbent.best is None and not state.recombined:
        _start_from_own_run(state)
    state.n_base_runs = len(state.runs)
    state.runs, state.base_done = {}, True
    state.record()


def _make_base_runs(state: ExamceState) -> None:
    from intarsia.examce.base_runs import base_tasks

    for run, labels in state.runs.items():
        _keep_base_run(state, labels, run)
    tasks = base_tasks(state)
    left = [task for task in tasks if task.run not in state.runs]
    state.enter("base runs", len(state.runs), len(tasks))
    batch = state.executor.n_workers * (_BATCH if state.settings.time_limit is None else 1)
    while left and not (state.runs and state.is_over()):
        _make_runs(state, left[:batch], len(tasks))
        left = left[batch:]
        state.record()


def _make_runs(state: ExamceState, tasks: list[BaseTask], n_total: int) -> None:
    from intarsia.examce.base_runs import make_base_runs

    n_before = len(state.runs)
    runs = make_base_runs(state, tasks, lambda n_done: state.tell("base runs", n_before + n_done, n_total))
    for task, labels in zip(tasks, runs, strict=True):
        state.runs[task.run] = labels
        _keep_base_run(state, labels, task.run)


def _keep_base_run(state: ExamceState, labels: Labels, run: int) -> None:
    partition = state.incumbent.add_run(labels, run)
    if partition is not None:
        state.keep_base_cost(partition.cost)


def _start_from_own_run(state: ExamceState) -> None:
    # No base run gave a partition within the limits: start from one that is.
    (labels,) = state.executor.map(_first_partition, [state.counts.least], state)
    partition = state.incumbent.offer(labels, 0)
    assert partition is not None
    state.keep_base_cost(partition.cost)


def _first_partition(k: int, state: ExamceState) -> Labels:
    return state.criterion.first_partition(k, state.settings.seed)


def recombine(state: ExamceState) -> None:
    """Steps 2-6 of the paper: rounds while the cost falls."""
    searches = state.settings.effort.searches
    state.enter("rounds", state.n_rounds)
    paper = _PAPER_LIMITS if state.n_samples <= _SOLVED_TO_THE_END else _LARGE_PAPER_LIMITS
    limits = _FIRST_LIMITS if searches else paper
    while not state.recombined and not state.is_over():
        before = state.cost
        task = RoundTask(Stage.COVER, state.n_rounds, state.n_rounds, limits, searches)
        (round_,) = state.executor.map(_round, [task], state)
        round_.join(state.incumbent, state.n_rounds)
        state.keep_round(round_, "recombine", state.cost < before)
        state.recombined = searches or not state.cost < before
        state.record()
        state.tell("rounds", state.n_rounds)


def _round(task: RoundTask, state: ExamceState) -> Round:
    multipliers = state.populations[0].multipliers
    return run_round(task, state.incumbent, multipliers, state.settings, state.clock)


def search(state: ExamceState) -> None:
    """Beyond the paper: populations of swaps and covers, until more is unlikely to help."""
    if not state.settings.effort.searches:
        return
    state.enter("search", state.evidence.n_steps)
    while not state.evidence.settled and not (state.best is not None and state.is_over()):
        see_next_step(state)
        state.record()
        state.tell("search", state.evidence.n_steps)
