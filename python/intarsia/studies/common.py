"""What studies share: the settings of their users, what they read, and the folder of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from intarsia.executor import Executor, on_rank_zero
from intarsia.report.plots import can_draw
from intarsia.report.sheet import Sheet, write_sheet

Value = TypeVar("Value")


@dataclass(frozen=True)
class StudySettings:
    """Settings that studies share.

    Attributes
    ----------
    data_dir : Path or None
        Folder of the data files; None searches the usual places.
    quick : bool
        A few small runs: a look, not a measurement.
    seed : int
        Seed of everything.
    """

    data_dir: Path | None = None
    quick: bool = False
    seed: int = 0


def read_by_rank_zero(executor: Executor, read: Callable[[], Value]) -> Value:
    """Return, on every rank, what rank 0 reads."""
    return cast(Value, executor.agree(on_rank_zero(executor, read)))


class ResultFolder:
    """CSV, Markdown and PNG files in one folder, made if it is not there; rank 0 writes them."""

    def __init__(self, folder: Path, executor: Executor) -> None:
        self._folder, self._executor = folder, executor
        on_rank_zero(executor, lambda: folder.mkdir(parents=True, exist_ok=True))

    def write(self, sheet: Sheet) -> Sheet:
        """Write a sheet and return it."""
        on_rank_zero(self._executor, lambda: write_sheet(self._folder, sheet))
        return sheet

    def draw(self, draw: Callable[[Sheet, Path], None], sheet: Sheet) -> None:
        """Draw a sheet, where matplotlib is there."""
        on_rank_zero(self._executor, lambda: self._draw(draw, sheet))

    def _draw(self, draw: Callable[[Sheet, Path], None], sheet: Sheet) -> None:
        if can_draw():
            draw(sheet, self._folder / f"{sheet.name}.png")
