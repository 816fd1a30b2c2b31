"""Tables 2, 3 and 4 as printed: the paper's loop and LPMCE, several seeds, beside the published columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.published import BENCHMARK_TABLES, COST_TABLES, METHOD
from intarsia.studies.examce.published_table import PublishedTable
from intarsia.studies.examce.settings import ExamceStudySettings, Job
from intarsia.studies.examce.statistics import TOLERANCE, gap_percent
from intarsia.studies.examce.tables import own_format, published_row, table_rows

#: Seeds of each method, unless the user says how many.
N_SEEDS = {METHOD: 3, "LPMCE": 5}
SOLVERS = {METHOD: "auto", "LPMCE": "lp"}
#: A mean this many per cent above the published cost, or less, is near it.
NEAR = 0.5


@dataclass(frozen=True)
class PrintedTable:
    """A published table and the runs of its two own methods, with nothing added."""

    published: PublishedTable

    @property
    def name(self) -> str:
        """Stem of the files."""
        return f"table-{self.published.number}-printed"

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return each instance with each seed: EXAMCE first, then LPMCE."""
        return [
            Job(row.data, row.n_clusters, settings.paper_effort(), settings.seed + seed, solver)
            for method, solver in SOLVERS.items()
            for row in table_rows(self.published, settings)
            for seed in range(settings.seeds or (1 if settings.quick else N_SEEDS[method]))
        ]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return published and own costs of both methods, as far as they have been run."""
        groups = _by_instance(results)
        rows = tuple(self._cells(key, groups) for key in dict.fromkeys(key[:2] for key in groups))
        first = results[0].job
        title = f"Table {self.published.number}, as printed: {self.published.title} (effort {first.effort})"
        return Sheet(self.name, title, self._columns(), rows, tuple(_notes(groups)))

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw nothing: this is a table."""

    def _columns(self) -> tuple[Column, ...]:
        printed = self.published.format
        cost = own_format(printed)
        of_methods = [
            Column(f"{method} {what}", form)
            for method in SOLVERS
            for what, form in (
                ("published", printed), ("mean", cost), ("least", cost), ("most", cost), ("gap %", "+.3f"),
            )
        ]  # fmt: skip
        more = (Column("rounds", ".1f"), Column("covers proved", "d"), Column("seeds"))
        return (Column("data"), Column("k", "d"), *of_methods, *more)

    def _cells(self, key: tuple[str, int], groups: dict[Any, list[JobResult]]) -> tuple[Any, ...]:
        cells: list[Any] = [*key]
        for method, solver in SOLVERS.items():
            cells += _summary(groups.get((*key, solver), []), method, key)
        examce = groups.get((*key, SOLVERS[METHOD]), [])
        rounds = float(np.mean([result.n_rounds for result in examce])) if examce else None
        counts = [len(groups.get((*key, solver), [])) for solver in SOLVERS.values()]
        proved = sum(result.all_proved for result in examce)
        return (*cells, rounds, proved, " + ".join(map(str, counts)))


PRINTED_TABLES = {number: PrintedTable(COST_TABLES[number]) for number in BENCHMARK_TABLES}


def _by_instance(results: Sequence[JobResult]) -> dict[Any, list[JobResult]]:
    groups: dict[Any, list[JobResult]] = {}
    for result in results:
        groups.setdefault((result.job.data, result.job.n_clusters, result.job.solver), []).append(result)
    return groups


def _summary(results: Sequence[JobResult], method: str, key: tuple[str, int]) -> list[float | None]:
    """Return the published cost, then mean, least, most and the mean's gap of what was run."""
    published = _published_cost(key, method)
    if not results:
        return [published, None, None, None, None]
    costs = [result.cost for result in results]
    mean = float(np.mean(costs))
    return [published, mean, min(costs), max(costs), gap_percent(mean, published)]


def _published_cost(key: tuple[str, int], method: str) -> float:
    return published_row(key)[1].costs[method]


def _notes(groups: dict[Any, list[JobResult]]) -> list[str]:
    notes = []
    for method, solver in SOLVERS.items():
        own = {key[:2]: results for key, results in groups.items() if key[2] == solver}
        if not own:
            continue
        gaps = {key: _summary(results, method, key)[4] for key, results in own.items()}
        near = sum(gap is not None and gap <= NEAR for gap in gaps.values())
        notes.append(
            f"{method}: mean at most {NEAR:g} % above the published cost on {near} of {len(own)}; "
            f"the published cost lies outside the seeds' range for {_outside(own, method)}"
        )
    return notes


def _outside(own: dict[tuple[str, int], list[JobResult]], method: str) -> str:
    below, above = [], []
    for key, results in own.items():
        published, costs = _published_cost(key, method), [result.cost for result in results]
        if published < min(costs) * (1 - TOLERANCE):
            below.append(str(key[1]))
        elif published > max(costs) * (1 + TOLERANCE):
            above.append(str(key[1]))
    said = [f"k = {', '.join(ks)} ({where})" for where, ks in (("below", below), ("above", above)) if ks]
    return " and ".join(said) or "no k"
