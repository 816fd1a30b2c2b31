"""Points of travelling salesman problems in TSPLIB's text form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from intarsia.io.points import (
    NO_LABELS,
    DataError,
    Points,
    ReadOptions,
    make_points,
    open_text,
    unreadable,
)

#: Edge weight types whose nodes are points of a plane or of space, and the number of coordinates.
COORDINATES = {
    "EUC_2D": 2,
    "CEIL_2D": 2,
    "MAN_2D": 2,
    "MAX_2D": 2,
    "ATT": 2,
    "EUC_3D": 3,
    "MAN_3D": 3,
    "MAX_3D": 3,
}
_SECTION = "NODE_COORD_SECTION"

Rows = list[tuple[int, str]]


def read_tsplib(path: Path, options: ReadOptions) -> Points:
    """Read the node coordinates of a TSPLIB file; node numbers are dropped."""
    if options.label_column not in (None, NO_LABELS) or options.columns is not None or options.drop:
        raise DataError(f"{path}: a TSPLIB file has no label column and no columns to choose from.")
    with open_text(path) as stream:
        lines = [(number, line) for number, line in enumerate(stream, 1) if line.strip()]
    if not lines:
        raise DataError(f"{path}: the file is empty.")
    header, start = _read_header(path, lines)
    n_coordinates = _n_coordinates(path, header)
    rows = _coordinate_rows(lines[start:])
    _check_dimension(path, header, len(rows))
    X = _parse(path, rows, n_coordinates + 1)[:, 1:]
    return make_points(path, X, None, ["x", "y", "z"][:n_coordinates], header.get("NAME", ""))


def _read_header(path: Path, lines: Rows) -> tuple[dict[str, str], int]:
    """Return the `KEY : VALUE` lines and the index of the first line after the section's title."""
    header: dict[str, str] = {}
    for index, (_, line) in enumerate(lines):
        key, _, value = line.partition(":")
        if key.strip().upper() == _SECTION:
            return header, index + 1
        header[key.strip().upper()] = value.strip()
    raise DataError(f"{path}: no {_SECTION}; needs a TSPLIB file with node coordinates.")


def _n_coordinates(path: Path, header: dict[str, str]) -> int:
    kind = header.get("EDGE_WEIGHT_TYPE", "EUC_2D").upper()
    if kind not in COORDINATES:
        raise DataError(
            f"{path}: EDGE_WEIGHT_TYPE {kind} not supported; needs one of {', '.join(COORDINATES)}."
        )
    return COORDINATES[kind]


def _coordinate_rows(lines: Rows) -> Rows:
    """Return the lines up to EOF or the next section's title."""
    for index, (_, line) in enumerate(lines):
        word = line.split()[0].rstrip(":").upper()
        if word == "EOF" or word.endswith("_SECTION"):
            return lines[:index]
    return lines


def _check_dimension(path: Path, header: dict[str, str], n_rows: int) -> None:
    text = header.get("DIMENSION")
    if text is None:
        raise DataError(f"{path}: no DIMENSION line before {_SECTION}.")
    if not text.isdecimal() or int(text) < 1:
        raise DataError(f"{path}: DIMENSION {text!r} is not a positive whole number.")
    if int(text) != n_rows:
        raise DataError(f"{path}: DIMENSION is {text} but {_SECTION} has {n_rows} lines.")


def _parse(path: Path, rows: Rows, width: int) -> NDArray[np.float64]:
    try:
        table = np.loadtxt([line for _, line in rows], comments=None, ndmin=2)
    except ValueError as error:
        _raise_for_bad_row(path, rows, width)
        raise unreadable(path, "TSPLIB", error) from None
    if table.shape[1] != width or not np.isfinite(table).all():
        _raise_for_bad_row(path, rows, width)
    return table


def _raise_for_bad_row(path: Path, rows: Rows, width: int) -> None:
    from intarsia.io.text import TableForm, raise_for_bad_row  # here: most files are as they should be

    raise_for_bad_row(path, rows, TableForm(None, None, width), range(width))
