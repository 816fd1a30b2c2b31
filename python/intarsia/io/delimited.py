"""CSV, TSV and other delimited text: one bulk parse, and a slow look only when that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from intarsia.io.bad_rows import raise_for_bad_row, raise_for_open_quote, split_row
from intarsia.io.errors import DataError, unreadable
from intarsia.io.options import Layout, ReadOptions, choose_columns
from intarsia.io.points import Points, make_points
from intarsia.io.sniff import guess_delimiter, looks_like_header
from intarsia.io.text import content_lines, is_content, open_text

_ROWS_TO_SNIFF = 5

Converter = Callable[[str], float]


@dataclass(frozen=True)
class _Format:
    """How a text table is written."""

    delimiter: str | None
    names: list[str] | None
    width: int


def read_delimited(path: Path, options: ReadOptions) -> Points:
    """Read a delimited text table, plain or gzipped."""
    form = _detect_format(path, options)
    layout = choose_columns(path, options, form.names, form.width)
    class_codes: dict[str, int] = {}
    with open_text(path) as stream:
        table = _parse(path, stream, form, layout, class_codes)
    X = table[:, layout.features] if _drops_columns(layout, form) else table
    if not np.isfinite(X).all():
        _raise_with_line(path, form, layout)
    names = [form.names[j] for j in layout.features] if form.names else None
    return make_points(path, X, _labels(table, layout, class_codes), names)


def _drops_columns(layout: Layout, form: _Format) -> bool:
    return layout.features != list(range(form.width))


def _detect_format(path: Path, options: ReadOptions) -> _Format:
    with open_text(path) as stream:
        rows = [line for _, line in islice(content_lines(stream), _ROWS_TO_SNIFF)]
    if not rows:
        raise DataError(f"{path}: the file is empty.")
    delimiter = _delimiter(path, options.delimiter, rows)
    first = split_row(rows[0], delimiter)
    has_header = looks_like_header(first) if options.header == "auto" else options.header
    if has_header and len(rows) == 1:
        raise DataError(f"{path}: the file has a header but no data rows.")
    return _Format(delimiter, first if has_header else None, len(first))


def _delimiter(path: Path, asked: str | None, rows: list[str]) -> str | None:
    if asked is None:
        return "\t" if ".tsv" in path.suffixes else guess_delimiter(rows)
    if asked in (" ", "whitespace"):
        return None
    if len(asked) != 1 or asked in '"\r\n':
        raise DataError(f"delimiter={asked!r} should be one character or 'whitespace'.")
    return asked


def _rows(stream: TextIO, form: _Format) -> Iterator[str]:
    """Yield the data rows; the header, if any, is the first line with content."""
    lines = filter(is_content, stream)
    return islice(lines, 1, None) if form.names else lines


def _parse(
    path: Path, stream: TextIO, form: _Format, layout: Layout, class_codes: dict[str, int]
) -> NDArray[np.float64]:
    """Parse all columns at once; labels become codes in order of appearance, unused columns zeros."""
    counter = count()
    try:
        table: NDArray[np.float64] = np.loadtxt(
            (line for line, _ in zip(_rows(stream, form), counter, strict=False)),
            delimiter=form.delimiter,
            comments=None,
            quotechar='"',
            ndmin=2,
            encoding=None,
            converters=_converters(form, layout, class_codes),
        )
    except UnicodeDecodeError:  # a ValueError too, but open_text has the words for it
        raise
    except ValueError as error:
        _raise_with_line(path, form, layout)
        raise unreadable(path, "text", error) from None
    if table.shape != (next(counter), form.width):  # an open quote would swallow the lines after it
        _raise_with_line(path, form, layout)
    return table


def _converters(form: _Format, layout: Layout, class_codes: dict[str, int]) -> dict[int | str, Converter]:
    """Return what replaces the number parser for the columns that are not features."""
    features = set(layout.features)
    converters: dict[int | str, Converter] = {j: _ignore for j in range(form.width) if j not in features}
    if layout.label is not None:
        converters[layout.label] = lambda field: class_codes.setdefault(field.strip(), len(class_codes))
    return converters


def _ignore(_: str) -> float:
    return 0.0


def _labels(
    table: NDArray[np.float64], layout: Layout, class_codes: dict[str, int]
) -> NDArray[np.object_] | None:
    """Return the label texts, or None when there is no label column."""
    if layout.label is None:
        return None
    texts = np.array([*class_codes, None], dtype=object)[:-1]
    return texts[table[:, layout.label].astype(np.intp)]


def _raise_with_line(path: Path, form: _Format, layout: Layout) -> None:
    n_header_lines = 1 if form.names else 0
    with open_text(path) as stream:
        rows = islice(content_lines(stream), n_header_lines, None)
        raise_for_bad_row(path, rows, form.delimiter, form.width, layout.features)
    with open_text(path) as stream:
        raise_for_open_quote(path, content_lines(stream))
