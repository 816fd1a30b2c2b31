"""The study: every ensemble is scored once, tables and figures are views of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from intarsia.io import find_data
from intarsia.studies.examce.plots import can_draw
from intarsia.studies.published.soft import RATIO_TABLES
from intarsia.studies.sheet import Sheet, write_sheet
from intarsia.studies.soft.data import GENERATED
from intarsia.studies.soft.figures import FIGURES, curve_sheet, draw_curves, shows
from intarsia.studies.soft.plan import Case, Plan
from intarsia.studies.soft.runs import OnDone, Scored, run_cases
from intarsia.studies.soft.tables import belongs, ratio_sheet
from intarsia.studies.soft.verdict import sentences

TABLES = tuple(RATIO_TABLES)


class Study:
    """Scores ensembles and writes tables and figures into a folder.

    Parameters
    ----------
    plan : Plan
        Data, runs, seed, threads.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    tables, figures : sequences of str
        Numbers in the paper; together they say which ensembles are needed.
    """

    def __init__(self, plan: Plan, out: Path, tables: Sequence[str], figures: Sequence[str]) -> None:
        self._plan, self._out = plan, out
        self._tables = [RATIO_TABLES[number] for number in tables]
        self._figures = [FIGURES[number] for number in figures]
        self._cases = [case for case in plan.cases(plan.data_sets()) if self._wants(case)]
        self._scored: list[Scored] = []
        for name in dict.fromkeys(case.data for case in self._cases):
            if name != GENERATED:
                find_data(name, plan.data_dir)  # a missing file is said before the first run
        out.mkdir(parents=True, exist_ok=True)

    @property
    def n_steps(self) -> int:
        """How often `on_done` is called."""
        return len(self._cases)

    def run(self, on_done: OnDone = lambda *_: None) -> list[Sheet]:
        """Score the ensembles and return the sheets, written anew after each data set."""
        sheets: list[Sheet] = []
        for _, cases in groupby(self._cases, key=lambda case: case.data):
            self._scored += run_cases(list(cases), self._plan, on_done)
            sheets = self._written()
        return sheets

    def conclusions(self) -> list[str]:
        """Return what the scores say of the paper's conclusions."""
        return sentences(self._scored)

    def _wants(self, case: Case) -> bool:
        return any(belongs(table, case) for table in self._tables) or (bool(self._figures) and shows(case))

    def _written(self) -> list[Sheet]:
        so_far = [one.case for one in self._scored]
        sheets = [
            ratio_sheet(table, self._scored, self._plan)
            for table in self._tables
            if any(belongs(table, case) for case in so_far)
        ]
        drawn = self._figures if any(map(shows, so_far)) else []
        for figure in drawn:
            sheets.append(curve_sheet(figure, self._scored))
            if can_draw():
                draw_curves(figure, sheets[-1], self._out / f"{sheets[-1].name}.png")
        for sheet in sheets:
            write_sheet(self._out, sheet)
        return sheets
