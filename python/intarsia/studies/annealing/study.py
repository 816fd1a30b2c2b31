"""The study: tables and figures by number, each written when it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from intarsia.studies.annealing.ascent import PANELS, ascent, draw_ascent
from intarsia.studies.annealing.plan import Plan
from intarsia.studies.annealing.tables import ConsensusErrors, ErrorCell, single_kmeans, summary
from intarsia.studies.examce.plots import can_draw
from intarsia.studies.published.annealing import ERROR_TABLES, TABLE_2
from intarsia.studies.sheet import Sheet, write_sheet

TABLES = (2, *ERROR_TABLES)
FIGURES = (2,)


class Study:
    """Runs tables and figures and writes them into a folder.

    Parameters
    ----------
    plan : Plan
        Data, runs, seed, threads.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    """

    def __init__(self, plan: Plan, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self._plan, self._out = plan, out
        self._cells: list[ErrorCell] = []

    def n_steps(self, table: int) -> int:
        """Return how often `on_done` is called for a table."""
        return len(TABLE_2) if table == 2 else ConsensusErrors(ERROR_TABLES[table]).n_steps(self._plan)

    def table(self, number: int, on_done: Callable[..., None] = lambda *_: None) -> Sheet:
        """Run a table, write its files and return its sheet."""
        if number == 2:
            return self._written(single_kmeans(self._plan, on_done))
        sheet, cells = ConsensusErrors(ERROR_TABLES[number]).run(self._plan, on_done)
        self._cells += cells
        return self._written(sheet)

    def figure(self, on_done: Callable[..., None] = lambda *_: None) -> Sheet:
        """Run figure 2, write its files and return its sheet."""
        sheet = self._written(ascent(self._plan, on_done))
        if can_draw():
            draw_ascent(sheet, self._out / f"{sheet.name}.png")
        return sheet

    @property
    def n_figure_steps(self) -> int:
        """How often `on_done` is called for the figure."""
        return len(PANELS)

    def summary(self) -> str | None:
        """Return one line on all cells of tables 3 to 6 that were run, if any."""
        return summary(self._cells) if self._cells else None

    def _written(self, sheet: Sheet) -> Sheet:
        write_sheet(self._out, sheet)
        return sheet


def chosen(tables: Sequence[int], figures: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return what to run, each once: all tables if nothing is named."""
    return list(dict.fromkeys(tables or (() if figures else TABLES))), list(dict.fromkeys(figures))
