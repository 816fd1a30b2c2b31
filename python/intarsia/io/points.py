"""What all readers share: options, opening text, points without gaps, errors of one line."""

from __future__ import annotations

import codecs
import gzip
import importlib
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TextIO

import numpy as np
from numpy.typing import NDArray

#: What stands in a text field for a value that is not known (in any case of letters).
MARKS = frozenset({"", "?", "na", "n/a", "nan", "null", "none", "<na>", "#n/a"})
#: What may be done about missing values.
MISSING = ("error", "drop", "median")
#: One of these, or a value for each feature.
Missing = str | Sequence[float]


def is_missing(field: str) -> bool:
    """Tell whether a text field says that there is no value."""
    return field.lower() in MARKS


@dataclass(frozen=True, eq=False)
class Gapless:
    """A table without gaps; `kept` tells which rows it still has, None: all of them."""

    X: NDArray[Any]
    kept: NDArray[np.bool_] | None = None
    note: str = ""


def without_gaps(X: NDArray[Any], how: Missing) -> Gapless:
    """Leave out the rows with NaN, or fill in medians or given values; "error" leaves all to a check."""
    gaps = np.isnan(X) if how != "error" and X.dtype.kind == "f" else np.zeros((0, 0), dtype=bool)
    if not gaps.any():
        return Gapless(X)
    rows = np.asarray(gaps.any(axis=1))
    if how == "drop":
        return Gapless(X[~rows], ~rows, f"{_points(int(rows.sum()))} with missing values left out")
    filled = X.copy()
    for j in np.flatnonzero(gaps.any(axis=0)):
        known = X[~gaps[:, j], j]
        if not isinstance(how, str):
            filled[gaps[:, j], j] = how[int(j)]
        elif known.size:  # a column of nothing else is left to the check that comes after
            filled[gaps[:, j], j] = np.median(known)
    values = int(gaps.sum())
    what = "1 missing value" if values == 1 else f"{values:,} missing values"
    put = "the median" if isinstance(how, str) else "the values given for them"
    return Gapless(filled, None, f"{what} in {_points(int(rows.sum()))} set to {put}")


def advice(n_points: int, n_all: int) -> str:
    """Say how many points miss a value and what can be done about it."""
    verb = "misses" if n_points == 1 else "miss"
    return (
        f"{n_points:,} of {_points(n_all)} {verb} a value: "
        "missing='drop' leaves them out, missing='median' fills them in."
    )


def _points(number: int) -> str:
    return f"{number:,} point" if number == 1 else f"{number:,} points"


Column = str | int
NO_LABELS = "none"  # as a label column
_ROWS = 65_536
Header = bool | Literal["auto"]


_URL = re.compile(r"(https?|ftp|s3|gs|file):/", re.IGNORECASE)


class DataError(ValueError):
    """A data file or data name that cannot be used; the message is one line."""


class DataWarning(UserWarning):
    """Data that can be read in two ways: says which was taken, and how to take the other."""


def refuse_url(path: Path | str) -> None:
    """Say that an address is none: nothing is fetched from the web."""
    if _URL.match(str(path)):
        address = re.sub("(?<=:)/(?=[^/])", "//", str(path), count=1)  # a path has lost one of them
        raise DataError(
            f"{address}: is an address, not a file; download it first (curl -O) and name the file."
        )


def one_line(error: BaseException) -> str:
    """Return the first line of an exception's message, without a final full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(". ") if lines else type(error).__name__


def unreadable(path: Path, kind: str, error: BaseException) -> DataError:
    """Return the error for a file that is damaged or is not of the kind its suffix says."""
    return DataError(f"{path}: not a readable {kind} file ({one_line(error)}).")


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file, decompressing `.gz`; failures while it is read become `DataError`."""
    try:
        with _open(path) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise unreadable(path, "gzip", error) from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8 text.") from None


def _open(path: Path) -> TextIO:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return open(path, encoding=_encoding(path))


def _encoding(path: Path) -> str:
    with open(path, "rb") as stream:
        mark = stream.read(2)
    # utf-8-sig drops the byte order mark that spreadsheets write; "Unicode text" of theirs is UTF-16
    return "utf-16" if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def require(module: str, kind: str) -> ModuleType:
    """Import an optional module, or say in one line how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        message = f"reading {kind} needs {package}: pip install intarsia[io]"
        raise DataError(message) from None


@dataclass(frozen=True)
class ReadOptions:
    """The options of `read_points`."""

    label_column: Column | None = None
    columns: Sequence[Column] | None = None
    key: str | None = None
    delimiter: str | None = None
    header: Header = "auto"
    drop: Sequence[Column] = ()
    decimal: str = "."
    missing: Missing = "error"

    def __post_init__(self) -> None:
        if self.header not in (True, False, "auto"):
            raise DataError(f"header={self.header!r} should be True, False or 'auto'.")
        if self.decimal not in (".", ","):
            raise DataError(f"decimal={self.decimal!r} should be '.' or ','.")
        if isinstance(self.missing, str) and self.missing not in MISSING:
            raise DataError(f"missing={self.missing!r} should be one of {', '.join(map(repr, MISSING))}.")
        for name in ("columns", "drop"):
            if isinstance(getattr(self, name), str):
                raise DataError(f"{name}={getattr(self, name)!r} should be a list of names or indices.")
        for column in (self.label_column, *(self.columns or ()), *self.drop):
            if not isinstance(column, str | Integral | None):
                raise DataError(f"column {column!r} should be a name or a whole number.")


@dataclass(frozen=True, eq=False)
class Points:
    """Points to cluster.

    Attributes
    ----------
    X : ndarray of shape (n_points, n_features)
        C-contiguous float64, or float32 when the file holds float32; every value is finite.
    labels : ndarray of int32 or None
        Code of each point's class (an index into `class_names`), -1 where the label is missing.
    class_names : tuple of str
        The classes, in numerical order when all are numbers, else in alphabetical order.
    feature_names : tuple of str
        One name for each column of `X`; ``f0, f1, ...`` where the file gives none.
    name : str
        Name of the data, for reports.
    label_name : str or None
        Name or position of the column (or array) that was left out of `X` for the labels.
    notes : tuple of str
        What else was left out or changed: an index column, points with missing values.
    kept : ndarray of bool or None
        For each row of the file whether it is a point of `X`; None when all are.
    """

    X: NDArray[Any]
    labels: NDArray[np.int32] | None = None
    class_names: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = ()
    name: str = ""
    label_name: str | None = None
    notes: tuple[str, ...] = ()
    kept: NDArray[np.bool_] | None = None

    @property
    def n_points(self) -> int:
        """Number of points."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])


def make_points(
    source: Path | str,
    X: NDArray[Any],
    raw_labels: Any = None,
    feature_names: Sequence[str] | None = None,
    name: str = "",
    *,
    label_name: str | None = None,
    notes: Sequence[str] = (),
    missing: Missing = "error",
) -> Points:
    """Check a table of numbers and its labels, and pack them as `Points`; `source` begins the messages."""
    X = as_features(source, X)
    n_rows = len(X)
    if not isinstance(missing, str) and len(missing) != X.shape[1]:
        raise DataError(
            f"{source}: {len(missing)} values for missing ones should be {X.shape[1]}, one a feature."
        )
    whole = without_gaps(X, missing)
    if not len(whole.X):
        raise DataError(f"{source}: every point misses a value: missing='drop' leaves none.")
    X = np.ascontiguousarray(whole.X)
    check_finite(source, X)
    names = tuple(feature_names) if feature_names else tuple(f"f{j}" for j in range(X.shape[1]))
    said = (*notes, whole.note) if whole.note else tuple(notes)
    if raw_labels is None:
        return Points(X, feature_names=names, name=name, notes=said, kept=whole.kept)
    labels, class_names = encode_labels(raw_labels)
    if labels.shape != (n_rows,):
        raise DataError(f"{source}: {labels.size} labels for {n_rows} points; needs one label per point.")
    labels = labels if whole.kept is None else labels[whole.kept]
    return Points(X, labels, class_names, names, name, label_name, said, whole.kept)


def as_features(source: Path | str, X: NDArray[Any]) -> NDArray[Any]:
    """Return a C-contiguous float table, float32 only if it already is."""
    if X.dtype.kind not in "fiub":
        raise DataError(f"{source}: holds {X.dtype} values; needs real numbers.")
    if X.ndim != 2:
        raise DataError(f"{source}: array of shape {X.shape}; needs two dimensions (points, features).")
    if 0 in X.shape:
        raise DataError(
            f"{source}: array of shape {X.shape} has no data; needs at least one point and feature."
        )
    dtype = np.float32 if X.dtype == np.float32 else np.float64
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes infinite and is named below
        return np.ascontiguousarray(X, dtype=dtype)


def check_finite(source: Path | str, X: NDArray[Any]) -> None:
    """Raise an error that names the first NaN or infinity."""
    for begin in range(0, len(X), _ROWS):  # in parts: as many truth values as numbers would be an eighth of X
        finite = np.isfinite(X[begin : begin + _ROWS])
        if not finite.all():
            break
    else:
        return
    at, column = (int(i) for i in np.unravel_index(np.argmin(finite), finite.shape))
    row = begin + at
    what = non_finite_name(float(X[row, column]))
    where = f"{source}: row {row}, column {column} (both counted from 0)"
    if not np.isnan(X[row, column]):
        raise DataError(f"{where}: {what}.")
    raise DataError(f"{where}: {what}. {advice(int(np.isnan(X).any(axis=1).sum()), len(X))}")


def non_finite_name(value: float) -> str:
    """Return how messages call a NaN or an infinity."""
    return "missing value (NaN)" if np.isnan(value) else "infinite value"


def encode_labels(values: Any) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Return codes (-1 for a missing label) and the class names the codes index.

    Empty text, None and NaN are missing labels. The number -1 is a class like any other.
    """
    array = np.asarray(values)
    if array.ndim != 1:
        array = array.reshape(-1)
    distinct, inverse = _distinct(array)
    names = [label_name(value) for value in distinct]
    order = sort_names(set(names) - {""})
    code_of = {name: code for code, name in enumerate(order)}
    table = np.array([code_of.get(name, -1) for name in names], dtype=np.int32)
    return table[inverse], order


def _distinct(array: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the distinct values and, for each element, which one it is."""
    if array.dtype.kind == "O":  # mixed objects may have no order, so a dict instead of a sort
        index: dict[str, int] = {}
        inverse = [index.setdefault(label_name(v), len(index)) for v in array.tolist()]
        return list(index), np.array(inverse, dtype=np.intp)
    distinct, positions = np.unique(array, return_inverse=True)
    return distinct.tolist(), positions.reshape(-1)


def label_name(value: Any) -> str:
    """Return a label as text: whole numbers without a decimal point, missing ones as ''."""
    if value is None or value != value:  # only NaN differs from itself
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace").strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def sort_names(names: Iterable[str]) -> tuple[str, ...]:
    """Sort numerically when every name is a number, else alphabetically."""
    names = sorted(names)
    try:
        return tuple(sorted(names, key=float))
    except ValueError:
        return tuple(names)
