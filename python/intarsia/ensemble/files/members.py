"""Members as files hold them: one file may miss points that another file knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble.ensemble import Ensemble, check_member_weights
from intarsia.ensemble.hard import encode_members
from intarsia.ensemble.soft import indicator_matrix, join_memberships
from intarsia.io.points import DataError
from intarsia.validation import check_weights


@dataclass(frozen=True, eq=False)
class Members:
    """The content of one file: as in `Ensemble`, but a point may be missing in every member."""

    labels: Labels
    n_classes: Ids
    memberships: Floats | None
    member_weights: Floats
    point_weights: Floats | None

    def soft(self) -> Floats:
        """Return memberships, hard labels as zeros and ones."""
        if self.memberships is not None:
            return self.memberships
        offsets = np.concatenate([[0], np.cumsum(self.n_classes)])
        dense: Floats = indicator_matrix(self.labels, offsets, None).toarray()
        return dense


def hard_members(
    columns: ArrayLike | Sequence[ArrayLike],
    member_weights: ArrayLike | None = None,
    point_weights: ArrayLike | None = None,
) -> Members:
    """Check and encode columns of labels."""
    labels, n_classes = encode_members(columns)
    weights = check_member_weights(member_weights, len(n_classes))
    return Members(labels, n_classes, None, weights, _points(point_weights, len(labels)))


def soft_members(
    blocks: Sequence[ArrayLike],
    member_weights: ArrayLike | None = None,
    point_weights: ArrayLike | None = None,
) -> Members:
    """Check membership matrices and put them side by side."""
    joined, labels, n_classes = join_memberships(blocks)
    weights = check_member_weights(member_weights, len(n_classes))
    return Members(labels, n_classes, joined, weights, _points(point_weights, len(labels)))


def make_ensemble(paths: Sequence[Path], contents: Sequence[Members]) -> Ensemble:
    """Return all members in one ensemble; hard ones become memberships of 0 and 1 where any is soft."""
    _check_together(paths, contents)
    n_classes = np.concatenate([part.n_classes for part in contents])
    labels = np.ascontiguousarray(np.concatenate([part.labels for part in contents], axis=1))
    soft = any(part.memberships is not None for part in contents)
    joined = np.concatenate([part.soft() for part in contents], axis=1) if soft else None
    raw = np.concatenate([part.member_weights for part in contents])
    points = contents[0].point_weights
    weights = np.ones(len(labels)) if points is None else points
    return Ensemble(labels, n_classes, joined, check_member_weights(raw, len(raw)), weights)


def _check_together(paths: Sequence[Path], contents: Sequence[Members]) -> None:
    n = len(contents[0].labels)
    for path, part in zip(paths, contents, strict=True):
        if len(part.labels) != n:
            sizes = f"{len(part.labels)} points, {paths[0]} has {n}"
            raise DataError(f"{path}: {sizes}: all files need the same points.")
        if part.point_weights is not None and len(contents) > 1:
            raise DataError(f"{path}: has point weights; such a file cannot be joined with others.")


def _points(weights: ArrayLike | None, n: int) -> Any:
    return None if weights is None or (np.asarray(weights) == 1).all() else check_weights(weights, n)
