"""CSV and Parquet: tables of labels or memberships, one row per point.

Hard: one column per member, any names. Soft: columns named `member:cluster`, the clusters of a member side by
side.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.ensemble import Ensemble
from intarsia.ensemble.files.members import Members, hard_members, soft_members
from intarsia.io.delimited import read_columns
from intarsia.io.points import DataError, DataWarning, ReadOptions, require
from intarsia.io.writers import atomic_write, atomic_write_bytes

Column = NDArray[Any]
_FEW_ROWS = 10  # so many may each be a cluster of their own


def read_csv(path: Path, options: ReadOptions | None = None) -> Members:
    """Read labels (numbers or text; empty, -1, NaN: missing) or memberships, with or without a header."""
    return _members(path, *read_columns(path, options))


def read_parquet(path: Path, options: ReadOptions | None = None) -> Members:
    """Read labels (numbers or text; null: missing) or memberships."""
    from intarsia.io.parquet import read_parquet_columns  # pyarrow is optional

    return _members(path, *read_parquet_columns(path, options))


def write_csv(path: Path, ensemble: Ensemble) -> None:
    """Write a header and one row per point; numbers read back the same."""
    names, table = _table(path, ensemble)
    with atomic_write(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(table.tolist())


def write_parquet(path: Path, ensemble: Ensemble) -> None:
    """Write one column per member, or per cluster of a soft member."""
    pyarrow, parquet = require("pyarrow", "Parquet"), require("pyarrow.parquet", "Parquet")
    names, table = _table(path, ensemble)
    columns = [np.ascontiguousarray(column) for column in table.T]
    with atomic_write_bytes(path) as stream:
        parquet.write_table(pyarrow.table(columns, names=names), stream)


def _members(path: Path, names: Sequence[str] | None, columns: Sequence[Column]) -> Members:
    """Return the members that named columns hold."""
    if names is None or not all(":" in name for name in names):
        _warn_of_counters(path, names, columns)
        return hard_members(list(columns))
    return soft_members([np.stack([columns[j] for j in at], axis=1) for at in _groups(path, names)])


def _warn_of_counters(path: Path, names: Sequence[str] | None, columns: Sequence[Column]) -> None:
    """Warn of columns that only count the rows: they would be members in which everybody is alone."""
    for j, column in enumerate(columns):
        if len(columns) > 1 and len(column) >= _FEW_ROWS and _counts(column):
            called = repr(names[j] if names else j)
            said = f"{path}: column {called} only counts the rows, but is a member"
            warnings.warn(f"{said}; drop=[{called}] leaves it out.", DataWarning, stacklevel=2)


def _counts(column: Column) -> bool:
    try:
        values = column.astype(np.float64)
    except ValueError:  # words
        return False
    return bool((np.diff(values) == 1).all())


def _table(path: Path, ensemble: Ensemble) -> tuple[list[str], NDArray[Any]]:
    """Return column names and values; a table has no place for weights, so there may be none."""
    if np.ptp(ensemble.member_weights) > 0 or (ensemble.point_weights != 1).any():
        raise ValueError(f"{path}: only NPZ files hold weights; save as .npz.")
    if ensemble.memberships is None:
        return [f"m{q}" for q in range(ensemble.n_members)], ensemble.labels
    names = [f"m{q}:{c}" for q, k in enumerate(ensemble.n_classes.tolist()) for c in range(k)]
    return names, ensemble.memberships


def _groups(path: Path, names: Sequence[str]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        member = name.rpartition(":")[0]
        if member in groups and groups[member][-1] != j - 1:
            raise DataError(f"{path}: column {name!r} should stand beside the others of member {member!r}.")
        groups.setdefault(member, []).append(j)
    return list(groups.values())
