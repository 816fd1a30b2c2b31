"""Figure 2: the ascent of the corrected Rand index, loop by loop, on iris and wine with 30 members."""

from __future__ import annotations

from pathlib import Path

from intarsia.consensus import METHODS, combine_full
from intarsia.studies.annealing.data import classed_points
from intarsia.studies.annealing.members import kmeans_members
from intarsia.studies.annealing.plan import Plan
from intarsia.studies.annealing.tables import OnDone
from intarsia.studies.examce.plots import OWN_LABEL, Panel, Series, draw_panels
from intarsia.studies.published.annealing import TABLE_5, TABLE_6, ErrorTable
from intarsia.studies.sheet import Column, Sheet

N_MEMBERS = 30
PAPER_START = "kmodes"
PANELS = (TABLE_5, TABLE_6)
COLUMNS = (Column("data"), Column("loop", "d"), Column("mean corrected Rand index", ".6f"))


def ascent(plan: Plan, on_done: OnDone) -> Sheet:
    """Return the objective after each loop, from k-modes as in the paper."""
    rows: list[tuple[str, int, float]] = []
    for done, table in enumerate(PANELS, start=1):
        rows += [(table.data, loop, value) for loop, value in enumerate(_history(table, plan))]
        on_done(done)
    title = f"Figure 2: ascent of the corrected Rand index (SA-RI, r = {N_MEMBERS})"
    return Sheet("figure-2", title, COLUMNS, tuple(rows), ("the paper's curves have no printed numbers",))


def draw_ascent(sheet: Sheet, path: Path) -> None:
    """Draw one panel for each data set."""
    panels = []
    for table in PANELS:
        rows = [row for row in sheet.rows if row[0] == table.data]
        series = Series(OWN_LABEL, [row[1] for row in rows], [row[2] for row in rows])
        panels.append(Panel(table.data, "loop over all points", "mean corrected Rand index", [series]))
    draw_panels(path, sheet.title, panels)


def _history(table: ErrorTable, plan: Plan) -> tuple[float, ...]:
    points = classed_points(table.data, plan.data_dir)
    ensemble = kmeans_members(points.X, N_MEMBERS, table.member_clusters, plan.seed, run=0)
    start = PAPER_START if PAPER_START in METHODS else "random"
    found = combine_full(
        ensemble, table.n_clusters, "sa-ri", random_state=plan.seed, n_threads=1, start=start
    )
    return found.history
