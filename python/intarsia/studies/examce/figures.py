"""The figures by number, and figure 2: the gap to the previously best known cost for each k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from intarsia.report.plots import OWN_LABEL, PRINTED_LABEL, Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.growth import BaseRunGrowth, SphericalGaussians
from intarsia.studies.examce.lab import Experiment, JobResult, Lab
from intarsia.studies.examce.published import COST_TABLES, METHOD
from intarsia.studies.examce.published_table import Row
from intarsia.studies.examce.settings import ExamceStudySettings, Job, called
from intarsia.studies.examce.stability import Stability
from intarsia.studies.examce.statistics import gap_percent
from intarsia.studies.examce.tables import TABLES, published_row, table_rows

GAP_COLUMNS = (
    Column("data"),
    Column("k", "d"),
    Column("previous best", ".5E"),
    Column("published gap %", "+.4f"),
    Column("as printed gap %", "+.4f"),
    Column("intarsia gap %", "+.4f"),
)


@dataclass(frozen=True)
class PreviousBest:
    """Figure 2: how far below the previously best known costs of u1060 and pcb3038."""

    name: str = "figure-2"

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return the runs of tables 2 and 3, those of the paper's loop after those of our search."""
        ours = [job for number in (2, 3) for job in TABLES[number].jobs(settings)]
        return list(dict.fromkeys([*ours, *(replace(job, effort=settings.paper_effort()) for job in ours)]))

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return for each instance the paper's gap, that of its loop as we run it, and that of our search."""
        found: dict[tuple[str, int], dict[str, JobResult]] = {}
        for result in results:
            found.setdefault(result.job.instance, {})[called(result.job.effort)] = result
        instances = [row for number in (2, 3) for row in table_rows(COST_TABLES[number], lab.settings)]
        rows = tuple(_cells(row, found.get((row.data, row.n_clusters), {})) for row in instances)
        title = f"Figure 2: gap to the previously best known cost (seed {results[0].job.seed})"
        return Sheet(self.name, title, GAP_COLUMNS, rows)

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw one panel for each data set."""
        rows = sheet.records()
        names = dict.fromkeys(row["data"] for row in rows)
        draw_panels(
            path, sheet.title, [_panel(name, [r for r in rows if r["data"] == name]) for name in names]
        )


def _cells(row: Row, runs: Mapping[str, JobResult]) -> tuple[Any, ...]:
    """Return the previously best known cost, then the gaps: published, as printed, ours; None if not run."""
    best = row.best_of(published_row((row.data, row.n_clusters))[0].others)[1]
    costs = [runs[name].cost if name in runs else None for name in (PRINTED_LABEL, OWN_LABEL)]
    own = [None if cost is None else gap_percent(cost, best) for cost in costs]
    return (row.data, row.n_clusters, best, gap_percent(row.costs[METHOD], best), *own)


def _panel(data: str, rows: Sequence[dict[str, Any]]) -> Panel:
    columns = {"EXAMCE, published": "published", PRINTED_LABEL: PRINTED_LABEL, OWN_LABEL: OWN_LABEL}
    series = []
    for label, column in columns.items():
        points = [(row["k"], gap) for row in rows if (gap := row[f"{column} gap %"]) is not None]
        series += [Series(label, [k for k, _ in points], [gap for _, gap in points])] if points else []
    return Panel(data, "number of clusters k", "gap to previous best, %", series, zero_line=True)


FIGURES: dict[int, Experiment] = {
    2: PreviousBest(),
    3: Stability("figure-3", (COST_TABLES[2], COST_TABLES[3]), ("u1060", 100)),
    4: Stability("figure-4", (COST_TABLES[4],), ("rat575", 100)),
    5: BaseRunGrowth(),
    6: SphericalGaussians(),
}
