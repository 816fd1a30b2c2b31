"""A running search as plain arrays and facts, and back: all that decides how it goes on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia._core import ColumnPool
from intarsia.arrays import Labels
from intarsia.examce.cover.problem import CoverResult
from intarsia.examce.criteria.protocol import Criterion
from intarsia.examce.search.contest import Evidence
from intarsia.examce.search.population import Population, StepFacts
from intarsia.examce.search.round import Incumbent
from intarsia.examce.state import ExamceState

_COUNTS = (
    "n_rounds", "recombined", "best_base_cost", "base_done", "n_base_runs", "history", "work", "work_of_best",
)  # fmt: skip
_POOL = ("offsets", "members", "costs", "origins")
_ARRAYS = (*_POOL, "best", "multipliers")


@dataclass(frozen=True)
class Snapshot:
    """JSON-able facts and arrays; taken in no time, since nothing is copied and what is there stays as it is.

    Attributes
    ----------
    facts, arrays
        What is written as it is.
    rows : dict of tuples of label arrays
        What becomes one array each, a row for each tuple's entry, when it is written.
    """

    facts: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    rows: dict[str, tuple[Labels, ...]]

    def packed(self) -> dict[str, NDArray[Any]]:
        """Return all arrays, in a form that can be written."""
        return {**self.arrays, **{name: _stack(rows) for name, rows in self.rows.items()}}


def take_snapshot(state: ExamceState) -> Snapshot:
    """Return what the search knows now."""
    facts: dict[str, Any] = {name: getattr(state, name) for name in _COUNTS}
    facts["history"] = list(state.history)
    facts["clock"] = {"seconds": state.clock.seconds(), "stopped_something": state.clock.stopped_something}
    facts["evidence"] = asdict(state.evidence)
    arrays: dict[str, NDArray[Any]] = {"run_ids": np.array(list(state.runs), dtype=np.int64)}
    rows = {"run_labels": tuple(state.runs.values())}
    if state.base_done:  # before that the pool is just what the runs make of it
        facts["populations"] = [facts_of(population) for population in state.populations.values()]
        for population in state.populations.values():
            arrays |= arrays_of(population)
    if state.last_cover is not None:
        cover = state.last_cover
        facts["cover"] = {"cost": cover.cost, "bound": cover.bound, "status": cover.status}
        arrays["cover_columns"] = cover.columns
    return Snapshot(facts, arrays, rows)


def restore_snapshot(state: ExamceState, facts: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Make a fresh state what it was when the snapshot with these facts and packed arrays was taken."""
    for name in _COUNTS:
        setattr(state, name, facts[name])
    state.clock.go_on_from(**facts["clock"])
    state.evidence = Evidence(**facts["evidence"])
    state.runs = {
        int(run): labels for run, labels in zip(arrays["run_ids"], arrays["run_labels"], strict=True)
    }
    if state.base_done:
        state.take_populations(
            population_from(known, arrays, state.criterion) for known in facts["populations"]
        )
    if "cover" in facts:
        state.last_cover = CoverResult(columns=arrays["cover_columns"], **facts["cover"])


def facts_of(population: Population) -> dict[str, Any]:
    """Return what JSON can hold of a population."""
    return {
        "number": population.number,
        "balance": population.balance,
        "n_seen": population.n_seen,
        "course": [facts._asdict() for facts in population.course],
    }


def arrays_of(population: Population) -> dict[str, NDArray[Any]]:
    """Return its pool, best partition and multipliers, under names of its own."""
    pool, best = population.incumbent.pool, population.incumbent.best
    arrays: dict[str, NDArray[Any]] = {name: getattr(pool, name) for name in _POOL}
    if best is not None:
        arrays["best"] = best.labels
    if population.multipliers is not None:
        arrays["multipliers"] = population.multipliers
    return {f"population{population.number}_{name}": array for name, array in arrays.items()}


def population_from(
    facts: dict[str, Any], arrays: dict[str, NDArray[Any]], criterion: Criterion
) -> Population:
    """Return the population that `facts_of` and `arrays_of` told of."""
    mine = {name: arrays.get(f"population{facts['number']}_{name}") for name in _ARRAYS}
    pool = ColumnPool(len(criterion.data.X), *(mine[name] for name in _POOL))
    best = None if mine["best"] is None else criterion.partition(mine["best"])
    course = [StepFacts(**step) for step in facts["course"]]
    incumbent = Incumbent(criterion, pool, best)
    return Population(
        facts["number"], incumbent, mine["multipliers"], facts["balance"], course, facts["n_seen"]
    )


def _stack(rows: tuple[Labels, ...]) -> Labels:
    return np.stack(rows) if rows else np.empty((0, 0), dtype=np.int32)
