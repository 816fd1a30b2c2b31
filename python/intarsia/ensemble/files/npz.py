"""NPZ: the whole ensemble, weights too; also labels that others saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.ensemble import Ensemble
from intarsia.ensemble.files.members import Members, hard_members, soft_members
from intarsia.io.archive import open_npz
from intarsia.io.points import DataError, ReadOptions
from intarsia.io.writers import atomic_write_bytes

FORMAT = "intarsia ensemble 1"


def write_npz(path: Path, ensemble: Ensemble) -> None:
    """Write labels or memberships, n_classes and weights."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "n_classes": ensemble.n_classes,
        "member_weights": ensemble.member_weights,
        "point_weights": ensemble.point_weights,
    }
    if ensemble.memberships is None:
        arrays["labels"] = ensemble.labels.astype(_smallest_type(ensemble))
    else:
        arrays["memberships"] = ensemble.memberships
    with atomic_write_bytes(path) as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]


def _smallest_type(ensemble: Ensemble) -> np.dtype[Any]:
    # what is packed takes time by its bytes: the labels of 128 clusters and the missing one fit one each
    return np.min_scalar_type(-int(ensemble.n_classes.max()))


def read_npz(path: Path, options: ReadOptions | None = None) -> Members:
    """Read `labels` (n, r), `memberships` with `n_classes`, the only array (labels), or that called `key`."""
    if options is not None and (options.columns is not None or options.drop):
        raise DataError(f"{path}: columns and drop are for tables, key for arrays.")
    with open_npz(path) as stored:
        arrays = dict(stored)
    key = None if options is None else options.key
    if key is not None:
        if key not in arrays:
            raise DataError(f"{path}: no array {key!r}; arrays are: {', '.join(sorted(arrays)) or 'none'}.")
        return hard_members(arrays[key])
    weights = arrays.get("member_weights"), arrays.get("point_weights")
    if "memberships" in arrays:
        return soft_members(_blocks(path, arrays), *weights)
    if "labels" in arrays:
        return hard_members(arrays["labels"], *weights)
    if len(arrays) != 1:
        names = ", ".join(sorted(arrays)) or "none"
        raise DataError(f"{path}: needs an array `labels` or `memberships`; arrays are: {names}.")
    return hard_members(next(iter(arrays.values())))


def _blocks(path: Path, arrays: dict[str, NDArray[Any]]) -> list[NDArray[Any]]:
    joined, n_classes = arrays["memberships"], arrays.get("n_classes")
    if n_classes is None or n_classes.ndim != 1 or n_classes.dtype.kind not in "iu":
        raise DataError(f"{path}: memberships need n_classes, the number of clusters of each member.")
    if joined.ndim != 2 or joined.shape[1] != n_classes.sum() or (n_classes < 1).any():
        raise DataError(
            f"{path}: memberships of shape {joined.shape} do not fit n_classes of sum {n_classes.sum()}."
        )
    return np.split(joined, np.cumsum(n_classes)[:-1], axis=1)
