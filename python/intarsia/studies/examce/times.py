"""Table 5: least and most seconds of LPMCE and EXAMCE on the three TSPLIB sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.published import BENCHMARK_TABLES, COST_TABLES, METHOD, TABLE_5, TimeRange
from intarsia.studies.examce.settings import ExamceStudySettings, Job
from intarsia.studies.examce.tables import table_rows

SOLVERS = {"LPMCE": "lp", METHOD: "auto"}

COLUMNS = (
    Column("data"),
    Column("method"),
    Column("paper min s", ".0f"),
    Column("paper min k", "d"),
    Column("paper max s", ".0f"),
    Column("paper max k", "d"),
    Column("our min s", ".2f"),
    Column("our min k", "d"),
    Column("our max s", ".2f"),
    Column("our max k", "d"),
    Column("runs", "d"),
)


@dataclass(frozen=True)
class TimeTable:
    """Run times of both methods over all k of tables 2, 3 and 4."""

    name: str = "table-5"

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return every instance with both methods."""
        rows = [row for number in BENCHMARK_TABLES for row in table_rows(COST_TABLES[number], settings)]
        return [
            Job(row.data, row.n_clusters, settings.paper_effort(), settings.seed, solver)
            for solver in SOLVERS.values()
            for row in rows
        ]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return published and measured ranges of seconds."""
        rows = tuple(_cells(published, results) for published in TABLE_5)
        first = results[0].job
        title = f"Table 5: run times in CPU seconds (effort {first.effort}, seed {first.seed})"
        note = "the paper's times are elapsed ones of Java and SCIP on a 2.4 GHz Core 2 Quad"
        return Sheet(self.name, title, COLUMNS, rows, (note,))

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw nothing: this is a table."""


def _cells(published: TimeRange, results: Sequence[JobResult]) -> tuple[Any, ...]:
    solver = SOLVERS[published.method]
    ours = [o for o in results if (o.job.data, o.job.solver) == (published.data, solver)]
    theirs = (published.least, published.least_k, published.most, published.most_k)
    return (published.data, published.method, *theirs, *_range(ours), len(ours))


def _range(results: Sequence[JobResult]) -> tuple[float | None, ...]:
    if not results:
        return (None, None, None, None)
    fastest = min(results, key=lambda result: result.cpu_seconds)
    slowest = max(results, key=lambda result: result.cpu_seconds)
    return (fastest.cpu_seconds, fastest.job.n_clusters, slowest.cpu_seconds, slowest.job.n_clusters)
