"""CSV: one row per point, one column per member (or per cluster of a soft member)."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.files.members import Members
from intarsia.ensemble.files.tables import members_from_columns, table_of
from intarsia.io.bad_rows import is_number, split_row
from intarsia.io.errors import DataError
from intarsia.io.sniff import guess_delimiter, looks_like_header
from intarsia.io.text import content_lines, is_content, open_text
from intarsia.io.writers import atomic_write

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble

_ROWS_TO_SNIFF = 5


def write_csv(path: Path, ensemble: Ensemble) -> None:
    """Write a header and one row per point; numbers read back the same."""
    names, table = table_of(path, ensemble)
    with atomic_write(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(table.tolist())


def read_csv(path: Path) -> Members:
    """Read labels (numbers or text; empty, -1, NaN: missing) or memberships, with or without a header."""
    delimiter, names = _form(path)
    try:
        columns = _numbers(path, delimiter, names)
    except UnicodeDecodeError:
        raise
    except ValueError:  # text or empty fields: the slow way, which also names a bad row
        columns = _fields(path, delimiter, names)
    if len(columns[0]) == 0:
        raise DataError(f"{path}: the file has a header but no data rows.")
    return members_from_columns(path, names, columns)


def _form(path: Path) -> tuple[str | None, list[str] | None]:
    with open_text(path) as stream:
        rows = [line for _, line in islice(content_lines(stream), _ROWS_TO_SNIFF)]
    if not rows:
        raise DataError(f"{path}: the file is empty.")
    delimiter = guess_delimiter(rows)
    first = split_row(rows[0], delimiter)
    return delimiter, first if looks_like_header(first) and len(rows) > 1 else None


def _data_rows(stream: TextIO, names: Sequence[str] | None) -> Iterator[str]:
    return islice(filter(is_content, stream), 1 if names else 0, None)


def _numbers(path: Path, delimiter: str | None, names: Sequence[str] | None) -> list[NDArray[Any]]:
    with open_text(path) as stream:
        rows = _data_rows(stream, names)
        table = np.loadtxt(rows, delimiter=delimiter, comments=None, ndmin=2, encoding=None)
    if names is not None and table.shape[1] != len(names):
        raise ValueError("header and rows differ in length")
    return list(table.T)


def _fields(path: Path, delimiter: str | None, names: Sequence[str] | None) -> list[NDArray[Any]]:
    with open_text(path) as stream:
        lines = list(islice(content_lines(stream), 1 if names else 0, None))
    rows = [split_row(line, delimiter) for _, line in lines]
    width = len(names) if names else len(rows[0])
    for (number, _), row in zip(lines, rows, strict=True):
        if len(row) != width:
            raise DataError(f"{path}, line {number}: {len(row)} fields, expected {width}.")
    return [_column(field) for field in zip(*rows, strict=True)]


def _column(fields: Sequence[str]) -> NDArray[Any]:
    """Return numbers where all fields that are not empty are numbers, else text."""
    if all(is_number(field) for field in fields if field):
        return np.array([float(field) if field else np.nan for field in fields])
    return np.array(fields, dtype=object)
