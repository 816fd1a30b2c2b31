"""The slow second look at a text file that the bulk parser refused: find the line and column."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Iterable
from pathlib import Path

from intarsia.io.errors import DataError
from intarsia.io.points import non_finite_name


def split_row(line: str, delimiter: str | None) -> list[str]:
    """Split a line into stripped fields; a delimiter of None is any run of white space."""
    if '"' in line:
        line = line.strip()
        dialect = {"delimiter": delimiter or " ", "skipinitialspace": True}
        return [field.strip() for field in next(csv.reader([line], **dialect))]  # type: ignore[arg-type]
    return [field.strip() for field in line.split(delimiter)]


def is_number(field: str) -> bool:
    """Tell whether the bulk parser would read a field as a number (NaN and infinity included)."""
    try:
        float(field)
    except ValueError:
        return False
    return field.isascii() and "_" not in field  # Python allows 1_000 and other scripts' digits


def raise_for_bad_row(
    path: Path,
    rows: Iterable[tuple[int, str]],
    delimiter: str | None,
    width: int,
    numeric: Collection[int],
) -> None:
    """Raise for the first row with a wrong number of fields or a field that is no finite number."""
    for line_number, line in rows:
        fields = split_row(line, delimiter)
        if len(fields) != width:
            raise DataError(f"{path}: line {line_number} has {len(fields)} fields, expected {width}.")
        for column in sorted(numeric):
            _check_field(f"{path}: line {line_number}, column {column + 1}", fields[column])


def raise_for_open_quote(path: Path, rows: Iterable[tuple[int, str]]) -> None:
    """Raise for the first row in which a quote is opened and not closed."""
    for line_number, line in rows:
        if line.count('"') % 2:
            raise DataError(f"{path}: line {line_number}: a quoted field does not end on its line.")


def _check_field(where: str, field: str) -> None:
    if not field:
        raise DataError(f"{where}: missing value (empty field).")
    if not is_number(field):
        shown = field if len(field) <= 40 else field[:37] + "..."
        raise DataError(f"{where} ({shown!r}): not a number.")
    value = float(field)
    if not math.isfinite(value):
        raise DataError(f"{where}: {non_finite_name(value)}.")
