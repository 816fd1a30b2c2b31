"""Text tables: lines, their fields, and the slow look that finds what is wrong."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from intarsia.io.points import DataError, advice, is_missing, non_finite_name

# a semicolon or a tab is hardly ever data, a comma may be
_CANDIDATES = (";", "\t", "|", ",")


def is_number(field: str) -> bool:
    """Tell whether the bulk parser would read a field as a number (NaN and infinity included)."""
    try:
        float(field)
    except ValueError:
        return False
    return field.isascii() and "_" not in field  # Python allows 1_000 and other scripts' digits


def looks_numeric(field: str) -> bool:
    """Tell whether a field is a number, maybe with a decimal comma."""
    return is_number(field) or is_number(field.replace(",", "."))


def is_content(line: str) -> bool:
    """Tell whether a line holds data: it is neither blank nor a `#` comment nor a spreadsheet's `sep=;`."""
    stripped = line.lstrip()
    if not stripped or stripped.startswith("#"):
        return False
    return not (stripped.startswith("sep=") and len(stripped.rstrip()) <= len("sep=;"))


def content_lines(stream: TextIO) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of the lines that hold data."""
    return ((number, line) for number, line in enumerate(stream, 1) if is_content(line))


def split_row(line: str, delimiter: str | None) -> list[str]:
    """Split a line into stripped fields; a delimiter of None is any run of white space."""
    if '"' in line:
        line = line.strip()
        dialect = {"delimiter": delimiter or " ", "skipinitialspace": True}
        return [field.strip() for field in next(csv.reader([line], **dialect))]  # type: ignore[arg-type]
    return [field.strip() for field in line.split(delimiter)]


def guess_delimiter(rows: Sequence[str], decimal: str = ".") -> str | None:
    """Return the delimiter of the first rows, or None for runs of white space."""
    for candidate in _CANDIDATES:
        if candidate != decimal and _separates(candidate, rows):
            return candidate
    for candidate in (
        (",", ";") if decimal == "." else (";",)
    ):  # rows that disagree: the error about them should use the right delimiter
        if candidate in rows[0]:
            return candidate
    return None


def _separates(delimiter: str, rows: Sequence[str]) -> bool:
    """Tell whether a delimiter cuts all rows into the same number (at least two) of fields."""
    cut = [split_row(row, delimiter) for row in rows]
    if delimiter == "\t" and any("" in fields for fields in cut):
        return False  # tabs used as alignment
    return len(cut[0]) > 1 and all(len(fields) == len(cut[0]) for fields in cut)


@dataclass(frozen=True)
class TableForm:
    """How a text table is written: None for a delimiter is any run of white space."""

    delimiter: str | None
    names: list[str] | None
    width: int
    decimal: str = "."

    def number(self, field: str) -> float:
        """Read a field as a number; one that marks a missing value is NaN."""
        field = field.strip()
        if self.decimal != ".":
            if "." in field:  # 1.234 would become another number a thousandth as large
                raise ValueError(field)
            field = field.replace(self.decimal, ".")
        if is_missing(field):
            return math.nan
        if not is_number(field):
            raise ValueError(field)
        return float(field)

    def call(self, column: int) -> str:
        """Return how the caller would name a column: by its name, else from the nearer end."""
        if self.names and self.names[column]:
            return repr(self.names[column])
        return "-1" if column == self.width - 1 else str(column)


def raise_for_bad_row(
    path: Path, rows: Sequence[tuple[int, str]], form: TableForm, numeric: Collection[int]
) -> None:
    """Raise for the first row with a wrong number of fields or a field that is no finite number."""
    for at, (line_number, line) in enumerate(rows):
        fields = split_row(line, form.delimiter)
        if len(fields) != form.width:
            raise DataError(f"{path}: line {line_number} has {_fields(len(fields))}, expected {form.width}.")
        for column in sorted(numeric):
            fault = _fault(fields[column], form)
            if fault:
                where = f"{path}: line {line_number}, column {column + 1}"
                hint = _advice(rows, at, column, form, numeric)
                raise DataError(" ".join([f"{where}{fault}.", *hint]))


def raise_for_open_quote(path: Path, rows: Iterable[tuple[int, str]]) -> None:
    """Raise for the first row in which a quote is opened and not closed."""
    for line_number, line in rows:
        if line.count('"') % 2:
            raise DataError(f"{path}: line {line_number}: a quoted field does not end on its line.")


def _fault(field: str, form: TableForm) -> str:
    """Say what is wrong with a field that should be a finite number; '' if nothing is."""
    try:
        value = form.number(field)
    except ValueError:
        shown = field if len(field) <= 40 else field[:37] + "..."
        return f" ({shown!r}): not a number"
    if math.isnan(value):
        what = "empty field" if not field else "NaN" if field.lower() == "nan" else repr(field)
        return f": missing value ({what})"
    return "" if math.isfinite(value) else f": {non_finite_name(value)}"


def _advice(
    rows: Sequence[tuple[int, str]], at: int, column: int, form: TableForm, numeric: Collection[int]
) -> list[str]:
    """Say which option would help, if one would."""
    field = split_row(rows[at][1], form.delimiter)[column]
    if is_missing(field):
        cut = [split_row(line, form.delimiter) for _, line in rows]
        if all(is_missing(row[column]) for row in cut if len(row) == form.width):
            return [f"The column has no value at all: drop=[{form.call(column)}] leaves it out."]
        gaps = sum(any(is_missing(row[j]) for j in numeric if j < len(row)) for row in cut)
        return [advice(gaps, len(rows))]
    if form.decimal != "." and "." in field and looks_numeric(field.replace(".", "")):
        return ["decimal=',' takes no points between thousands."]
    if looks_numeric(field):
        return [] if is_number(field) else ["Decimal commas are read with decimal=','."]
    if at > 0:  # one bad field further down is a slip, not a column of text
        return []
    name = form.call(column)
    return [f"label_column={name} takes the column for the classes, drop=[{name}] leaves it out."]


def _fields(n: int) -> str:
    return f"{n} field" if n == 1 else f"{n} fields"
