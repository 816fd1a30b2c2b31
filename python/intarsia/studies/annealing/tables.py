"""Tables 2 to 6: average errors beside the published ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from intarsia.executor import Executor, make_executor
from intarsia.studies.annealing.data import ClassedPoints, classed_points
from intarsia.studies.annealing.members import error_percent, kmeans_labels
from intarsia.studies.annealing.plan import Plan
from intarsia.studies.annealing.runs import ANNEALED, OTHERS, Cell, RunOutcome, available, run_cell
from intarsia.studies.published.annealing import TABLE_2, ErrorTable, SingleError
from intarsia.studies.sheet import Column, Sheet, paired, paired_columns

COLUMNS = (*ANNEALED, *OTHERS)
#: "Within" the published value, and within the best column, in points of error.
NEAR_PUBLISHED, NEAR_BEST = 2.0, 0.3
ROUNDING = 1e-12
OnDone = Callable[[int], None]


@dataclass(frozen=True)
class ErrorCell:
    """Averages of one row: ours by column, published by column, least margin of the annealed objectives."""

    n_members: int
    ours: Mapping[str, float]
    published: Mapping[str, float]
    least_margin: float

    @property
    def near_published(self) -> bool:
        """Whether SA-RI is within two points of the published error, or better."""
        return self.ours["SA-RI"] <= self.published["SA-RI"] + NEAR_PUBLISHED

    @property
    def near_best(self) -> bool:
        """Whether SA-RI is within 0.3 points of our best column."""
        return self.ours["SA-RI"] <= min(self.ours.values()) + NEAR_BEST


@dataclass(frozen=True)
class ConsensusErrors:
    """One of tables 3 to 6."""

    table: ErrorTable

    @property
    def name(self) -> str:
        """Stem of its files."""
        return f"table-{self.table.number}"

    def n_steps(self, plan: Plan) -> int:
        """Return the number of runs."""
        return plan.n_runs * len(plan.sizes(tuple(self.table.rows)))

    def run(self, plan: Plan, on_done: OnDone) -> tuple[Sheet, list[ErrorCell]]:
        """Return the sheet and its cells."""
        points, executor = classed_points(self.table.data, plan.data_dir), make_executor(plan.n_threads)
        sizes = plan.sizes(tuple(self.table.rows))
        cells = [self._cell(r, points, plan, executor, on_done) for r in sizes]
        rows = tuple((cell.n_members, *paired(cell.published, cell.ours, COLUMNS)) for cell in cells)
        columns = (Column("r", "d"), *paired_columns(COLUMNS, ".1f"))
        notes = (summary(cells), *([points.note] if points.note else []), *_missing_note())
        return Sheet(self.name, self._title(plan), columns, rows, notes), cells

    def _cell(
        self, n_members: int, points: ClassedPoints, plan: Plan, executor: Executor, on_done: OnDone
    ) -> ErrorCell:
        cell = Cell(self.table, points, n_members, plan.seed)
        outcomes = executor.map(run_cell, range(plan.n_runs), cell, on_done)
        least = min(min(outcome.margins.values()) for outcome in outcomes)
        return ErrorCell(n_members, mean_errors(outcomes), self.table.rows[n_members], least)

    def _title(self, plan: Plan) -> str:
        least, most = self.table.member_clusters
        what = f"k-means members with k in [{least}, {most}], mean of {plan.n_runs} runs"
        return f"Table {self.table.number}: {self.table.data}, error % ({what})"


def mean_errors(outcomes: list[RunOutcome]) -> dict[str, float]:
    """Return the average error of each column that was run."""
    return {c: float(np.mean([o.errors[c] for o in outcomes])) for c in outcomes[0].errors}


def summary(cells: list[ErrorCell]) -> str:
    """Say how SA-RI compares with the published column and with our best, and that annealing is ahead."""
    n, least = len(cells), min(cell.least_margin for cell in cells)
    published = sum(cell.near_published for cell in cells)
    best = sum(cell.near_best for cell in cells)
    ahead = sum(cell.least_margin >= -ROUNDING for cell in cells)
    return (
        f"SA-RI within {NEAR_PUBLISHED:g} points of the published error or better in {published} of {n} "
        f"cells, within {NEAR_BEST:g} of our best column in {best}; annealed objectives no lower than "
        f"any other function's in {ahead} of {n} (least margin {least:+.2e})"
    )


def single_kmeans(plan: Plan, on_done: OnDone) -> Sheet:
    """Return table 2: k-means alone."""
    columns = (
        Column("data"), Column("features", "d"), Column("k", "d"), Column("n", "d"),
        Column("paper", ".1f"), Column("ours", ".1f"),
    )  # fmt: skip
    rows = []
    for done, row in enumerate(TABLE_2, start=1):
        rows.append((row.data, row.n_features, row.n_clusters, row.n_points, row.error, _single(row, plan)))
        on_done(done)
    title = f"Table 2: error % of k-means alone, mean of {plan.n_runs} runs"
    return Sheet("table-2", title, columns, tuple(rows), ("two-spirals and half-rings: our generators",))


def _single(row: SingleError, plan: Plan) -> float:
    points = classed_points(row.data, plan.data_dir)
    labels = [kmeans_labels(points.X, row.n_clusters, plan.seed, run) for run in range(plan.n_runs)]
    return float(np.mean([error_percent(one, points.classes) for one in labels]))


def _missing_note() -> list[str]:
    missing = [column for column in OTHERS if column not in available(OTHERS)]
    return [f"not registered here: {', '.join(missing)}"] if missing else []
