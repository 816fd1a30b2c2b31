"""Parquet files, through the optional pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.errors import DataError, require, unreadable
from intarsia.io.options import ReadOptions, choose_columns
from intarsia.io.points import Points, make_points


def read_parquet(path: Path, options: ReadOptions) -> Points:
    """Read a Parquet file; a last column named `class` or `label` holds the labels."""
    pyarrow = require("pyarrow", "Parquet")
    table = _load(path, pyarrow)
    names = [str(name) for name in table.column_names]
    layout = choose_columns(path, options, names, len(names))
    columns = [_numbers(path, pyarrow, names[j], table.column(j)) for j in layout.features]
    X = np.column_stack(columns)
    labels = None if layout.label is None else _label_values(table.column(layout.label))
    return make_points(path, X, labels, [names[j] for j in layout.features])


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


def _numbers(path: Path, pyarrow: Any, name: str, column: Any) -> NDArray[Any]:
    """Return a column of numbers, with NaN where a value is missing."""
    types = pyarrow.types
    kind = column.type
    if types.is_float32(kind):
        return np.asarray(column.to_numpy())
    tests = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal, types.is_null)
    if not any(test(kind) for test in tests):
        raise DataError(f"{path}: column {name!r} holds {kind} values; needs numbers.")
    if types.is_boolean(kind):
        column = column.cast(pyarrow.int8())
    return np.asarray(column.cast(pyarrow.float64(), safe=False).to_numpy())


def _label_values(column: Any) -> NDArray[Any]:
    """Return labels of any type as objects; missing ones are None."""
    values = column.to_pylist()
    labels = np.empty(len(values), dtype=object)
    labels[:] = values
    return labels
