"""CSV, TSV and other delimited text: one bulk parse, and a slow look only when that fails."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, dropwhile, islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from intarsia.io.columns import Layout, choose_columns
from intarsia.io.header import judge_first_row, names_rows
from intarsia.io.points import (
    NO_LABELS,
    DataError,
    DataWarning,
    Points,
    ReadOptions,
    is_missing,
    make_points,
    open_text,
    unreadable,
)
from intarsia.io.text import (
    TableForm,
    content_lines,
    guess_delimiter,
    is_content,
    is_number,
    raise_for_bad_row,
    raise_for_open_quote,
    split_row,
)

_ROWS_FOR_DELIMITER = 5
_ROWS_FOR_HEADER = 200
_SHOWN = 40  # letters of a first row in a warning

Converter = Callable[[str], float]


def read_delimited(path: Path, options: ReadOptions) -> Points:
    """Read points from a delimited text table, plain or gzipped."""
    form = _detect_format(path, options)
    layout = choose_columns(path, options, form.names, form.width)
    class_codes: dict[str, int] = {}
    converters = _converters(form, layout, class_codes, options)
    with open_text(path) as stream:
        table = _parse(path, stream, form, layout, converters)
    X = table[:, layout.features] if _drops_columns(layout, form) else table
    if np.isinf(X).any() or (options.missing == "error" and np.isnan(X).any()):
        _raise_with_line(path, form, layout)
    return make_points(
        path,
        X,
        _labels(table, layout, class_codes),
        [form.names[j] for j in layout.features] if form.names else None,
        label_name=layout.label_name(form.names),
        notes=layout.notes(form.names),
        missing=options.missing,
    )


def read_columns(
    path: Path, options: ReadOptions | None = None
) -> tuple[list[str] | None, list[NDArray[Any]]]:
    """Read any table: the names of its columns, None without a header, and their values.

    A column is numbers, NaN where a field is empty, or, where one of its fields is none, text. The columns
    are those that the options ask for; one of labels is a column as any other.
    """
    options = options or ReadOptions()
    form = _detect_format(path, options)
    kept = choose_columns(path, replace(options, label_column=NO_LABELS), form.names, form.width).features
    with open_text(path) as stream:
        try:
            table, whole = _bulk(_rows(stream, form), form)
        except UnicodeDecodeError:
            raise
        except ValueError:  # text or empty fields: the slow way
            whole = False
    names = [form.names[j] for j in kept] if form.names else None
    if whole:
        return names, [table[:, j] for j in kept]
    columns = list(zip(*_all_fields(path, form), strict=True))
    return names, [_numbers_or_text(columns[j]) for j in kept]


def _all_fields(path: Path, form: TableForm) -> list[list[str]]:
    with open_text(path) as stream:
        lines = list(_numbered_rows(stream, form))
    raise_for_bad_row(path, lines, form, ())
    raise_for_open_quote(path, lines)
    return [split_row(line, form.delimiter) for _, line in lines]


def _numbers_or_text(fields: Sequence[str]) -> NDArray[Any]:
    known = [field for field in fields if not is_missing(field)]
    if all(map(is_number, known)):
        return np.array([np.nan if is_missing(field) else float(field) for field in fields])
    return np.array(["" if is_missing(field) else field for field in fields], dtype=object)


def _drops_columns(layout: Layout, form: TableForm) -> bool:
    return layout.features != list(range(form.width))


def _detect_format(path: Path, options: ReadOptions) -> TableForm:
    with open_text(path) as stream:
        lines = [line for _, line in islice(content_lines(stream), _ROWS_FOR_HEADER)]
    if not lines:
        raise DataError(f"{path}: the file is empty.")
    delimiter = _delimiter(path, options, lines[:_ROWS_FOR_DELIMITER])
    first, *rest = (split_row(line, delimiter) for line in lines)
    if options.header is not False and _lacks_a_name(first, rest, delimiter):
        return TableForm(delimiter, ["", *first], len(first) + 1, options.decimal)
    has_header = _has_header(path, first, rest) if options.header == "auto" else options.header
    if has_header and len(lines) == 1:
        raise DataError(f"{path}: the file has a header but no data rows.")
    if len(first) == 1:
        _warn_of_gap(path)
    return TableForm(delimiter, first if has_header else None, len(first), options.decimal)


def _warn_of_gap(path: Path) -> None:
    """Warn of a blank line between others: in a file of one column a missing value may look so."""
    with open_text(path) as stream:
        lines = dropwhile(lambda numbered: not is_content(numbered[1]), enumerate(stream, 1))
        blank = next((number for number, line in lines if not line.strip()), None)
        if blank is not None and any(is_content(line) for _, line in lines):
            said = f"{path}: line {blank} is blank and left out; a missing value is written NA."
            warnings.warn(said, DataWarning, stacklevel=2)


def _lacks_a_name(first: Sequence[str], rest: Sequence[Sequence[str]], delimiter: str | None) -> bool:
    """R's write.table: row names below nothing, so that the header is one field short."""
    if not rest or any(len(row) != len(first) + 1 for row in rest) or any(map(is_number, first)):
        return False
    # else every row may as well end in a delimiter
    return delimiter in (None, "\t") or (
        names_rows([row[0] for row in rest]) and all(row[-1] for row in rest)
    )


def _has_header(path: Path, first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    verdict = judge_first_row(first, rest)
    if verdict.in_doubt:
        shown = ",".join(first)
        shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 3] + "..."
        taken = "the names of the columns" if verdict.is_header else "a point"
        other = "header=False makes it a point" if verdict.is_header else "header=True makes it names"
        warnings.warn(
            f"{path}: the first line ({shown}) is taken for {taken}; {other}.", DataWarning, stacklevel=2
        )
    return verdict.is_header


def _delimiter(path: Path, options: ReadOptions, rows: list[str]) -> str | None:
    asked = options.delimiter
    if asked is None:
        return (
            "\t"
            if path.name.lower().endswith((".tsv", ".tsv.gz"))
            else guess_delimiter(rows, options.decimal)
        )
    if asked in (" ", "whitespace"):
        return None
    if asked in ("tab", "\\t"):
        return "\t"
    if len(asked) != 1 or asked in '"\r\n':
        raise DataError(f"delimiter={asked!r} should be one character, 'tab' or 'whitespace'.")
    if asked == options.decimal:
        raise DataError(f"delimiter={asked!r} should differ from decimal={options.decimal!r}.")
    return asked


def _rows(stream: TextIO, form: TableForm) -> Iterator[str]:
    """Yield the data rows; the header, if any, is the first line with content."""
    return islice(filter(is_content, stream), 1 if form.names else 0, None)


def _numbered_rows(stream: TextIO, form: TableForm) -> Iterator[tuple[int, str]]:
    return islice(content_lines(stream), 1 if form.names else 0, None)


def _bulk(
    rows: Iterable[str], form: TableForm, converters: dict[int | str, Converter] | None = None
) -> tuple[NDArray[np.float64], bool]:
    """Return the table and whether it has a row for each line: an open quote would swallow those after it."""
    counter = count()
    table: NDArray[np.float64] = np.loadtxt(
        (line for line, _ in zip(rows, counter, strict=False)),
        delimiter=form.delimiter,
        comments=None,
        quotechar='"',
        ndmin=2,
        encoding=None,
        converters=converters,
    )
    return table, table.shape == (next(counter), form.width)


def _parse(
    path: Path, stream: TextIO, form: TableForm, layout: Layout, converters: dict[int | str, Converter]
) -> NDArray[np.float64]:
    """Parse all columns at once; labels become codes in order of appearance, unused columns zeros."""
    try:
        table, whole = _bulk(_rows(stream, form), form, converters)
    except UnicodeDecodeError:  # a ValueError too, but open_text has the words for it
        raise
    except ValueError as error:
        _raise_with_line(path, form, layout)
        raise unreadable(path, "text", error) from None
    if not whole:
        _raise_with_line(path, form, layout)
    return table


def _converters(
    form: TableForm, layout: Layout, class_codes: dict[str, int], options: ReadOptions
) -> dict[int | str, Converter]:
    """Return what replaces the number parser: for columns that are not features, and where it cannot read."""
    features = set(layout.features)
    converters: dict[int | str, Converter] = {j: _ignore for j in range(form.width) if j not in features}
    if layout.label is not None:
        converters[layout.label] = lambda field: class_codes.setdefault(field.strip(), len(class_codes))
    if options.missing != "error" or form.decimal != ".":
        converters.update(dict.fromkeys(features, form.number))
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


def _raise_with_line(path: Path, form: TableForm, layout: Layout) -> None:
    with open_text(path) as stream:
        rows = list(_numbered_rows(stream, form))
    raise_for_bad_row(path, rows, form, layout.features)
    raise_for_open_quote(path, rows)
