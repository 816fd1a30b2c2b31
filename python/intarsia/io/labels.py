"""Class labels of any type, turned into int32 codes and names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
