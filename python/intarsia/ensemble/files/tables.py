"""Tables of labels or memberships: what the column names mean.

Hard: one column per member, any names. Soft: columns named `member:cluster`, the clusters of a member side by
side.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.files.members import Members, hard_members, soft_members
from intarsia.io.errors import DataError

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble

Column = NDArray[Any]


def members_from_columns(path: Path, names: Sequence[str] | None, columns: Sequence[Column]) -> Members:
    """Return the members that named columns hold."""
    if names is None or not all(":" in name for name in names):
        return hard_members(list(columns))
    return soft_members([np.stack([columns[j] for j in at], axis=1) for at in _groups(path, names)])


def table_of(path: Path, ensemble: Ensemble) -> tuple[list[str], NDArray[Any]]:
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
