"""Figure 2: the ascent of the corrected Rand index, loop by loop, on iris and wine with 30 members."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from intarsia.arrays import Floats
from intarsia.consensus import AS_PRINTED, combine_full
from intarsia.executor import Executor
from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.annealing.data import classed_points
from intarsia.studies.annealing.members import kmeans_members
from intarsia.studies.annealing.published import TABLE_5, TABLE_6
from intarsia.studies.annealing.runs import AnnealingStudySettings
from intarsia.studies.common import read_by_rank_zero

N_MEMBERS = 30
PANELS = (TABLE_5, TABLE_6)
COLUMNS = (Column("data"), Column("loop", "d"), Column("mean corrected Rand index", ".6f"))


def ascent(settings: AnnealingStudySettings, executor: Executor, on_done: Callable[[int], None]) -> Sheet:
    """Return the objective after each loop of one chain from plain k-modes, as in the paper."""
    folder, names = settings.data_dir, [table.data for table in PANELS]
    points = read_by_rank_zero(executor, lambda: [classed_points(name, folder).X for name in names])
    histories = executor.map(_history, range(len(PANELS)), (points, settings.seed), on_done)
    rows = tuple(
        (table.data, loop, value)
        for table, history in zip(PANELS, histories, strict=True)
        for loop, value in enumerate(history)
    )
    title = f"Figure 2: ascent of the corrected Rand index (SA-RI, r = {N_MEMBERS})"
    return Sheet("figure-2", title, COLUMNS, rows, ("the paper's curves have no printed numbers",))


def draw_ascent(sheet: Sheet, path: Path) -> None:
    """Draw one panel for each data set."""
    panels = []
    for table in PANELS:
        rows = [row for row in sheet.rows if row[0] == table.data]
        series = Series("as printed", [row[1] for row in rows], [row[2] for row in rows])
        panels.append(Panel(table.data, "loop over all points", "mean corrected Rand index", [series]))
    draw_panels(path, sheet.title, panels)


def _history(panel: int, shared: tuple[list[Floats], int]) -> tuple[float, ...]:
    points, seed = shared
    table = PANELS[panel]
    ensemble = kmeans_members(points[panel], N_MEMBERS, table.member_clusters, seed, run=0)
    chain = AS_PRINTED["sa-ri"]
    return combine_full(ensemble, table.n_clusters, "sa-ri", random_state=seed, n_threads=1, **chain).history
