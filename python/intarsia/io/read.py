"""`read_points`: the one function that reads points, whatever the file's format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from intarsia.io.errors import DataError, one_line
from intarsia.io.options import Column, Header, ReadOptions
from intarsia.io.points import Points
from intarsia.io.registry import known_suffix, reader_for


def read_points(
    path: str | os.PathLike[str],
    *,
    label_column: Column | None = None,
    columns: Sequence[Column] | None = None,
    key: str | None = None,
    delimiter: str | None = None,
    header: Header = "auto",
    data_dir: str | os.PathLike[str] | None = None,
) -> Points:
    """Read points, and class labels where there are any.

    Parameters
    ----------
    path : path
        A CSV, TSV or TXT table or a TSPLIB file (each plain or `.gz`), NPY, NPZ, Parquet or HDF5.
    label_column : str or int, optional
        Column with the class labels, by name or by index from 0 (negative: from the end). When None, a last
        column named `class` or `label` is taken for the labels. For NPZ and HDF5 also an array's name;
        there `y` beside `X` is taken by default.
    columns : sequence of str or int, optional
        Feature columns to keep, in this order; by default all but the labels.
    key : str, optional
        Array in an NPZ file or data set path in an HDF5 file; not needed for `X` or the only table.
    delimiter : str, optional
        One character or "whitespace"; by default found out (comma, semicolon, tab, white space).
    header : bool or "auto"
        Whether the first row names the columns; "auto": it does if none of its fields is a number.
    data_dir : path, optional
        Folder in which a relative path is looked up when it does not exist as given.

    Returns
    -------
    Points

    Raises
    ------
    DataError
        With one line that names the file and, where it can, the line and column.
    """
    options = ReadOptions(label_column, columns, key, delimiter, header)
    found = _existing_file(Path(path), data_dir)
    try:
        points = reader_for(found)(found, options)
    except OSError as error:
        raise DataError(f"{found}: cannot be read ({error.strerror or one_line(error)}).") from None
    return points if points.name else replace(points, name=_stem(found))


def _existing_file(path: Path, data_dir: str | os.PathLike[str] | None) -> Path:
    """Return the path of an existing, non-empty file."""
    if not path.exists() and data_dir is not None:
        path = Path(data_dir) / path if (Path(data_dir) / path).exists() else path
    if not path.exists():
        raise DataError(f"{path}: no such file.")
    if path.is_dir():
        raise DataError(f"{path}: is a directory; needs a file.")
    reader_for(path)
    if path.is_file() and path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty.")
    return path


def _stem(path: Path) -> str:
    return path.name[: -len(known_suffix(path) or "") or None]
