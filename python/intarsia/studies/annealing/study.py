"""The study: tables and figures by number, each written when it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from intarsia.executor import Executor, make_executor
from intarsia.report.sheet import Sheet
from intarsia.studies.annealing.ascent import PANELS, ascent, draw_ascent
from intarsia.studies.annealing.forms import forms_sheet
from intarsia.studies.annealing.published import ERROR_TABLES, TABLE_2
from intarsia.studies.annealing.readings import readings_sheet
from intarsia.studies.annealing.runs import AnnealingStudySettings
from intarsia.studies.annealing.tables import ConsensusErrors, ErrorCell, single_kmeans, summary
from intarsia.studies.common import ResultFolder

TABLES = (2, *ERROR_TABLES)
FIGURES = (2,)


class Study:
    """Runs tables and figures and writes them into a folder.

    Parameters
    ----------
    settings : AnnealingStudySettings
        Data, runs, seed.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    executor : Executor, optional
        Who computes; rank 0 alone reads and writes.
    """

    def __init__(self, settings: AnnealingStudySettings, out: Path, executor: Executor | None = None) -> None:
        self._settings, self._executor = settings, executor or make_executor()
        self._results = ResultFolder(out, self._executor)
        self._cells: list[ErrorCell] = []

    def n_steps(self, table: int) -> int:
        """Return how often `on_done` is called for a table."""
        return len(TABLE_2 if table == 2 else ConsensusErrors(ERROR_TABLES[table]).tasks(self._settings))

    def table(self, number: int, on_done: Callable[..., None] = lambda *_: None) -> Sheet:
        """Run a table, write its files and return its sheet."""
        if number == 2:
            return self._results.write(single_kmeans(self._settings, self._executor, on_done))
        errors = ConsensusErrors(ERROR_TABLES[number])
        sheet, cells = errors.run(self._settings, self._executor, on_done)
        self._cells += cells
        return self._results.write(sheet)

    def figure(self, on_done: Callable[..., None] = lambda *_: None) -> Sheet:
        """Run figure 2, write its files and return its sheet."""
        sheet = self._results.write(ascent(self._settings, self._executor, on_done))
        self._results.draw(draw_ascent, sheet)
        return sheet

    def forms(self, on_done: Callable[..., None] = lambda *_: None) -> Sheet:
        """Run other forms of 2-spirals and half-rings, write their table and return its sheet."""
        return self._results.write(forms_sheet(self._settings, self._executor, on_done))

    def readings(self, on_done: Callable[..., None] = lambda *_: None) -> Sheet:
        """Run other readings of the paper's text, write their table and return its sheet."""
        return self._results.write(readings_sheet(self._settings, self._executor, on_done))

    @property
    def n_figure_steps(self) -> int:
        """How often `on_done` is called for the figure."""
        return len(PANELS)

    def summary(self) -> list[str]:
        """Return what all cells of tables 3 to 6 that were run say, if any."""
        return summary(self._cells) if self._cells else []


def chosen(tables: Sequence[int], figures: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return what to run, each once: all tables if nothing is named."""
    return list(dict.fromkeys(tables or (() if figures else TABLES))), list(dict.fromkeys(figures))
