"""Parquet, through the optional pyarrow; the same columns as in CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.files.members import Members
from intarsia.ensemble.files.tables import members_from_columns, table_of
from intarsia.io.errors import DataError, require, unreadable
from intarsia.io.writers import atomic_write_bytes

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble


def write_parquet(path: Path, ensemble: Ensemble) -> None:
    """Write one column per member, or per cluster of a soft member."""
    pyarrow, parquet = require("pyarrow", "Parquet"), require("pyarrow.parquet", "Parquet")
    names, table = table_of(path, ensemble)
    columns = [np.ascontiguousarray(column) for column in table.T]
    with atomic_write_bytes(path) as stream:
        parquet.write_table(pyarrow.table(columns, names=names), stream)


def read_parquet(path: Path) -> Members:
    """Read labels (numbers or text; null: missing) or memberships."""
    pyarrow, parquet = require("pyarrow", "Parquet"), require("pyarrow.parquet", "Parquet")
    try:
        with open(path, "rb") as stream:
            table = parquet.ParquetFile(stream).read()
    except (pyarrow.ArrowException, OSError) as error:
        raise unreadable(path, "Parquet", error) from None
    if table.num_columns == 0 or table.num_rows == 0:
        raise DataError(
            f"{path}: the table has {table.num_rows} rows and {table.num_columns} columns; no data."
        )
    columns = [_values(pyarrow, table.column(j)) for j in range(table.num_columns)]
    return members_from_columns(path, [str(name) for name in table.column_names], columns)


def _values(pyarrow: Any, column: Any) -> NDArray[Any]:
    kind = column.type
    if pyarrow.types.is_integer(kind) and column.null_count == 0:
        return np.asarray(column.to_numpy())
    if pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind):
        return np.asarray(column.cast(pyarrow.float64()).to_numpy())
    values = np.empty(len(column), dtype=object)
    values[:] = column.to_pylist()
    return values
