"""NPZ: the whole ensemble, weights too; also labels that others saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.files.members import Members, hard_members, soft_members
from intarsia.io.errors import DataError, unreadable
from intarsia.io.npz import NPZ_DAMAGE
from intarsia.io.writers import atomic_write_bytes

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble

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
        arrays["labels"] = ensemble.labels
    else:
        arrays["memberships"] = ensemble.memberships
    with atomic_write_bytes(path) as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]


def read_npz(path: Path) -> Members:
    """Read `labels` (n, r), or `memberships` with `n_classes`, or the only array (labels)."""
    arrays = _load(path)
    weights = arrays.get("member_weights"), arrays.get("point_weights")
    if "memberships" in arrays:
        return soft_members(_blocks(path, arrays), *weights)
    if "labels" in arrays:
        return hard_members(arrays["labels"], *weights)
    if len(arrays) != 1:
        names = ", ".join(sorted(arrays)) or "none"
        raise DataError(f"{path}: needs an array `labels` or `memberships`; arrays are: {names}.")
    return hard_members(next(iter(arrays.values())))


def _load(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except NPZ_DAMAGE as error:
        raise unreadable(path, "NPZ", error) from None


def _blocks(path: Path, arrays: dict[str, NDArray[Any]]) -> list[NDArray[Any]]:
    joined, n_classes = arrays["memberships"], arrays.get("n_classes")
    if n_classes is None or n_classes.ndim != 1 or n_classes.dtype.kind not in "iu":
        raise DataError(f"{path}: memberships need n_classes, the number of clusters of each member.")
    if joined.ndim != 2 or joined.shape[1] != n_classes.sum() or (n_classes < 1).any():
        raise DataError(
            f"{path}: memberships of shape {joined.shape} do not fit n_classes of sum {n_classes.sum()}."
        )
    return np.split(joined, np.cumsum(n_classes)[:-1], axis=1)
