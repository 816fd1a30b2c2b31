"""Shared by the formats that hold named arrays (NPZ, HDF5) or one array (NPY)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from intarsia.io.errors import DataError
from intarsia.io.options import ReadOptions, choose_columns
from intarsia.io.points import Points, as_features, make_points

Load = Callable[[str], NDArray[Any]]


def points_from_array(
    path: Path, array: NDArray[Any], options: ReadOptions, labels: NDArray[Any] | None = None
) -> Points:
    """Split one array into features and labels as the options ask; given labels win."""
    X = as_features(path, array)
    layout = choose_columns(path, options, None, X.shape[1])
    if layout.label is not None:
        labels = X[:, layout.label]
    if layout.features == list(range(X.shape[1])):
        return make_points(path, X, labels)
    names = [f"f{j}" for j in layout.features]
    return make_points(path, X[:, layout.features], labels, names)


def points_from_named_arrays(path: Path, names: Collection[str], load: Load, options: ReadOptions) -> Points:
    """Pick the points (`key`, `X`, or the only table) and labels (`label_column` or `y`) by name."""
    key = _points_key(path, names, load, options.key)
    label_key = _label_key(key, names, options.label_column)
    if label_key is None:
        return points_from_array(path, load(key), options)
    labels = _as_vector(path, label_key, load(label_key))
    return points_from_array(path, load(key), ReadOptions(columns=options.columns), labels)


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
        raise DataError(f"{path}: which array holds the points? Give key=...; arrays are: {listing}.")
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
