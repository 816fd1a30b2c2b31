"""Tables 2, 3, 4, 6 and 7: one run for each k, beside the published costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.published import COST_TABLES, METHOD, REFERENCES, ROUNDS
from intarsia.studies.examce.published_table import PublishedTable, Row
from intarsia.studies.examce.settings import ExamceStudySettings, Job, called
from intarsia.studies.examce.statistics import gap_percent, summary_line

#: Instances of --quick: few points to a cluster, where the cover is solved in a moment.
QUICK = {
    2: (("u1060", 100), ("u1060", 150)),
    3: (("pcb3038", 500),),
    4: (("rat575", 90), ("rat575", 100)),
    6: (("segmentation", 300),),
    7: (("iris", 2), ("iris", 3), ("soybean_small", 2), ("soybean_small", 4)),
}


@dataclass(frozen=True)
class CostTable:
    """A published table of costs and the runs that answer it."""

    published: PublishedTable

    @property
    def name(self) -> str:
        """Stem of the files."""
        return f"table-{self.published.number}"

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return one run for each row."""
        rows = table_rows(self.published, settings)
        return [Job(row.data, row.n_clusters, settings.search_effort(), settings.seed) for row in rows]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return published and own costs, side by side."""
        rows = tuple(_cells(self.published, result) for result in results)
        columns = self._columns(called(results[0].job.effort))
        return Sheet(self.name, self._title(results[0]), columns, rows, self._notes(results, lab))

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw nothing: this is a table."""

    def _title(self, first: JobResult) -> str:
        run = f"effort {first.job.effort}, seed {first.job.seed}, one run each"
        return f"Table {self.published.number}: {self.published.title} ({run})"

    def _columns(self, own_name: str) -> tuple[Column, ...]:
        cost = self.published.format
        own = (Column(method, cost) for method in self.published.ours)
        return (
            Column("data"),
            Column("k", "d"),
            Column("best other"),
            Column("its cost", cost),
            *own,
            Column(own_name, own_format(cost)),
            Column("gap % EXAMCE", "+.4f"),
            Column("gap % other", "+.4f"),
            Column("best base run", own_format(cost)),
            *self._round_columns(),
            Column("s", ".1f"),
            Column("status"),
        )

    def _round_columns(self) -> tuple[Column, ...]:
        if self.published.number not in ROUNDS:
            return ()
        return (Column("rounds, published", "d"), Column("rounds", "d"))

    def _notes(self, results: Sequence[JobResult], lab: Lab) -> tuple[str, ...]:
        sizes = [lab.size_note(data) for data in dict.fromkeys(o.job.data for o in results)]
        summary = summary_line(examce_gaps(results), f"the paper's {METHOD}")
        time = f"{sum(result.seconds for result in results):.1f} s in all"
        reference = REFERENCES.get(self.published.number, ())
        return (f"{summary}; {time}", *reference, *filter(None, sizes))


TABLES = {number: CostTable(table) for number, table in COST_TABLES.items()}


def table_rows(table: PublishedTable, settings: ExamceStudySettings) -> list[Row]:
    """Return the rows to run: all, or the few of --quick."""
    quick = QUICK[table.number]
    return [row for row in table.rows if not settings.quick or (row.data, row.n_clusters) in quick]


def published_row(key: tuple[str, int]) -> tuple[PublishedTable, Row]:
    """Return the table and row that have an instance: a data set and a number of clusters."""
    rows = ((table, row) for table in COST_TABLES.values() for row in table.rows)
    return next((table, row) for table, row in rows if (row.data, row.n_clusters) == key)


def examce_gaps(results: Sequence[JobResult]) -> list[float]:
    """Return the gaps of our costs to the paper's EXAMCE, in per cent."""
    return [gap_percent(o.cost, published_row(o.job.instance)[1].costs[METHOD]) for o in results]


def previous_gaps(results: Sequence[JobResult], method: str | None = None) -> list[float]:
    """Return gaps to the previously best known costs: of our costs, or of a published method's."""
    gaps = []
    for result in results:
        table, row = published_row(result.job.instance)
        cost = result.cost if method is None else row.costs[method]
        gaps.append(gap_percent(cost, row.best_of(table.others)[1]))
    return gaps


def own_format(cost_format: str) -> str:
    """Return the format of our costs: one decimal where the paper has six digits."""
    return ".1f" if cost_format.endswith("E") else cost_format


def _cells(table: PublishedTable, result: JobResult) -> tuple[Any, ...]:
    row = published_row(result.job.instance)[1]
    method, other = row.best_of(table.others)
    gaps = (gap_percent(result.cost, row.costs[METHOD]), gap_percent(result.cost, other))
    own = (row.costs[name] for name in table.ours)
    published_rounds = ROUNDS.get(table.number)
    rounds = () if published_rounds is None else (published_rounds[row.n_clusters], result.n_rounds)
    ran = (result.best_base_cost, *rounds, result.seconds, result.status)
    return (row.data, row.n_clusters, method, other, *own, result.cost, *gaps, *ran)
