"""Tables 2 to 6: average errors, published, as printed and ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.arrays import Floats
from intarsia.executor import Executor
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.annealing.data import ClassedPoints, classed_points
from intarsia.studies.annealing.members import box_labels, error_percent, kmeans_labels
from intarsia.studies.annealing.published import TABLE_2, ErrorTable, SingleError
from intarsia.studies.annealing.runs import (
    ANNEALED,
    OTHERS,
    TRIED,
    AnnealingStudySettings,
    EnsembleRun,
    RunErrors,
    TableData,
    run_ensemble,
)
from intarsia.studies.common import read_by_rank_zero

COLUMNS = (*ANNEALED, *OTHERS, *TRIED)
#: "Near" the published value, in points of error; and how many standard errors make a difference.
NEAR_PUBLISHED, SURE = 2.0, 2.0
SHEET_COLUMNS = (
    Column("method"), Column("r", "d"), Column("published", ".1f"),
    Column("as printed", ".1f"), Column("± printed", ".1f"),
    Column("intarsia", ".1f"), Column("± intarsia", ".1f"),
)  # fmt: skip
OnDone = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class ErrorCell:
    """Errors of one column and one number of members, run by run; what was tried has none of ours."""

    table: ErrorTable
    column: str
    n_members: int
    printed: Floats
    ours: Floats | None

    @property
    def published(self) -> float:
        """The published average."""
        return self.table.rows[self.n_members][_published_as(self.column)]

    @property
    def near_published(self) -> bool:
        """Whether the average as printed is within two points of the published one, on either side."""
        return abs(float(self.printed.mean()) - self.published) <= NEAR_PUBLISHED

    @property
    def within_range(self) -> bool:
        """Whether the average as printed lies among the published ones of its column, but for chance."""
        column = [row[_published_as(self.column)] for row in self.table.rows.values()]
        slack = SURE * standard_error(self.printed)
        return min(column) - slack <= float(self.printed.mean()) <= max(column) + slack

    @property
    def ours_no_worse(self) -> bool:
        """Whether ours is not worse than as printed by more than two standard errors, run by run."""
        assert self.ours is not None
        more = self.ours - self.printed
        return bool(more.mean() <= SURE * standard_error(more))

    def row(self) -> tuple[Any, ...]:
        """Return its row of the sheet."""
        ours = (None, None) if self.ours is None else (float(self.ours.mean()), standard_error(self.ours))
        printed = (float(self.printed.mean()), standard_error(self.printed))
        return (self.column, self.n_members, self.published, *printed, *ours)


def standard_error(values: Floats) -> float:
    """Return the standard error of a mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _published_as(column: str) -> str:
    return TRIED[column][0] if column in TRIED else column


@dataclass(frozen=True)
class ConsensusErrors:
    """One of tables 3 to 6."""

    table: ErrorTable

    @property
    def name(self) -> str:
        """Stem of its files."""
        return f"table-{self.table.number}"

    def tasks(self, settings: AnnealingStudySettings) -> list[EnsembleRun]:
        """Return the runs of all its rows."""
        sizes = settings.sizes(tuple(self.table.rows))
        return [EnsembleRun(r, run) for r in sizes for run in range(settings.n_runs)]

    def run(
        self, settings: AnnealingStudySettings, executor: Executor, on_done: OnDone
    ) -> tuple[Sheet, list[ErrorCell]]:
        """Return the sheet and its cells."""
        points = _points(self.table.data, settings, executor)
        tasks = self.tasks(settings)
        found = executor.map(run_ensemble, tasks, TableData(self.table, points, settings.seed), on_done)
        by_size = {
            r: [errors for task, errors in zip(tasks, found, strict=True) if task.n_members == r]
            for r in settings.sizes(tuple(self.table.rows))
        }
        cells = [self._cell(column, r, runs) for column in COLUMNS for r, runs in by_size.items()]
        notes = (*summary(cells), *([points.note] if points.note else []))
        rows = tuple(cell.row() for cell in cells)
        return Sheet(self.name, self._title(settings), SHEET_COLUMNS, rows, notes), cells

    def _cell(self, column: str, n_members: int, runs: list[RunErrors]) -> ErrorCell:
        printed = np.array([run.printed[column] for run in runs])
        ours = None if column in TRIED else np.array([run.ours[column] for run in runs])
        return ErrorCell(self.table, column, n_members, printed, ours)

    def _title(self, settings: AnnealingStudySettings) -> str:
        least, most = self.table.member_clusters
        what = (
            f"k-means members with k in [{least}, {most}], mean and standard error of {settings.n_runs} runs"
        )
        return f"Table {self.table.number}: {self.table.data}, error % ({what})"


def summary(cells: list[ErrorCell]) -> list[str]:
    """Say how the annealed columns compare with the published ones and ours with these, then the others."""
    annealed = [cell for cell in cells if cell.column in ANNEALED]
    lines = [
        f"as printed, within {NEAR_PUBLISHED:g} points of the published error: "
        + _counts(annealed, lambda cell: cell.near_published),
        f"ours no worse than as printed within {SURE:g} standard errors: "
        + _counts(annealed, lambda cell: cell.ours_no_worse),
    ]
    others = [cell for cell in cells if cell.column in OTHERS]
    away = [f"{c.column} on {c.table.data}, r = {c.n_members}" for c in others if not c.within_range]
    inside = (
        f"other columns as printed within the published range of their column: {len(others) - len(away)} of "
    )
    lines.append(f"{inside}{len(others)}{'; not: ' if away else ''}{'; '.join(away)}")
    return [*lines, *_causes(cells)]


def _causes(cells: list[ErrorCell]) -> list[str]:
    """Say, for what was tried instead, on how many cells it lies within the published range."""
    lines = []
    for name in TRIED:
        own = [cell for cell in cells if cell.column == name]
        lines.append(
            f"{name}: within the published range on {sum(c.within_range for c in own)} of {len(own)}"
        )
    return lines if cells else []


def _counts(cells: list[ErrorCell], holds: Callable[[ErrorCell], bool]) -> str:
    texts = []
    for column in ANNEALED:
        own = [cell for cell in cells if cell.column == column]
        texts.append(f"{column} {sum(map(holds, own))} of {len(own)}")
    return ", ".join(texts)


def single_kmeans(settings: AnnealingStudySettings, executor: Executor, on_done: OnDone) -> Sheet:
    """Return table 2: k-means alone."""
    columns = (
        Column("data"), Column("features", "d"), Column("k", "d"), Column("n", "d"),
        Column("published", ".1f"), Column("ours", ".1f"), Column("±", ".1f"),
        Column("from the box", ".1f"), Column("± box", ".1f"),
    )  # fmt: skip
    rows = []
    for done, row in enumerate(TABLE_2, start=1):
        ours = _single(row, settings, executor)
        sizes = (row.n_features, row.n_clusters, row.n_points)
        found = [value for errors in ours.T for value in (float(errors.mean()), standard_error(errors))]
        rows.append((row.data, *sizes, row.error, *found))
        on_done(done)
    title = f"Table 2: error % of k-means alone, mean of {settings.n_runs} runs"
    notes = (
        "from random points, as members are made; from the box: centres drawn in the range of each feature",
        "two-spirals and half-rings: our generators",
    )
    return Sheet("table-2", title, columns, tuple(rows), notes)


def _single(row: SingleError, settings: AnnealingStudySettings, executor: Executor) -> Floats:
    points = _points(row.data, settings, executor)
    shared = (points, row.n_clusters, settings.seed)
    return np.array(executor.map(_single_error, range(settings.n_runs), shared))


def _single_error(run: int, shared: tuple[ClassedPoints, int, int]) -> tuple[float, float]:
    points, n_clusters, seed = shared
    runs = (kmeans_labels(points.X, n_clusters, seed, run), box_labels(points.X, n_clusters, seed, run))
    from_points, from_box = (error_percent(labels, points.classes) for labels in runs)
    return from_points, from_box


def _points(name: str, settings: AnnealingStudySettings, executor: Executor) -> ClassedPoints:
    return read_by_rank_zero(executor, lambda: classed_points(name, settings.data_dir))
