"""A table of results with notes: printed for people, written as CSV and Markdown, given as JSON."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from intarsia.io.writers import atomic_write

ABSENT = "–"


@dataclass(frozen=True)
class Column:
    """A column: its name and the format specification of its values."""

    name: str
    format: str = ""

    def text(self, value: Any) -> str:
        """Return a value as it is printed."""
        return ABSENT if value is None else format(value, self.format)

    def padded(self, text: str, width: int) -> str:
        """Return a cell: words to the left, numbers to the right."""
        return text.rjust(width) if self.format else text.ljust(width)


@dataclass(frozen=True)
class Sheet:
    """One table of a study.

    Attributes
    ----------
    name : str
        Stem of its files, such as `table-2`.
    title : str
        The line above it.
    columns : tuple of Column
        Names and formats.
    rows : tuple of tuple
        The values, None where there is none.
    notes : tuple of str
        Lines below it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    def texts(self) -> list[list[str]]:
        """Return the rows as they are printed."""
        return [[c.text(value) for c, value in zip(self.columns, row, strict=True)] for row in self.rows]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def with_notes(self, *notes: str) -> Sheet:
        """Return the sheet with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def as_json(self) -> Mapping[str, Any]:
        """Return everything in plain types."""
        return {"name": self.name, "title": self.title, "rows": self.records(), "notes": list(self.notes)}

    def markdown(self) -> str:
        """Return the sheet as Markdown, ready to be pasted."""
        rule = ["---:" if column.format else "---" for column in self.columns]
        lines = [[column.name for column in self.columns], rule, *self.texts()]
        table = [f"| {' | '.join(cells)} |" for cells in lines]
        return "\n".join([f"**{self.title}**", "", *table, "", *(f"- {note}" for note in self.notes), ""])


def print_sheet(sheet: Sheet) -> None:
    """Print a sheet and its notes on stdout."""
    lines = [[column.name for column in sheet.columns], *sheet.texts()]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    print(sheet.title)
    for cells in lines:
        padded = (c.padded(text, w) for c, text, w in zip(sheet.columns, cells, widths, strict=True))
        print(f"  {'  '.join(padded).rstrip()}")
    print(*(f"  {note}" for note in sheet.notes), "", sep="\n")


def write_sheet(folder: Path, sheet: Sheet) -> None:
    """Write NAME.csv (all digits) and NAME.md (as printed) into an existing folder."""
    with atomic_write(folder / f"{sheet.name}.csv") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([column.name for column in sheet.columns])
        writer.writerows(_plain(row) for row in sheet.rows)
    with atomic_write(folder / f"{sheet.name}.md") as stream:
        stream.write(sheet.markdown())


def _plain(row: Sequence[Any]) -> list[Any]:
    return ["" if value is None else value for value in row]
