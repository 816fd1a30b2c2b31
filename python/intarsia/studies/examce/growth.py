"""Figures 5 and 6: what recombination adds to the best of many k-means runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.settings import ExamceStudySettings, Job, called
from intarsia.studies.examce.statistics import gap_percent

#: All base runs have k clusters: run r is then the same however many follow, and each set holds the last.
SAME_K = 0


def _columns(x: str, results: Sequence[JobResult]) -> tuple[Column, ...]:
    return (
        Column(x, "d"),
        Column("best base run", ".1f"),
        Column(called(results[0].job.effort), ".1f"),
        Column("saved %", ".3f"),
        Column("s", ".1f"),
    )


@dataclass(frozen=True)
class BaseRunGrowth:
    """Figure 5: u1060, k = 100, as the base runs grow in number."""

    name: str = "figure-5"
    counts: tuple[int, ...] = tuple(range(10, 151, 10))
    quick_counts: tuple[int, ...] = (10, 20, 30)

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return one run for each number of base runs."""
        effort, counts = settings.paper_effort(), self.quick_counts if settings.quick else self.counts
        return [Job("u1060", 100, effort, settings.seed, n_base_runs=n, bracket=SAME_K) for n in counts]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return the best base run and the recombined result for each number of runs."""
        rows = tuple(_cells(result.job.n_base_runs, result) for result in results)
        title = f"Figure 5: u1060, k = 100, nested sets of k-means runs (effort {results[0].job.effort})"
        return Sheet(self.name, title, _columns("base runs", results), rows)

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw both costs against the number of base runs."""
        _draw(sheet, path, "base runs", "u1060, k = 100", "number of k-means runs")


@dataclass(frozen=True)
class SphericalGaussians:
    """Figure 6: 100 spherical Gaussians, where k-means should do well, for several k."""

    name: str = "figure-6"
    ks: tuple[int, ...] = (50, 75, 100, 125, 150)
    n_base_runs: int = 150
    quick_ks: tuple[int, ...] = (100, 150)
    quick_base_runs: int = 10

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return one run for each k."""
        effort, ks = settings.paper_effort(), self.quick_ks if settings.quick else self.ks
        n = self.quick_base_runs if settings.quick else self.n_base_runs
        return [Job("demo:gauss100", k, effort, settings.seed, n_base_runs=n, bracket=SAME_K) for k in ks]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return the best base run and the recombined result for each k."""
        rows = tuple(_cells(result.job.n_clusters, result) for result in results)
        first = results[0].job
        title = f"Figure 6: Gauss100, {first.n_base_runs} k-means runs (effort {first.effort})"
        note = "Gauss100 is generated here: 10,000 points in R^5, 100 centres; costs differ from the paper's"
        return Sheet(self.name, title, _columns("k", results), rows, (note,))

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw both costs against k."""
        _draw(sheet, path, "k", "Gauss100", "number of clusters k")


def _cells(x: int | None, result: JobResult) -> tuple[float | int | None, ...]:
    saved = -gap_percent(result.cost, result.best_base_cost)
    return (x, result.best_base_cost, result.cost, saved, result.seconds)


def _draw(sheet: Sheet, path: Path, x: str, title: str, x_label: str) -> None:
    rows = sheet.records()
    xs, own = [row[x] for row in rows], sheet.columns[2].name
    columns = {"best k-means run": "best base run", own: own}
    series = [Series(label, xs, [row[column] for row in rows]) for label, column in columns.items()]
    draw_panels(path, sheet.title, [Panel(title, x_label, "sum of squared distances", series)])
