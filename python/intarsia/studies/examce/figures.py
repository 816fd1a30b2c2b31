"""The figures by number, and figure 2: the gap to the previously best known cost for each k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.growth import BaseRunGrowth, SphericalGaussians
from intarsia.studies.examce.lab import Experiment, JobResult, Lab
from intarsia.studies.examce.published import COST_TABLES, METHOD
from intarsia.studies.examce.settings import ExamceStudySettings, Job
from intarsia.studies.examce.stability import Stability
from intarsia.studies.examce.tables import TABLES, previous_gaps, published_row

GAP_COLUMNS = (
    Column("data"),
    Column("k", "d"),
    Column("previous best", ".5E"),
    Column("paper's gap %", "+.4f"),
    Column("our gap %", "+.4f"),
)


@dataclass(frozen=True)
class PreviousBest:
    """Figure 2: how far below the previously best known costs of u1060 and pcb3038."""

    name: str = "figure-2"

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return the runs of tables 2 and 3."""
        return [job for number in (2, 3) for job in TABLES[number].jobs(settings)]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return the paper's gaps and ours for each instance."""
        theirs, ours = previous_gaps(results, METHOD), previous_gaps(results)
        rows = tuple(
            (o.job.data, o.job.n_clusters, _previous(o), *gaps)
            for o, *gaps in zip(results, theirs, ours, strict=True)
        )
        title = f"Figure 2: gap to the previously best known cost (effort {results[0].job.effort})"
        return Sheet(self.name, title, GAP_COLUMNS, rows)

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw one panel for each data set."""
        rows = sheet.records()
        names = dict.fromkeys(row["data"] for row in rows)
        draw_panels(
            path, sheet.title, [_panel(name, [r for r in rows if r["data"] == name]) for name in names]
        )


def _previous(result: JobResult) -> float:
    table, row = published_row(result.job.instance)
    return row.best_of(table.others)[1]


def _panel(data: str, rows: Sequence[dict[str, float]]) -> Panel:
    ks = [row["k"] for row in rows]
    columns = {"EXAMCE, published": "paper's gap %", "intarsia": "our gap %"}
    series = [Series(label, ks, [row[column] for row in rows]) for label, column in columns.items()]
    return Panel(data, "number of clusters k", "gap to previous best, %", series, zero_line=True)


FIGURES: dict[int, Experiment] = {
    2: PreviousBest(),
    3: Stability("figure-3", (COST_TABLES[2], COST_TABLES[3]), ("u1060", 100)),
    4: Stability("figure-4", (COST_TABLES[4],), ("rat575", 100)),
    5: BaseRunGrowth(),
    6: SphericalGaussians(),
}
