"""What a run of EXAMCE knows while it runs, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from intarsia._core import ColumnPool
from intarsia.arrays import Floats, Labels
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CountRange, CoverResult
from intarsia.examce.criteria.protocol import Criterion, Partition
from intarsia.examce.search.contest import Evidence, most_work
from intarsia.examce.search.population import Population
from intarsia.examce.search.round import Incumbent, Round
from intarsia.examce.settings import ExamceSettings
from intarsia.executor import Executor

Callback: TypeAlias = Callable[[str, int, int, float], None]
"""Called with stage, steps done, steps in all, best cost so far."""
Recorder: TypeAlias = Callable[["ExamceState"], None]
"""Called whenever the state is one that a later run could go on from."""
RunStatus: TypeAlias = Literal["done", "time_limit", "interrupted"]


@dataclass(frozen=True)
class RunStage:
    """Where a run is: how many steps of a stage are done, of how many where that is known, since when."""

    name: str = "start"
    done: int = 0
    total: int | None = None
    since: float = 0.0


@dataclass(frozen=True)
class ExamceResult:
    """The best partition and how it was found.

    Attributes
    ----------
    partition
        Its labels, cost and, where the criterion has them, representatives.
    best_base_cost
        Cost of the best base run with k clusters.
    pool_bound, cover_status, cover_gap
        Of the last cover: a bound on covers from its pool, whether the cover is proved optimal over the pool,
        and the gap. No bound on the clustering problem.
    status
        "done": the stop rule ended the run, which repeats bit by bit; "time_limit": the
        clock did; "interrupted": the user did. The partition is the best so far in each case.
    n_rounds, n_base_runs, n_columns, history, seconds, seed
        Covers solved, base runs made (starts of the search among them), columns in the pool at the end, one
        entry per cover, wall clock, seed.
    work, work_of_best
        Distances that the search took, by its own count, and by when it had the answer.
    attributes
        What the criterion has to tell of the partition, by the names of the estimator's attributes.
    """

    partition: Partition
    best_base_cost: float
    pool_bound: float
    cover_status: str
    cover_gap: float
    status: RunStatus
    n_rounds: int
    n_base_runs: int
    n_columns: int
    history: tuple[dict[str, Any], ...]
    seconds: float
    seed: int
    work: float = 0.0
    work_of_best: float = 0.0
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> Labels:
        """The cluster of each point."""
        return self.partition.labels

    @property
    def cost(self) -> float:
        """Cost of the partition."""
        return self.partition.cost


@dataclass
class ExamceState:
    """The incumbent, the populations, the evidence and the history of one run.

    Population 0 is the one that holds the incumbent; the others are rivals, which may have made steps ahead
    of those that the evidence has seen.
    """

    criterion: Criterion
    settings: ExamceSettings
    executor: Executor
    clock: Clock
    callback: Callback | None = None
    init_partitions: list[Labels] = field(default_factory=list)
    recorder: Recorder | None = None
    incumbent: Incumbent = field(init=False)
    best_base_cost: float = math.inf
    last_cover: CoverResult | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    runs: dict[int, Labels] = field(default_factory=dict)  # base runs, until all of them are in the pool
    base_done: bool = False
    n_base_runs: int = 0
    n_rounds: int = 0
    recombined: bool = False  # whether the published loop is over
    work: float = 0.0
    work_of_best: float = 0.0
    evidence: Evidence = field(default_factory=Evidence)
    populations: dict[int, Population] = field(init=False)
    stage: RunStage = RunStage()

    def __post_init__(self) -> None:
        self.incumbent = Incumbent(self.criterion, ColumnPool(self.n_samples))
        self.populations = {0: Population(0, self.incumbent)}

    def population(self, number: int) -> Population:
        """Return a population by its number, a new one if it has made no step."""
        if number not in self.populations:
            empty = Incumbent(self.criterion, ColumnPool(self.n_samples))
            self.populations[number] = Population(number, empty)
        return self.populations[number]

    def take_populations(self, populations: Iterable[Population]) -> None:
        """Go on with populations that were made elsewhere."""
        self.populations = {population.number: population for population in populations}
        self.populations.setdefault(0, Population(0, self.incumbent))
        self.incumbent = self.populations[0].incumbent

    @property
    def best(self) -> Partition | None:
        """The best partition that any population has."""
        known = [p.best for p in self.populations.values() if p.best is not None]
        return min(known, key=lambda partition: partition.cost, default=None)

    @property
    def counts(self) -> CountRange:
        """How many clusters there may be."""
        return self.criterion.data.counts

    @property
    def n_samples(self) -> int:
        """Number of points."""
        return len(self.criterion.data.X)

    @property
    def cost(self) -> float:
        """Cost of the first population's best partition so far, infinite before it."""
        return math.inf if self.incumbent.best is None else self.incumbent.best.cost

    def keep_base_cost(self, cost: float) -> None:
        """Remember the cost of the best base run that is a partition within the limits."""
        self.best_base_cost = min(self.best_base_cost, cost)

    def is_over(self) -> bool:
        """Whether the time limit has passed, by the clock of the first rank."""
        over = self.executor.agree(self.clock.is_over())
        self.clock.stopped_something |= over
        return over

    def max_work(self) -> float:
        """Return how many distances the effort allows."""
        effort = self.settings.effort
        if effort.has_horizon:
            return most_work(self.criterion.data)
        return effort.max_work * self.n_samples * self.counts.most

    def keep_round(self, round_: Round, stage: str, gained: bool) -> None:
        """Remember what a round of the first population's whole pool learnt."""
        self.keep_cover(round_.cover, round_.cover.multipliers)
        self.n_rounds += 1
        self.spend(round_.work, gained)
        facts = {**round_.facts(), "columns": len(self.incumbent.pool), "cost": self.cost}
        self.note({**facts, "stage": stage}, 0)

    def spend(self, work: float, gained: bool) -> None:
        """Count work, and remember when the best partition was found."""
        self.work += work
        if gained:
            self.work_of_best = self.work

    def keep_cover(self, cover: CoverResult | None, multipliers: Floats | None) -> None:
        """Remember the last cover, and the multipliers to start the next one from."""
        self.last_cover, self.populations[0].multipliers = cover, multipliers
        if cover is not None:
            self.clock.stopped_something |= not cover.reproducible

    def note(self, facts: dict[str, Any], population: int) -> None:
        """Add a cover to the history."""
        when = {"population": population, "work": self.work, "seconds": self.clock.seconds()}
        self.history.append({**facts, **when})

    def record(self) -> None:
        """Let the recorder see a state that a later run could go on from."""
        if self.recorder is not None:
            self.recorder(self)

    def enter(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Remember where the run is, for whoever watches."""
        since = self.stage.since if stage == self.stage.name else self.clock.seconds()
        self.stage = RunStage(stage, done, total, since)

    def tell(self, stage: str, done: int, total: int | None = None) -> None:
        """Report progress; where nobody knows how many steps there will be, they are those done."""
        self.enter(stage, done, total)
        if self.callback is not None:
            self.callback(stage, done, done if total is None else total, self.cost)

    def result(self, status: RunStatus) -> ExamceResult:
        """Return the answer so far."""
        cover, best = self.last_cover, self.best
        assert best is not None
        # what rivals have found ahead does not count where the answer has to repeat: how much that is depends
        # on the number of workers
        answer = self.incumbent.partition if status == "done" else best
        return ExamceResult(
            partition=answer,
            best_base_cost=self.best_base_cost,
            pool_bound=-math.inf if cover is None else cover.bound,
            cover_status="none" if cover is None else cover.status,
            cover_gap=math.inf if cover is None else cover.gap,
            status=status,
            n_rounds=self.n_rounds,
            n_base_runs=max(self.n_base_runs, len(self.runs)),
            n_columns=len(self.incumbent.pool),
            history=tuple(self.history),
            seconds=self.clock.seconds(),
            seed=self.settings.seed,
            work=self.work,
            work_of_best=self.work_of_best,
            attributes=self.criterion.attributes(answer),
        )
