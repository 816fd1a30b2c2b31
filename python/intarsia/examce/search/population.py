"""A population: a pool, its best partition and multipliers, which grow step by step and know of no other.

Every step makes a new chain of swaps from a random start. Once the chains since the last cover have taken as
much work as a cover does, the step covers the pool with their clusters in it and swaps from the best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Labels
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CountRange, CoverLimits, CoverResult
from intarsia.examce.criteria.protocol import Data, Partition, Stream, SwapLimits, Swapped
from intarsia.examce.search.agreement import cross, few_differences, meetings_of
from intarsia.examce.search.round import Grown, Incumbent, Round, RoundTask, better, run_round
from intarsia.examce.settings import ExamceSettings
from intarsia.executor import is_wanted

ROUNDING = 1e-10  # of what was added: a smaller difference is the same partition added in another order

_QUICK = CoverLimits(n_rounds=1, n_roundings=6, use_highs=False)
_MANY = 2**62
_LEAST_GAIN, _MOST_GAIN = 1e-4, 1e-3  # shares of the cost: see `least_gain`
_GAIN_POINTS = 0.02
_FIRST_POINTS = 10.0
_SHORT_CHAIN = 50.0  # distances for each point and cluster: longer ones take no more than all work before
_FEW = 0.05  # of the best partition's clusters: a chain that has all others has arrived there
_ALIKE = 0.98  # of the points together as in the best partition: a chain that has fewer of them went astray
_WITH_BOOKKEEPING = 2.0  # a start and what follows it at least, by the work of the start alone
_LEAST_BALANCE, _MOST_BALANCE = 0.25, 4.0
_STEPS = 1_000_000  # of a population at most: the random streams of the next begin there
_GOLDEN = (5**0.5 - 1) / 2  # multiples of it, less their whole part, fill an interval evenly

_MOST_COLUMNS = 400  # for each cluster: the pool is thinned beyond this
_MOST_ENTRIES = 12_000_000  # members of all columns: 48 MB, and a step works on a copy or two
_KEPT_SHARE = 0.5


class StepFacts(NamedTuple):
    """What one step tells: plain values, which a checkpoint can hold."""

    cost: float
    gained: bool
    is_hit: bool
    start_cost: float
    work: float
    history: dict[str, Any]

    @property
    def has_cover(self) -> bool:
        """Whether the pool was covered."""
        return bool(self.history)


@dataclass(frozen=True)
class Step:
    """What one step made of a population: its pool, the best partition, and how to go on."""

    facts: StepFacts
    best: Partition
    grown: Grown
    multipliers: Floats | None
    balance: float
    cover: CoverResult | None


@dataclass
class Population:
    """What is known after some steps.

    Attributes
    ----------
    number
        Names its random streams.
    balance
        Work of swaps from the best partition for each unit of work of new chains and covers.
    course, n_seen
        The facts of its steps so far, and how many of them the evidence has seen: others were made ahead.
    rescued
        What a step that was interrupted had found.
    """

    number: int
    incumbent: Incumbent
    multipliers: Floats | None = None
    balance: float = 1.0
    course: list[StepFacts] = field(default_factory=list)
    n_seen: int = 0
    cover: CoverResult | None = None
    rescued: Partition | None = None

    @property
    def best(self) -> Partition | None:
        """The best partition known, if any."""
        known = (self.incumbent.best, self.rescued)
        return min((p for p in known if p is not None), key=lambda partition: partition.cost, default=None)

    @property
    def seen(self) -> list[StepFacts]:
        """The facts of the steps that the evidence has seen."""
        return self.course[: self.n_seen]

    def join(self, step: Step) -> None:
        """Take in what a step made."""
        step.grown.join(self.incumbent, self.number)
        self.incumbent.best = better(self.incumbent.best, step.best)
        self.multipliers, self.balance, self.cover = step.multipliers, step.balance, step.cover
        self.course.append(step.facts)
        thin_out(self.incumbent, self.multipliers)

    def merge(self, other: Population) -> None:
        """Take in all that another one has."""
        self.incumbent.pool.absorb(other.incumbent.pool, other.number)
        self.incumbent.best = better(self.incumbent.best, other.incumbent.partition)


def since_gain(course: Sequence[StepFacts]) -> Sequence[StepFacts]:
    """Return the steps since the last that gained something."""
    gains = [number for number, facts in enumerate(course) if facts.gained]
    return course[gains[-1] + 1 :] if gains else course


def idle_covers(course: Sequence[StepFacts]) -> int:
    """Return how many covers have gained nothing since the last gain."""
    return sum(facts.has_cover for facts in since_gain(course))


def n_hits(course: Sequence[StepFacts]) -> int:
    """Return how many new chains have ended at the best partition since it was found."""
    return sum(facts.is_hit for facts in since_gain(course))


def has_missed(course: Sequence[StepFacts]) -> bool:
    """Return whether a chain after the first has ended elsewhere than at the best."""
    return not all(facts.is_hit for facts in course[1:])


def uncovered_work(course: Sequence[StepFacts]) -> float:
    """Return the work of the steps since the last cover."""
    covers = [number for number, facts in enumerate(course) if facts.has_cover]
    return sum(facts.work for facts in course[covers[-1] + 1 if covers else 0 :])


def take_step(population: Population, settings: ExamceSettings, clock: Clock, max_work: float) -> Step:
    """Return the next step of a population, which stays as it is."""
    return _Working(population, settings, clock, max_work).take()


class _Working:
    """One step under way, on a copy of the population's pool."""

    def __init__(
        self, population: Population, settings: ExamceSettings, clock: Clock, max_work: float
    ) -> None:
        self._population, self._settings, self._clock = population, settings, clock
        self._own = population.incumbent.copy()
        self._n_before, self._before = len(self._own.pool), self._own.best
        self._multipliers = population.multipliers
        # by its own steps alone, so that a step made ahead, or by another job, is the same
        self._work, self._max_work = 0.0, max_work - sum(facts.work for facts in population.course)
        self._uncovered = uncovered_work(population.course)
        self._start_cost, self._is_astray = float("inf"), False
        self._round: Round | None = None

    def take(self) -> Step:
        """A new chain; a cover of all and swaps from the best where it is time for them."""
        before, balance = self._before, self._population.balance
        if before is not None and not self._has_time_for_chain(before):
            return self._step(is_hit=False, balance=balance)
        # to its own end: a chain that is stopped where it meets the best has not shown that it ends there
        chained = self._chain(self._chain_limits())
        if self._clock.is_over():  # a chain that was cut off is not crossed: it would have ended elsewhere
            return self._step(is_hit=False, balance=balance)
        is_hit = before is not None and self._arrives(chained, before)
        if before is not None and not is_hit and self._is_cover_due():
            balance = self._recombine(before)
        return self._step(is_hit, balance)

    def _chain_limits(self) -> SwapLimits:
        """Nothing is known yet that could do better than the first chain; others wait for covers in turn."""
        course, data = self._population.course, self._own.criterion.data
        is_first = self._population.number == 0 and not course
        before = sum(facts.work for facts in course)
        most = max(before, _SHORT_CHAIN * len(data.X) * data.counts.most) if course else math.inf
        return SwapLimits(_MANY, most, least_gain(data, is_first))

    def _arrives(self, chained: Partition, best: Partition) -> bool:
        """Whether a chain ended at the best but for a few clusters, which are taken where they cost less."""
        if is_same(chained, best):
            return True
        meetings = meetings_of(best.labels, chained.labels)
        self._is_astray = meetings.share_together < _ALIKE
        places = few_differences(meetings, _FEW * best.k)
        if places is None:
            return False
        crossed = cross(best, chained, places, self._own.criterion)
        self._own.offer(crossed.labels, self._population.number)
        return True

    def _has_time_for_chain(self, before: Partition) -> bool:
        return self._clock.has_time_for(_WITH_BOOKKEEPING * self._own.criterion.start_work(before.k))

    def _recombine(self, before: Partition) -> float:
        """Cover all, then swap from the best; return the balance of the next time."""
        spent = self._uncovered
        self._cover()
        joined, work = self._own.partition, self._work
        spent += work
        self._swap(self._population.balance * spent)
        won, swapped = before.cost - joined.cost, joined.cost - self._own.partition.cost
        return self._next_balance(won / spent, swapped, self._work - work)

    def _chain(self, limits: SwapLimits) -> Partition:
        self._clock.doing = "a new chain of swaps"
        criterion, population = self._own.criterion, self._population
        k, step = self._n_clusters(), len(population.course)
        task = _STEPS * (population.number + 1) + step  # base runs have the streams below
        began = self._clock.seconds()
        started = criterion.start(k, Stream(self._settings.seed, Stage.SEEDING, task, 0))
        self._clock.note_pace(self._clock.seconds() - began, started.work)
        self._work += started.work
        if self._clock.is_over():  # swaps would end before they began, and take long for it
            chained = self._own.offer_late(started.labels)
            self._start_cost = chained.cost
            return chained
        stream = Stream(self._settings.seed, Stage.SEARCH, population.number, step)
        try:
            swapped, chained = self._search(started.labels, limits, stream)
        except KeyboardInterrupt:
            self._rescue(started.labels)
            raise
        self._start_cost = max(swapped.start_cost, chained.cost)  # they may differ by rounding alone
        return chained

    def _swap(self, max_work: float) -> None:
        self._clock.doing = "swaps from the best"
        population = self._population
        stream = Stream(self._settings.seed, Stage.BEST_SEARCH, population.number, len(population.course))
        self._search(self._own.partition.labels, SwapLimits(_MANY, max_work), stream)

    def _search(self, labels: Any, limits: SwapLimits, stream: Stream) -> tuple[Swapped, Partition]:
        left = max(0.0, self._max_work - self._work)
        limits = limits._replace(max_work=min(limits.max_work, left), seconds=self._clock.remaining())
        swapped = self._own.criterion.swap_search(labels, limits, stream)
        if swapped.interrupt is not None or not is_wanted():
            self._rescue(swapped.labels)
        if swapped.interrupt is not None:
            raise swapped.interrupt
        self._work += swapped.work
        self._own.pool.absorb(swapped.columns, self._population.number)
        if self._clock.is_over():
            return swapped, self._own.offer_late(swapped.labels)
        offered = self._own.offer(swapped.labels, self._population.number)
        return swapped, self._own.criterion.partition(swapped.labels) if offered is None else offered

    def _rescue(self, labels: Labels) -> None:
        """Keep what an interrupted step has: the step itself will never be seen."""
        self._population.rescued = better(self._population.best, self._own.criterion.partition(labels))

    def _cover(self) -> None:
        number, step = self._population.number, len(self._population.course)
        task = RoundTask(Stage.STEP_COVER, _STEPS * number + step, number, _QUICK, True)
        self._round = run_round(task, self._own, self._multipliers, self._settings, self._clock)
        self._round.join(self._own, self._population.number)
        self._multipliers = self._round.cover.multipliers
        self._work += self._round.work

    def _is_cover_due(self) -> bool:
        """Whether the chains have taken as much work as a cover will, and work and clock allow one."""
        own = self._own
        if not (self._is_astray or has_missed(self._population.course)):
            return False  # one chain that ended close by: the next ones may do as well for less
        n_iterations = _QUICK.cold_iterations if self._multipliers is None else _QUICK.warm_iterations
        expected = own.criterion.round_work(own.partition.k, n_iterations, len(own.pool.members))
        is_due = self._uncovered + self._work >= expected
        return is_due and self._work + expected <= self._max_work and self._clock.has_time_for(expected)

    def _n_clusters(self) -> int:
        counts, step = self._own.criterion.data.counts, len(self._population.course)
        return number_in(counts, self._population.number + step)

    def _next_balance(self, won: float, swapped: float, work: float) -> float:
        pays = work > 0 and swapped / work > won
        factor = 2.0 if pays else 0.5
        return float(np.clip(self._population.balance * factor, _LEAST_BALANCE, _MOST_BALANCE))

    def _step(self, is_hit: bool, balance: float) -> Step:
        best, round_ = self._own.partition, self._round
        gained = self._before is None or best.cost < self._before.cost - ROUNDING * self._before.magnitude
        history = {} if round_ is None else {**round_.facts(), "columns": len(self._own.pool)}
        facts = StepFacts(best.cost, gained, is_hit, self._start_cost, self._work, history)
        cover = self._population.cover if round_ is None else round_.cover
        return Step(facts, best, self._own.since(self._n_before), self._multipliers, balance, cover)


def least_gain(data: Data, is_first: bool) -> float:
    """Return the share of the cost that the later half of a chain's work has to gain, or the chain ends.

    Small clusters of short chains fit together in covers; large ones seldom do, and chains go on for longer,
    the first of all for longest: there is nothing yet that new chains could be fitted together with.
    """
    share = data.counts.most / len(data.X)
    points = _GAIN_POINTS * (min(1.0, _FIRST_POINTS * share) if is_first else 1.0)
    return float(np.clip(points * share, _LEAST_GAIN, _MOST_GAIN))


def is_same(a: Partition, b: Partition) -> bool:
    """Whether two partitions cost the same but for rounding."""
    return abs(a.cost - b.cost) <= ROUNDING * max(a.magnitude, b.magnitude)


def number_in(counts: CountRange, place: int) -> int:
    """Return a number of the range; consecutive places fill it evenly."""
    share = (0.5 + _GOLDEN * place) % 1.0
    return counts.least + int(share * (counts.most - counts.least + 1))


def thin_out(incumbent: Incumbent, multipliers: Floats | None) -> None:
    """Drop the columns of largest reduced cost once the pool is large; the best partition's stay."""
    pool, limit = incumbent.pool, _MOST_COLUMNS * incumbent.partition.k
    limit = min(limit, int(_MOST_ENTRIES * len(pool) / max(1, len(pool.members))))
    if len(pool) <= limit:
        return
    if multipliers is None:  # no cover has priced them: the latest come from the best partitions
        reduced = -np.arange(len(pool), dtype=np.float64)
    else:
        reduced = _core.price_columns(pool, multipliers, incumbent.criterion.data.n_threads)
    keep = np.zeros(len(pool), dtype=np.bool_)
    keep[np.argsort(reduced, kind="stable")[: int(_KEPT_SHARE * limit)]] = True
    keep[incumbent.cover_start().columns] = True
    pool.prune(keep)
