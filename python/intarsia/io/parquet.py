"""Parquet files, through the optional pyarrow."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.columns import choose_columns
from intarsia.io.points import NO_LABELS, DataError, Points, ReadOptions, make_points, require, unreadable


def read_parquet(path: Path, options: ReadOptions) -> Points:
    """Read a Parquet file; a column called as labels are holds them, pandas' index is left out."""
    pyarrow = require("pyarrow", "Parquet")
    table = _load(path, pyarrow)
    names = [str(name) for name in table.column_names]
    layout = choose_columns(path, options, names, len(names), _pandas_index(table, names))
    columns = [_numbers(path, pyarrow, names, j, table.column(j)) for j in layout.features]
    X = np.column_stack(columns)
    labels = None if layout.label is None else _label_values(table.column(layout.label))
    return make_points(
        path,
        X,
        labels,
        [names[j] for j in layout.features],
        label_name=layout.label_name(names),
        notes=layout.notes(names),
        missing=options.missing,
    )


def read_parquet_columns(
    path: Path, options: ReadOptions | None = None
) -> tuple[list[str], list[NDArray[Any]]]:
    """Read any table: the names of its columns and their values, NaN or None where one is missing."""
    pyarrow = require("pyarrow", "Parquet")
    table = _load(path, pyarrow)
    names = [str(name) for name in table.column_names]
    asked = replace(options or ReadOptions(), label_column=NO_LABELS)
    kept = choose_columns(path, asked, names, len(names), _pandas_index(table, names)).features
    return [names[j] for j in kept], [_numbers_or_objects(pyarrow, table.column(j)) for j in kept]


def _pandas_index(table: Any, names: list[str]) -> list[int]:
    """Return the columns that pandas wrote for the index of its frame, as it notes beside them."""
    try:
        noted = json.loads((table.schema.metadata or {})[b"pandas"])["index_columns"]
    except (KeyError, TypeError, ValueError):  # not from pandas
        return []
    found = [names.index(name) for name in noted if isinstance(name, str) and name in names]
    return found if len(found) < len(names) else []


def _numbers_or_objects(pyarrow: Any, column: Any) -> NDArray[Any]:
    types = pyarrow.types
    if types.is_integer(column.type) and column.null_count == 0:
        return np.asarray(column.to_numpy())
    if types.is_integer(column.type) or types.is_floating(column.type):
        return np.asarray(column.cast(pyarrow.float64()).to_numpy())
    return _label_values(column)


def _load(path: Path, pyarrow: Any) -> Any:
    parquet = require("pyarrow.parquet", "Parquet")
    try:
        with open(path, "rb") as stream:  # one file: a folder name like a=1 must not add a column
            table = parquet.ParquetFile(stream).read()
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        raise unreadable(path, "Parquet", error) from None
    if table.num_columns == 0 or table.num_rows == 0:
        raise DataError(
            f"{path}: the table has {table.num_rows} rows and {table.num_columns} columns; no data."
        )
    return table


def _numbers(path: Path, pyarrow: Any, names: list[str], j: int, column: Any) -> NDArray[Any]:
    """Return a column of numbers, with NaN where a value is missing."""
    types = pyarrow.types
    kind = column.type
    if types.is_float32(kind):
        return np.asarray(column.to_numpy())
    tests = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal, types.is_null)
    if not any(test(kind) for test in tests):
        raise DataError(
            f"{path}: column {names[j]!r} holds {kind} values; needs numbers. "
            f"label_column={names[j]!r} takes the column for the classes, drop=[{names[j]!r}] leaves it out."
        )
    if types.is_boolean(kind):
        column = column.cast(pyarrow.int8())
    return np.asarray(column.cast(pyarrow.float64(), safe=False).to_numpy())


def _label_values(column: Any) -> NDArray[Any]:
    """Return labels of any type as objects; missing ones are None."""
    values = column.to_pylist()
    labels = np.empty(len(values), dtype=object)
    labels[:] = values
    return labels
