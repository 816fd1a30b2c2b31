"""The study: tables and figures by number, each written when it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from intarsia.executor import Executor, make_executor
from intarsia.report.scatter import Cloud, draw_clouds
from intarsia.report.sheet import Sheet
from intarsia.studies.boosting import published
from intarsia.studies.boosting.data import points_of
from intarsia.studies.boosting.pictures import PICTURES
from intarsia.studies.boosting.runs import cases_of
from intarsia.studies.boosting.settings import BoostingStudySettings
from intarsia.studies.boosting.shapes import SHAPES, shapes_sheet
from intarsia.studies.boosting.tables import TableScores, conclusions, raw_sheet, run_table, z_sheet
from intarsia.studies.boosting.weights import draw_weights, weights_sheet
from intarsia.studies.common import ResultFolder, read_by_rank_zero

TABLES = tuple(published.TABLES)
WEIGHTS, ANY_SHAPE = "weights", "shapes"
FIGURES = (*PICTURES, WEIGHTS, ANY_SHAPE)
PLANE = ("feature 1", "feature 2")

OnDone = Callable[..., None]


class Study:
    """Runs tables and figures and writes them into a folder.

    Parameters
    ----------
    settings : BoostingStudySettings
        Data, splits, seed.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    executor : Executor, optional
        Who computes; rank 0 alone reads and writes.
    """

    def __init__(self, settings: BoostingStudySettings, out: Path, executor: Executor | None = None) -> None:
        self._settings, self._executor = settings, executor or make_executor()
        self._results = ResultFolder(out, self._executor)
        self._done: list[TableScores] = []

    def n_steps(self, name: int | str) -> int:
        """Return how often `on_done` is called for a table or figure."""
        if isinstance(name, int):
            return len(cases_of(published.TABLES[name], self._settings))
        if name == WEIGHTS:
            return len(self._settings.weight_data) * self._settings.n_seeds
        return len(SHAPES) * self._settings.shape_seeds if name == ANY_SHAPE else 1

    def table(self, number: int, on_done: OnDone = lambda *_: None) -> list[Sheet]:
        """Run a table, write its files and return its sheets: Z, and what lies behind it."""
        found = run_table(number, self._settings, self._executor, on_done)
        self._done.append(found)
        return [self._results.write(sheet) for sheet in (z_sheet(found), raw_sheet(found))]

    def figure(self, name: str, on_done: OnDone = lambda *_: None) -> Sheet:
        """Make a figure, write its files and return its sheet."""
        if name == WEIGHTS:
            sheet = self._results.write(weights_sheet(self._settings, self._executor, on_done))
            self._results.draw(draw_weights, sheet)
            return sheet
        if name == ANY_SHAPE:
            sheet, clouds = shapes_sheet(self._settings, self._executor, on_done)
            return self._drawn(sheet, clouds, same_scale=False)
        picture = PICTURES[name]
        X = read_by_rank_zero(self._executor, lambda: points_of(picture.data, self._settings.data_dir).X)
        sheet, clouds = picture.make(X, self._settings)
        on_done(1)
        return self._drawn(sheet, clouds, same_scale=True)

    def conclusions(self) -> list[str]:
        """Return what the tables that were run say together."""
        return conclusions(self._done)

    def _drawn(self, sheet: Sheet, clouds: Sequence[Cloud], same_scale: bool) -> Sheet:
        def draw(sheet: Sheet, path: Path) -> None:
            draw_clouds(path, sheet.title, clouds, PLANE, same_scale=same_scale)

        self._results.write(sheet)
        self._results.draw(draw, sheet)
        return sheet


def chosen(tables: Sequence[int], figures: Sequence[str]) -> tuple[list[int], list[str]]:
    """Return what to run, each once: all tables if nothing is named."""
    return list(dict.fromkeys(tables or (() if figures else TABLES))), list(dict.fromkeys(figures))
