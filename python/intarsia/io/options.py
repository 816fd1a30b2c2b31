"""What a caller may ask of a reader, in one value that every format's reader takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Literal

from intarsia.io.errors import DataError

Column = str | int
Header = bool | Literal["auto"]

#: A last column with one of these names holds labels unless the caller says otherwise.
LABEL_NAMES = ("class", "label")


@dataclass(frozen=True)
class ReadOptions:
    """The options of `read_points`."""

    label_column: Column | None = None
    columns: Sequence[Column] | None = None
    key: str | None = None
    delimiter: str | None = None
    header: Header = "auto"

    def __post_init__(self) -> None:
        if self.header not in (True, False, "auto"):
            raise DataError(f"header={self.header!r} should be True, False or 'auto'.")
        if isinstance(self.columns, str):
            raise DataError(f"columns={self.columns!r} should be a list of names or indices.")
        for column in (self.label_column, *(self.columns or ())):
            if not isinstance(column, str | Integral | None):
                raise DataError(f"column {column!r} should be a name or a whole number.")


@dataclass(frozen=True)
class Layout:
    """Which columns of a table are features and which one, if any, holds the labels."""

    features: list[int]
    label: int | None


def choose_columns(path: Path, options: ReadOptions, names: Sequence[str] | None, width: int) -> Layout:
    """Resolve the caller's column names and indices for a table of `width` columns."""
    label = _label_index(path, options.label_column, names, width)
    if options.columns is None:
        features = [j for j in range(width) if j != label]
    else:
        features = [column_index(path, c, names, width) for c in options.columns]
    if not features:
        raise DataError(f"{path}: no feature column is chosen; needs at least one besides the labels.")
    if label not in features:
        return Layout(features, label)
    if options.label_column is None:  # the caller wants the column called `class` as a feature
        return Layout(features, None)
    raise DataError(f"{path}: column {options.label_column!r} is asked for both as labels and as a feature.")


def _label_index(path: Path, column: Column | None, names: Sequence[str] | None, width: int) -> int | None:
    if column is not None:
        return column_index(path, column, names, width)
    has_label_name = names is not None and names[-1].lower() in LABEL_NAMES
    return width - 1 if has_label_name else None


def column_index(path: Path, column: Column, names: Sequence[str] | None, width: int) -> int:
    """Return the 0-based index of a column given by name, by index, or by an index written as text."""
    if isinstance(column, str) and names is not None and column in names:
        return list(names).index(column)
    try:
        index = int(column)
    except ValueError:
        known = f"columns are {_listing(names)}" if names else "the file has no header; give an index"
        raise DataError(f"{path}: no column {column!r}; {known}.") from None
    if not -width <= index < width:
        raise DataError(f"{path}: no column {index}; the file has {width} columns (0 to {width - 1}).")
    return index % width


def _listing(names: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, ..."
