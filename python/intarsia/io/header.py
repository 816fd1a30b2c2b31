"""Whether the first row of a text table names its columns, and whether one may doubt that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from intarsia.io.points import is_missing
from intarsia.io.text import looks_numeric

#: Names of a column of labels: below one of them, text is labels.
LABEL_NAMES = ("class", "label", "target", "species")
_OTHER_LABEL_NAMES = ("labels", "classes", "cluster", "clusters", "y", "name", "names")

_WHOLE = re.compile(r"[+-]?\d+")
_ENOUGH_ROWS = 3  # below the first: with fewer any row may be unlike the others
_ENOUGH_FRACTIONS = 3  # columns: two numbers rise by chance

Row = Sequence[str]


@dataclass(frozen=True)
class FirstRow:
    """Whether a first row is a header, and whether the reader of the data should be told so."""

    is_header: bool
    in_doubt: bool = False


def judge_first_row(first: Row, rows: Sequence[Row]) -> FirstRow:
    """Compare a first row with some of those below it."""
    rest = [row for row in rows if len(row) == len(first)]
    if not rest:
        return FirstRow(any(first) and not any(map(looks_numeric, first)))
    columns = list(zip(*rest, strict=True))
    if _has_corner(first, columns):
        return FirstRow(True)
    if all(map(is_missing, first)):
        return FirstRow(False)
    if any(_names_numbers(field, column) for field, column in zip(first, columns, strict=True)):
        return FirstRow(True, in_doubt=any(map(looks_numeric, first)))
    texts = [j for j, column in enumerate(columns) if not _is_numbers(column)]
    if any(first[j] in columns[j] and not is_missing(first[j]) for j in texts):
        return FirstRow(False)  # what occurs again is a value, not a name
    numbers = [j for j in range(len(first)) if j not in texts]
    if not numbers or not any(map(looks_numeric, first)):
        return _judge_texts(first, columns)
    return _judge_numbers([first[j] for j in numbers], [[row[j] for j in numbers] for row in rest])


def _has_corner(first: Row, columns: Sequence[Row]) -> bool:
    """Empty fields before names: above the row names of pandas and R. Before numbers: a value may miss."""
    names = first[next((j for j, field in enumerate(first) if field), 0) :]
    if len(names) == len(first) or not all(names):
        return False
    is_point = all(map(looks_numeric, names)) and list(names) != list(map(str, range(len(names))))
    return not is_point or names_rows(columns[0])


def names_rows(column: Row) -> bool:
    """Tell whether the first column of a table holds words, or counts from 0 or 1."""
    first = {"0": 0, "1": 1}.get(column[0])
    if first is None:
        return not _is_numbers(column)
    return list(column) == list(map(str, range(first, first + len(column))))


def _is_numbers(column: Row) -> bool:
    known = [field for field in column if not is_missing(field)]
    return all(map(looks_numeric, known))


def _names_numbers(field: str, column: Row) -> bool:
    is_text = not is_missing(field) and not looks_numeric(field)
    return is_text and _is_numbers(column) and not all(map(is_missing, column))


def _judge_texts(first: Row, columns: Sequence[Row]) -> FirstRow:
    """Nothing but text: a header if its names are known, or if below it every text occurs again."""
    known = {*LABEL_NAMES, *_OTHER_LABEL_NAMES}
    repeats = all(column.count(field) > 1 for column in columns for field in set(column))
    return FirstRow(True, in_doubt=not repeats and not any(name.lower() in known for name in first))


def _judge_numbers(first: Row, rest: Sequence[Row]) -> FirstRow:
    """Whole numbers that count the columns, or that no column below goes on with, are names."""
    if not all(map(_WHOLE.fullmatch, first)):
        return _judge_fractions(first, rest)
    whole = [int(field) for field in first]
    if len(whole) > 1 and whole == list(range(len(whole))):  # as pandas names columns without names
        if rest[0] == [str(number + len(whole)) for number in whole]:
            return FirstRow(False)  # a table that counts on
        recurs = list(first) in [list(row) for row in rest]
        few = len(whole) == 2 and all(map(_WHOLE.fullmatch, (field for row in rest for field in row)))
        return FirstRow(not recurs and not few, in_doubt=True)  # 0,1 may well be two labels
    if len(rest) < _ENOUGH_ROWS:
        return FirstRow(False)
    lies_outside = _is_outside(whole, rest)
    found = _no_whole(rest) or (_is_evenly_spaced(whole) and lies_outside)
    return FirstRow(found, in_doubt=found or (lies_outside and _rises(whole)))


def _judge_fractions(first: Row, rest: Sequence[Row]) -> FirstRow:
    """0.0,1.0,2.0 as pandas writes names that are floats; wavelengths, above what they were measured at."""
    if any(map(is_missing, first)) or len(rest) < _ENOUGH_ROWS or len(first) < _ENOUGH_FRACTIONS:
        return FirstRow(False)
    numbers = [float(field.replace(",", ".")) for field in first]
    counts = list(first) == [f"{j}.0" for j in range(len(first))]
    found = counts or (_rises(numbers) and _is_outside(numbers, rest))
    return FirstRow(found, in_doubt=found)


def _no_whole(rest: Sequence[Row]) -> bool:
    return not any(_WHOLE.fullmatch(field) for row in rest for field in row)


def _is_evenly_spaced(whole: Sequence[int]) -> bool:
    """2019, 2020, 2021 or 10, 20, 30."""
    steps = {b - a for a, b in pairwise(whole)}
    return len(steps) == 1 and min(steps) > 0


def _rises(numbers: Sequence[float]) -> bool:
    return len(numbers) >= _ENOUGH_FRACTIONS and all(a < b for a, b in pairwise(numbers))


def _is_outside(numbers: Sequence[float], rest: Sequence[Row]) -> bool:
    """Whether every number lies beyond all that stand below it."""
    for number, column in zip(numbers, zip(*rest, strict=True), strict=True):
        values = [float(field.replace(",", ".")) for field in column if not is_missing(field)]
        if not values or min(values) <= number <= max(values):
            return False
    return True
