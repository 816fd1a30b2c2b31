"""X-means, which the paper's text compares with: as many clusters as it found, sought by EXAMCE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.published import X_MEANS, XMeans
from intarsia.studies.examce.settings import ExamceStudySettings, Job
from intarsia.studies.examce.statistics import gap_percent

COLUMNS = (
    Column("data"), Column("k", "d"), Column("X-means, published", ".5E"), Column("EXAMCE, published", ".5E"),
    Column("here", ".5E"), Column("gap % EXAMCE", "+.4f"), Column("gap % X-means", "+.4f"),
)  # fmt: skip


@dataclass(frozen=True)
class XMeansRuns:
    """The two comparisons with X-means, by our search or as printed."""

    printed: bool
    name: str = "x-means"

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return one run for each data set, the first alone of --quick."""
        effort = settings.paper_effort() if self.printed else settings.search_effort()
        wanted = X_MEANS[:1] if settings.quick else X_MEANS
        return [Job(one.data, one.n_clusters, effort, settings.seed) for one in wanted]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return the published costs and ours."""
        published = {(one.data, one.n_clusters): one for one in X_MEANS}
        rows = tuple(_cells(published[result.job.instance], result.cost) for result in results)
        return Sheet(self.name, f"X-means (effort {results[0].job.effort})", COLUMNS, rows)

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw nothing: this is a table."""


def _cells(published: XMeans, cost: float) -> tuple[Any, ...]:
    gaps = [gap_percent(cost, reference) for reference in (published.examce, published.cost)]
    return (published.data, published.n_clusters, published.cost, published.examce, cost, *gaps)
