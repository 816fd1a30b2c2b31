"""Which columns of a table are features and which one holds the classes, as the caller asks."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from intarsia.io.header import LABEL_NAMES
from intarsia.io.points import NO_LABELS, Column, DataError, DataWarning, ReadOptions

# what pandas calls an index that has no name: in CSV before all else, in Parquet files anywhere
_FIRST_INDEX_NAME = re.compile(r"|Unnamed: \d+(\.\d+)*")
_INDEX_NAME = re.compile(r"__index_level_\d+__")


@dataclass(frozen=True)
class Layout:
    """Which columns of a table are features, which one, if any, holds the labels, which are row names."""

    features: list[int]
    label: int | None
    index: tuple[int, ...] = ()

    def label_name(self, names: Sequence[str] | None) -> str | None:
        """Return what to call the label column."""
        if self.label is None:
            return None
        return names[self.label] if names else f"column {self.label + 1}"

    def notes(self, names: Sequence[str] | None) -> list[str]:
        """Say what was left out because it only numbers or names the rows."""
        called = [(names[j] if names else "") or "unnamed" for j in self.index]
        return [f"index column ({', '.join(called)}) left out"] if called else []


def choose_columns(
    path: Path, options: ReadOptions, names: Sequence[str] | None, width: int, index: Sequence[int] = ()
) -> Layout:
    """Resolve the caller's column names and indices for a table of `width` columns; `index`: row names."""
    dropped = {column_index(path, column, names, width) for column in options.drop}
    rows = {*index, *_unnamed_index(names, width)} - dropped
    label = _label_index(path, options.label_column, names, width, {*dropped, *rows})
    found = rows - {label}
    if options.columns is None:
        left_out = {label, *dropped, *found}
        features = [j for j in range(width) if j not in left_out]
    else:
        features = [column_index(path, c, names, width) for c in options.columns]
        again = next((j for j in features if features.count(j) > 1), None)
        if again is not None:
            raise DataError(f"{path}: column {again} (counted from 0) is asked for twice by columns.")
        found = set()
    both = [j for j in features if j in dropped]
    if both:
        raise DataError(
            f"{path}: column {both[0]} (counted from 0) is asked for both by columns and by drop."
        )
    if options.label_column is None and label in features:
        label = None  # the caller wants the column called `class` as a feature
    if not features:
        raise DataError(f"{path}: no feature column is chosen; needs at least one besides the labels.")
    if label in features:
        raise DataError(
            f"{path}: column {options.label_column!r} is asked for both as labels and as a feature."
        )
    if names is not None and options.columns is None and options.label_column is None:
        _warn_of_classes(path, names, features, label)
    return Layout(features, label, tuple(sorted(found)))


def _warn_of_classes(path: Path, names: Sequence[str], features: Sequence[int], label: int | None) -> None:
    """Warn of columns that are called as classes are, but neither first nor last: they would be clustered."""
    for j in (j for j in features if _is_label_name(names[j])):
        called = repr(names[j]) if names.count(names[j]) == 1 else j
        takes = f"label_column={called} takes it for the classes, " if label is None else ""
        said = f"{path}: column {called} is a feature; {takes}drop=[{called}] leaves it out."
        warnings.warn(said, DataWarning, stacklevel=2)


def _is_label_name(name: str) -> bool:
    return name.lower() in LABEL_NAMES


def _unnamed_index(names: Sequence[str] | None, width: int) -> list[int]:
    """First columns without a name hold row names: pandas and R write them so."""
    if not names:
        return []
    first = list(takewhile(lambda j: _FIRST_INDEX_NAME.fullmatch(names[j]), range(width)))
    found = [*first, *(j for j in range(width) if _INDEX_NAME.fullmatch(names[j]))]
    return found if len(found) < width else []


def _label_index(
    path: Path, column: Column | None, names: Sequence[str] | None, width: int, left_out: Collection[int]
) -> int | None:
    if column == NO_LABELS and (names is None or column not in names):
        return None
    if column is not None:
        return column_index(path, column, names, width)
    kept = [j for j in range(width) if j not in left_out]
    ends = (kept[-1], kept[0]) if names is not None and kept else ()
    return next((j for j in ends if names is not None and _is_label_name(names[j])), None)


def column_index(path: Path, column: Column, names: Sequence[str] | None, width: int) -> int:
    """Return the 0-based index of a column given by name, by index, or by an index written as text."""
    if isinstance(column, str) and names is not None and column in names:
        places = [j for j, name in enumerate(names) if name == column]
        if len(places) > 1:
            listed = ", ".join(map(str, places))
            raise DataError(
                f"{path}: columns {listed} (counted from 0) are all called {column!r}; give one by its place."
            )
        return places[0]
    try:
        index = int(column)
    except ValueError:
        known = f"columns are {_listing(names)}" if names else "the file has no header; give an index from 0"
        raise DataError(f"{path}: no column {column!r}; {known}.") from None
    if not -width <= index < width:
        raise DataError(f"{path}: no column {index}; the file has {width} columns (0 to {width - 1}).")
    return index % width


def _listing(names: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, ..."
