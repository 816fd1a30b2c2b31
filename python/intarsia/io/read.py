"""`read_points`: the one function that reads points, whatever the file's format; standard input too."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from intarsia.io.points import (
    Column,
    DataError,
    DataWarning,
    Header,
    Missing,
    Points,
    ReadOptions,
    one_line,
    refuse_url,
)

T = TypeVar("T")

STANDARD_INPUT = "-"
_CALLED = "standard input"
# what a file of a kind begins with; anything else is text
_BEGINNINGS = {
    b"\x93NUMPY": ".npy",
    b"PK\x03\x04": ".npz",
    b"PAR1": ".parquet",
    b"\x89HDF": ".h5",
    b"\x1f\x8b": ".csv.gz",
    b"NAME:": ".tsp",
    b"NAME :": ".tsp",
}


def from_standard_input(read: Callable[[Path], T]) -> T:
    """Read standard input by way of a file, since formats are read in several passes."""
    content = _standard_input()
    if not content.strip():
        raise DataError(f"{_CALLED}: is empty.")
    suffix = next((kind for begin, kind in _BEGINNINGS.items() if content.startswith(begin)), ".csv")
    with tempfile.TemporaryDirectory(prefix="intarsia-") as folder:
        spooled = Path(folder) / f"stdin{suffix}"
        spooled.write_bytes(content)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                found = read(spooled)
            except DataError as error:
                raise DataError(str(error).replace(str(spooled), _CALLED)) from None
    for warning in caught:
        text = str(warning.message).replace(str(spooled), _CALLED)
        warnings.warn(text, warning.category, stacklevel=2)
    return found


@cache
def _standard_input() -> bytes:
    return sys.stdin.buffer.read()  # it can be read but once, and is sometimes tried as two kinds of file


Reader = Callable[[Path, ReadOptions], Points]

#: Module and function by suffix, imported when needed. A new format is one file and one line here.
READERS: dict[str, tuple[str, str]] = {
    ".csv": ("delimited", "read_delimited"),
    ".csv.gz": ("delimited", "read_delimited"),
    ".tsv": ("delimited", "read_delimited"),
    ".tsv.gz": ("delimited", "read_delimited"),
    ".txt": ("delimited", "read_delimited"),
    ".txt.gz": ("delimited", "read_delimited"),
    ".data": ("delimited", "read_delimited"),
    ".data.gz": ("delimited", "read_delimited"),
    ".dat": ("delimited", "read_delimited"),
    ".npy": ("arrays", "read_npy"),
    ".npz": ("arrays", "read_npz"),
    ".parquet": ("parquet", "read_parquet"),
    ".h5": ("hdf5", "read_hdf5"),
    ".hdf5": ("hdf5", "read_hdf5"),
    ".tsp": ("tsplib", "read_tsplib"),
    ".tsp.gz": ("tsplib", "read_tsplib"),
}


_HOLDS_SEVERAL = (".npz", ".h5", ".hdf5")
# names of columns that count the rows, and of columns that name them
_COUNTER = re.compile(r"index|idx|row|row_?nr|nr|no|number", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?i:u?u?id|row_?id)|.+[_ .-](?i:id)|.*[a-z]I[dD]")
_FEW_ROWS = 3
_FIRST = "f0"  # the first column of a file without names


def read_points(
    path: str | os.PathLike[str],
    *,
    label_column: Column | None = None,
    columns: Sequence[Column] | None = None,
    key: str | None = None,
    delimiter: str | None = None,
    header: Header = "auto",
    drop: Sequence[Column] = (),
    decimal: str = ".",
    missing: Missing = "error",
    data_dir: str | os.PathLike[str] | None = None,
) -> Points:
    """Read points, and class labels where there are any.

    Parameters
    ----------
    path : path
        A CSV, TSV, TXT or DATA table or a TSPLIB file (each plain or `.gz`), NPY, NPZ, Parquet or HDF5; "-"
        is standard input, whatever it holds.
    label_column : str or int, optional
        Column with the class labels, by name or by index from 0 (negative: from the end). When None, a last
        or first column (row names aside) named `class`, `label`, `target` or `species` is taken for the
        labels, and one elsewhere warned of; "none" takes none. For NPZ and HDF5 also an array's name; there
        `y` beside `X` is taken by default.
    columns : sequence of str or int, optional
        Feature columns to keep, in this order; by default all but the labels and the row names that pandas
        and R write (first columns without a name, or what a Parquet file notes as pandas' index).
    key : str, optional
        Array in an NPZ file or data set path in an HDF5 file; not needed for `X` or the only table.
    delimiter : str, optional
        One character, "tab" or "whitespace"; by default found out (comma, semicolon, tab, bar, white space).
    header : bool or "auto"
        Whether the first row names the columns; "auto" compares it with the rows below, and warns
        (`DataWarning`) where it may be either, such as 0,1,2 above decimal numbers.
    drop : sequence of str or int, optional
        Columns to leave out, by name or index.
    decimal : "." or ","
        The decimal mark of text tables.
    missing : "error", "drop", "median" or sequence of float
        What to do about missing values (empty, `?`, `NA`, NaN): refuse them, leave out their points, or put
        in the median of the column, or a value for each feature; `notes` of the points says how many there
        were.
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
    options = ReadOptions(label_column, columns, key, delimiter, header, drop, decimal, missing)
    if os.fspath(path) == STANDARD_INPUT:
        return replace(from_standard_input(lambda spooled: _read(spooled, options)), name="stdin")
    return _read(existing_file(Path(path), data_dir), options)


def _read(found: Path, options: ReadOptions) -> Points:
    if options.key is not None and _suffix(found) not in _HOLDS_SEVERAL:
        raise DataError(f"{found}: key={options.key} is for files of several arrays: NPZ and HDF5.")
    try:
        points = _reader(found)(found, options)
    except OSError as error:
        raise DataError(f"{found}: cannot be read ({error.strerror or one_line(error)}).") from None
    _warn_of_counter(found, points)
    return points if points.name else replace(points, name=found.name[: -len(_suffix(found))])


def _warn_of_counter(path: Path, points: Points) -> None:
    """Warn of columns that only count or name the rows: they would be clustered."""
    if points.n_features == 1 or points.n_points < _FEW_ROWS:
        return
    for j, name in enumerate(points.feature_names):
        what = _numbers_rows(name, points.X[:, j])
        if what:
            called = repr(name) if name != _FIRST else "0"
            said = f"{path}: column {called} only {what} the rows, but is a feature"
            warnings.warn(f"{said}; drop=[{called}] leaves it out.", DataWarning, stacklevel=2)


def _numbers_rows(name: str, values: NDArray[Any]) -> str:
    """Say what a column does, by its name and its values, if not to measure something."""
    is_identifier = _IDENTIFIER.fullmatch(name) is not None
    may_count = is_identifier or _COUNTER.fullmatch(name) or (name == _FIRST and values[0] in (0, 1))
    if may_count and (np.diff(values[:_FEW_ROWS]) == 1).all() and (np.diff(values) == 1).all():
        return "counts"
    if not is_identifier or (values != np.floor(values)).any():
        return ""
    return "names" if len(np.unique(values)) == len(values) else ""


def existing_file(path: Path, data_dir: str | os.PathLike[str] | None) -> Path:
    """Return the path of an existing, non-empty file of a known type."""
    refuse_url(path)
    if not path.exists() and data_dir is not None:
        path = Path(data_dir) / path if (Path(data_dir) / path).exists() else path
    if not path.exists():
        raise DataError(f"{path}: no such file.")
    if path.is_dir():
        raise DataError(f"{path}: is a directory; needs a file.")
    _suffix(path)
    if path.is_file() and path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty.")
    return path


def _reader(path: Path) -> Reader:
    module, function = READERS[_suffix(path)]
    reader: Reader = getattr(import_module(f"intarsia.io.{module}"), function)
    return reader


def _suffix(path: Path) -> str:
    """Return the registered suffix a file name ends with, or raise an error that lists them."""
    name = path.name.lower()
    for suffix in READERS:
        if name.endswith(suffix):
            return suffix
    raise DataError(f"{path}: unknown file type; known suffixes are {', '.join(READERS)}.")
