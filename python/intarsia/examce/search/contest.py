"""Populations one after the other, as the evidence calls for them; on idle workers some are searched ahead.

Who comes to the best partition without knowing it *arrives*: a new chain of swaps that ends there by itself,
or a rival, searched from scratch once the first population rests. A rival that rests elsewhere is merged.

What is made ahead changes nothing: a population knows of no other, and its steps are looked at, and counted,
when it is their turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from intarsia._core import Stage
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CoverLimits
from intarsia.examce.criteria.protocol import Data, Partition
from intarsia.examce.search.population import (
    ROUNDING,
    Population,
    Step,
    StepFacts,
    idle_covers,
    n_hits,
    take_step,
)
from intarsia.examce.search.round import Round, RoundTask, run_round
from intarsia.examce.settings import LARGE_DATA, Effort, ExamceSettings

if TYPE_CHECKING:
    from intarsia.examce.state import ExamceState


_EXACT = CoverLimits(n_rounds=1, n_roundings=6, core_factor=6.0, max_nodes=200)
_QUICK = CoverLimits(n_rounds=1, n_roundings=6, use_highs=False)
_NOTED = 1e-4  # of the cost: what is less does not prolong the search
_ALWAYS = 4e9  # distances in the plane, some 15 s of one core: less is not worth saving
_MOST, _MOST_PASSES = 2e10, 300.0  # the same; and for each point and cluster, where these are more
_LEAST_HORIZON, _MOST_HORIZON, _HORIZON_POINTS = 3.0, 10.0, 300.0  # see `horizon`
_MOST_AHEAD = 4  # rivals: more are seldom needed, and each holds a pool


class Verdict(Enum):
    """What the step that was seen last calls for."""

    GO_ON = "go on"
    MERGE = "merge"


@dataclass
class Evidence:
    """What has been seen so far, and whose step is wanted next.

    Attributes
    ----------
    turn
        The population whose next step is wanted: 0 is the first, which holds the answer.
    n_rivals
        Rivals that were called so far; the last one's number, if its turn is not over.
    n_arrivals
        How often the best partition was arrived at since it was found.
    n_vain_merges, has_merged, n_steps
        What else the rules ask about.
    noted_cost, noted_work
        The cost when it was last lowered by as much as people would note, and the work done until then.
    settled
        Whether the search is over.
    """

    turn: int = 0
    n_rivals: int = 0
    n_arrivals: int = 0
    n_vain_merges: int = 0
    has_merged: bool = False
    n_steps: int = 0
    noted_cost: float = math.inf
    noted_work: float = 0.0
    settled: bool = False

    def weigh_first(self, course: Sequence[StepFacts], rules: Effort) -> None:
        """Take account of a step of the first population."""
        self._count(rules)
        if course[-1].gained:
            self.n_arrivals = self.n_vain_merges = 0  # about a partition that was not the best
        elif course[-1].is_hit:
            self._arrive(rules)
        if idle_covers(course) >= (rules.rest_after_merge if self.has_merged else rules.rest_after):
            self._call_rival(rules)

    def weigh_rival(self, course: Sequence[StepFacts], cost: float, rules: Effort) -> Verdict:
        """Take account of a step of the rival; `cost` is the first population's."""
        self._count(rules)
        if abs(course[-1].cost - cost) <= ROUNDING * abs(cost):
            self._arrive(rules)
            self._call_rival(rules)
        elif is_at_rest(course, rules):
            return Verdict.MERGE
        return Verdict.GO_ON

    def weigh_merge(self, gained: bool, rules: Effort) -> None:
        """Take account of a merge with the rival: the first population goes on."""
        self.has_merged = True
        self.n_vain_merges = 0 if gained else self.n_vain_merges + 1
        self.n_arrivals = 0 if gained else self.n_arrivals
        self.settled |= self.n_vain_merges >= rules.n_merges
        self.turn = 0

    def note(self, best: Partition, work: float) -> None:
        """Take account of the cost after so much work."""
        if self.noted_cost - best.cost > _NOTED * best.magnitude:
            self.noted_cost, self.noted_work = best.cost, work

    def _arrive(self, rules: Effort) -> None:
        self.n_arrivals += 1
        self.settled |= self.n_arrivals >= rules.n_arrivals

    def _call_rival(self, rules: Effort) -> None:
        self.n_rivals += 1
        self.turn = self.n_rivals
        self.settled |= rules.n_merges == 0

    def _count(self, rules: Effort) -> None:
        self.n_steps += 1
        self.settled |= self.n_steps >= rules.max_steps


def is_at_rest(course: Sequence[StepFacts], rules: Effort) -> bool:
    """Whether a rival has gone on for long enough without gain, or its chains keep ending at its best."""
    return idle_covers(course) >= rules.rest_after or n_hits(course) >= rules.n_arrivals


@dataclass(frozen=True)
class StepTask:
    """The next step of a population."""

    number: int


Task: TypeAlias = StepTask | RoundTask
Made: TypeAlias = Step | Round


@dataclass(frozen=True)
class _Shared:
    populations: dict[int, Population]
    settings: ExamceSettings
    clock: Clock
    max_work: float


def see_next_step(state: ExamceState) -> None:
    """Look at the next step of the population in turn, and do what it calls for."""
    if state.evidence.turn == 0:
        _see_first(state)
    else:
        _see_rival(state)


def _see_first(state: ExamceState) -> None:
    first, evidence = state.populations[0], state.evidence
    _see(state, first)
    state.keep_cover(first.cover, first.multipliers)
    evidence.settled |= state.counts.most == 1  # there is nothing to choose
    evidence.weigh_first(first.seen, state.settings.effort)
    evidence.settled |= state.work >= state.max_work() or _is_late(state)


def _see_rival(state: ExamceState) -> None:
    evidence, rules, number = state.evidence, state.settings.effort, state.evidence.turn
    rival = state.population(number)
    _see(state, rival)
    verdict = evidence.weigh_rival(rival.seen, state.incumbent.partition.cost, rules)
    # the last rival is merged where it stands: what it found is not lost
    if verdict is Verdict.MERGE or (_is_late(state) and not evidence.settled):
        _merge(state, rival)
        evidence.settled |= _is_late(state)
    if evidence.turn != number:
        state.populations.pop(number)


def _is_late(state: ExamceState) -> bool:
    """Whether so much work was done since the cost fell that waiting for more is not worth while."""
    data, evidence = state.criterion.data, state.evidence
    evidence.note(state.incumbent.partition, state.work)
    allowed = max(_ALWAYS / _distances_of_plane(data), horizon(data) * evidence.noted_work)
    return state.settings.effort.has_horizon and state.work >= allowed


def horizon(data: Data) -> float:
    """Return how many times the work of the best is spent: more where clusters are small and covers pay."""
    return float(np.clip(_HORIZON_POINTS * data.counts.most / len(data.X), _LEAST_HORIZON, _MOST_HORIZON))


def most_work(data: Data) -> float:
    """Return what is spent at most under a horizon: on much data a chain alone would go on for hours."""
    passes = _MOST_PASSES * len(data.X) * data.counts.most
    return max(_MOST, passes) / _distances_of_plane(data)


def _distances_of_plane(data: Data) -> float:
    """Return how many distances of the plane take as long as one of these, roughly."""
    n_features = int(data.X.shape[1])
    return 1.0 if n_features <= 2 else (n_features + 3) / 2


def _see(state: ExamceState, population: Population) -> None:
    """Look at one more step of a population, which is made now unless it was made ahead."""
    if population.n_seen == len(population.course):
        step = _make(state, StepTask(population.number))
        assert isinstance(step, Step)
        population.join(step)
    facts = population.course[population.n_seen]
    population.n_seen += 1
    state.spend(facts.work, gained=facts.gained and population.number == 0)
    state.n_base_runs += 1
    state.keep_base_cost(facts.start_cost)
    if facts.history:
        state.n_rounds += 1
        stage = "rival" if population.number else "search"
        cost = min(facts.cost, state.cost) if population.number == 0 else state.cost
        state.note({**facts.history, "stage": stage, "cost": cost}, population.number)


def _merge(state: ExamceState, rival: Population) -> None:
    """Cover what both populations have, exactly if it can be done; the first goes on from there."""
    first, before = state.populations[0], state.incumbent.partition
    first.merge(rival)
    limits = _EXACT if state.n_samples <= LARGE_DATA else _QUICK
    round_ = _make(state, RoundTask(Stage.MERGE_COVER, rival.number, rival.number, limits, True))
    assert isinstance(round_, Round)
    round_.join(first.incumbent, rival.number)
    gained = state.incumbent.partition.cost < before.cost - ROUNDING * before.magnitude
    state.keep_round(round_, "merge", gained)
    facts = StepFacts(state.incumbent.partition.cost, True, False, float("inf"), round_.work, {})
    first.course.append(facts)  # its steps without gain are counted from here
    first.n_seen += 1
    state.evidence.weigh_merge(gained, state.settings.effort)


def make_populations(state: ExamceState, numbers: Sequence[int]) -> None:
    """Search populations until they rest: what another run goes on from as if it had made them itself."""
    while wanted := [n for n in numbers if not _is_finished(state, state.population(n))]:
        shared = _Shared(state.populations, state.settings, state.clock, state.max_work())
        tasks = [StepTask(number) for number in wanted]
        for number, step in zip(wanted, state.executor.map(_work, tasks, shared), strict=True):
            assert isinstance(step, Step)
            state.populations[number].join(step)
        n_steps = sum(len(state.populations[n].course) for n in numbers)
        state.tell("search", n_steps)


def _is_finished(state: ExamceState, population: Population) -> bool:
    """Whether nothing can be told of the next step before the populations meet."""
    course, rules = population.course, state.settings.effort
    spent = sum(facts.work for facts in course) >= state.max_work()
    is_one = bool(course) and state.counts.most == 1
    return spent or is_one or is_at_rest(course, rules)


def _make(state: ExamceState, lead: Task) -> Made:
    """Return what the task makes; other workers take the next step of rivals ahead meanwhile."""
    tasks: list[Task] = [lead, *_ahead(state)]
    shared = _Shared(state.populations, state.settings, state.clock, state.max_work())
    made, *others = state.executor.map(_work, tasks, shared)
    for task, step in zip(tasks[1:], others, strict=True):
        assert isinstance(task, StepTask)
        assert isinstance(step, Step)
        state.population(task.number).join(step)
    return made


def _ahead(state: ExamceState) -> list[StepTask]:
    rules, next_rival = state.settings.effort, state.evidence.n_rivals + 1
    if rules.n_merges == 0 or state.executor.n_workers == 1:
        return []
    candidates = range(next_rival, next_rival + _MOST_AHEAD)
    wanted = [n for n in candidates if not is_at_rest(state.population(n).course, rules)]
    return [StepTask(number) for number in wanted[: state.executor.n_workers - 1]]


def _work(task: Task, shared: _Shared) -> Made:
    if isinstance(task, StepTask):
        return take_step(shared.populations[task.number], shared.settings, shared.clock, shared.max_work)
    first = shared.populations[0]
    return run_round(task, first.incumbent, first.multipliers, shared.settings, shared.clock)
