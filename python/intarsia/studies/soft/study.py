"""The study: every ensemble is scored once, tables and figures are views of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from intarsia.datasets import find_data
from intarsia.executor import Executor, make_executor, on_rank_zero
from intarsia.report.sheet import Sheet
from intarsia.studies.common import ResultFolder
from intarsia.studies.soft.data import GENERATED
from intarsia.studies.soft.defaults import defaults_sheet
from intarsia.studies.soft.figures import FIGURES, curve_sheet, draw_curves, shows
from intarsia.studies.soft.published import RATIO_TABLES
from intarsia.studies.soft.runs import OnDone, Scored, run_cases, score_tasks
from intarsia.studies.soft.settings import Case, SoftStudySettings
from intarsia.studies.soft.tables import belongs, ratio_sheet
from intarsia.studies.soft.verdict import sentences

TABLES = tuple(RATIO_TABLES)


class Study:
    """Scores ensembles and writes tables and figures into a folder.

    Parameters
    ----------
    settings : SoftStudySettings
        Data, runs, seed.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    tables, figures : sequences of str
        Numbers in the paper; together they say which ensembles are needed.
    executor : Executor, optional
        Who computes; rank 0 alone reads and writes.
    """

    def __init__(
        self,
        settings: SoftStudySettings,
        out: Path,
        tables: Sequence[str],
        figures: Sequence[str],
        executor: Executor | None = None,
    ) -> None:
        self._settings, self._executor = settings, executor or make_executor()
        self._tables = [RATIO_TABLES[number] for number in tables]
        self._figures = [FIGURES[number] for number in figures]
        self._cases = [case for case in settings.cases(settings.data_sets()) if self._wants(case)]
        self._scored: list[Scored] = []
        on_rank_zero(self._executor, self._find_data)
        self._results = ResultFolder(out, self._executor)

    @property
    def n_steps(self) -> int:
        """How often `on_done` is called."""
        return len(score_tasks(self._cases))

    def run(self, on_done: OnDone = lambda *_: None) -> list[Sheet]:
        """Score the ensembles and return the sheets, written anew after each data set."""
        sheets: list[Sheet] = []
        for _, cases in groupby(self._cases, key=lambda case: case.data):
            self._scored += run_cases(list(cases), self._settings, self._executor, on_done)
            sheets = self._written()
        return sheets

    def defaults(self, on_done: OnDone = lambda *_: None) -> Sheet:
        """Run the comparison that our defaults were chosen by, write it and return its sheet."""
        return self._results.write(defaults_sheet(self._settings, self._executor, on_done))

    def _find_data(self) -> None:
        """Say that a file is missing before the first run."""
        for name in dict.fromkeys(case.data for case in self._cases):
            if name != GENERATED:
                find_data(name, self._settings.data_dir)

    def conclusions(self) -> list[str]:
        """Return what the scores say of the paper's conclusions."""
        return sentences(self._scored)

    def _wants(self, case: Case) -> bool:
        return any(belongs(table, case) for table in self._tables) or (bool(self._figures) and shows(case))

    def _written(self) -> list[Sheet]:
        so_far = [one.case for one in self._scored]
        sheets = [
            self._results.write(ratio_sheet(table, self._scored, self._settings))
            for table in self._tables
            if any(belongs(table, case) for case in so_far)
        ]
        for figure in self._figures if any(map(shows, so_far)) else []:
            sheets.append(self._results.write(curve_sheet(figure, self._scored)))
            self._results.draw(partial(draw_curves, figure), sheets[-1])
        return sheets
