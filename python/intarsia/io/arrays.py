"""NPY and NPZ files, and what HDF5 shares with them: points and classes in arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.archive import open_npz
from intarsia.io.columns import choose_columns
from intarsia.io.points import (
    DataError,
    DataWarning,
    Points,
    ReadOptions,
    as_features,
    make_points,
    unreadable,
)

#: Arrays by which our own files are known that hold no points, what they are, and whose they are.
_OWN_FILES = (
    ({"n_classes", "member_weights"}, "an ensemble", "intarsia combine"),
    ({"centers", "facts", "sha256"}, "a saved result", "intarsia predict"),
)

Load = Callable[[str], NDArray[Any]]


def read_npy(path: Path, options: ReadOptions) -> Points:
    """Read an NPY file; object arrays are refused because reading them would run pickled code."""
    try:
        with open(path, "rb") as stream:
            array = np.lib.format.read_array(stream, allow_pickle=False)
    except (ValueError, EOFError, MemoryError, SyntaxError) as error:
        raise unreadable(path, "NPY", error) from None
    return points_from_array(path, array, options)


def read_npz(path: Path, options: ReadOptions) -> Points:
    """Read an NPZ file: the array `key`, or `X` (with labels `y`), or the only table in it."""
    with open_npz(path) as arrays:
        points = points_from_named_arrays(path, arrays, arrays.__getitem__, options)
        if options.key is None:
            _warn_of_own_file(path, set(arrays))
        return points


def _warn_of_own_file(path: Path, names: set[str]) -> None:
    for needed, what, command in _OWN_FILES:
        if needed <= names:
            said = f"{path}: is {what}, for {command}; its numbers are taken for points"
            warnings.warn(said, DataWarning, stacklevel=2)


def points_from_array(
    path: Path,
    array: NDArray[Any],
    options: ReadOptions,
    labels: NDArray[Any] | None = None,
    label_name: str | None = None,
) -> Points:
    """Split one array into features and labels as the options ask; given labels win."""
    names = None if array.dtype.names is None else [str(name) for name in array.dtype.names]
    if names is not None:  # a record array: a column for each field
        array = _side_by_side(path, array, names)
    X = as_features(path, array)
    layout = choose_columns(path, options, names, X.shape[1])
    if layout.label is not None:
        labels, label_name = X[:, layout.label], layout.label_name(names)
    chosen = [names[j] if names else f"f{j}" for j in layout.features]
    if layout.features != list(range(X.shape[1])):
        X = X[:, layout.features]
    return make_points(path, X, labels, chosen, label_name=label_name, missing=options.missing)


def _side_by_side(path: Path, records: NDArray[Any], names: Sequence[str]) -> NDArray[Any]:
    for name in names:
        if records[name].ndim != 1 or records[name].dtype.kind not in "fiub":
            kind = records[name].dtype
            raise DataError(f"{path}: field {name!r} of the records holds {kind} values; needs real numbers.")
    return np.column_stack([records[name] for name in names])


def points_from_named_arrays(path: Path, names: Collection[str], load: Load, options: ReadOptions) -> Points:
    """Pick the points (`key`, `X`, or the only table) and labels (`label_column` or `y`) by name."""
    key = _points_key(path, names, load, options.key)
    label_key = _label_key(key, names, options.label_column)
    if label_key is None:
        points = points_from_array(path, load(key), options)
    else:
        labels = _as_vector(path, label_key, load(label_key))
        features_only = replace(options, label_column=None)
        points = points_from_array(path, load(key), features_only, labels, label_key)
    unused = sorted(set(names) - {key, label_key})
    if options.key is not None or not unused:
        return points
    return replace(points, notes=(f"array {key} taken, {', '.join(unused)} not", *points.notes))


def _points_key(path: Path, names: Collection[str], load: Load, asked: str | None) -> str:
    listing = ", ".join(sorted(names)) or "none"
    if asked is not None:
        if asked.strip("/") not in names:
            raise DataError(f"{path}: no array {asked!r}; arrays are: {listing}.")
        return asked.strip("/")
    if "X" in names:
        return "X"
    candidates = list(names) if len(names) == 1 else [name for name in names if load(name).ndim == 2]
    if len(candidates) != 1:
        raise DataError(f"{path}: which array holds the points? Give one by key=NAME; arrays are: {listing}.")
    return candidates[0]


def _label_key(points_key: str, names: Collection[str], asked: str | int | None) -> str | None:
    """Return the array of labels: the one asked for by name, or `y` beside `X`."""
    if isinstance(asked, str) and asked.strip("/") in names:
        return asked.strip("/")
    return "y" if asked is None and points_key == "X" and "y" in names else None


def _as_vector(path: Path, key: str, labels: NDArray[Any]) -> NDArray[Any]:
    """Return labels as one dimension; a single column or row counts as that."""
    if labels.size != max(labels.shape, default=0):
        raise DataError(f"{path}: labels {key!r} have shape {labels.shape}; needs one dimension.")
    return labels.reshape(-1)
