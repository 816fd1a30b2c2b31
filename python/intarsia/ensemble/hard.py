"""Label vectors of any type, turned into int32 codes with -1 for missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia.arrays import Ids, Labels
from intarsia.io.points import encode_labels, label_name

_RAGGED = "every member needs one per point."
_MISSING_NAMES = ("-1", "nan", "NaN", "")


def encode_members(labels: ArrayLike | Sequence[ArrayLike]) -> tuple[Labels, Ids]:
    """Return codes of shape (n_samples, n_members), every member's from 0, and how many each has."""
    members = _split_members(labels)
    codes = np.empty((len(members[0]), len(members)), dtype=np.int32)
    n_classes = np.empty(len(members), dtype=np.int64)
    for q, member in enumerate(members):
        codes[:, q], n_classes[q] = encode_member(member, f"member {q}")
    return codes, n_classes


def encode_member(member: NDArray[Any], name: str = "labels") -> tuple[Labels, int]:
    """Return one member's codes in the order of its label values, and their number."""
    numbers = _whole_numbers(member, name) if member.dtype.kind in "iufb" else _text_codes(member)
    codes, n_classes = _without_gaps(numbers)
    if n_classes == 0:
        raise ValueError(f"{name} has no labels: all are missing.")
    return codes, n_classes


def _split_members(labels: ArrayLike | Sequence[ArrayLike]) -> list[NDArray[Any]]:
    if isinstance(labels, list | tuple):
        members = [np.asarray(member) for member in labels]
    else:
        table = np.asarray(labels)
        if table.ndim not in (1, 2):
            raise ValueError(f"labels.shape={table.shape} should be (n_samples, n_members).")
        members = [table] if table.ndim == 1 else list(table.T)
    _check_lengths(members)
    return members


def _check_lengths(members: list[NDArray[Any]]) -> None:
    if not members:
        raise ValueError("an ensemble needs at least one member, got none.")
    for q, member in enumerate(members):
        if member.ndim != 1:
            raise ValueError(f"member {q} has shape {member.shape}; it should be one vector of labels.")
        if len(member) != len(members[0]):
            lengths = f"member {q} has {len(member)} labels, member 0 has {len(members[0])}"
            raise ValueError(f"{lengths}: {_RAGGED}")
    if len(members[0]) == 0:
        raise ValueError("an ensemble needs at least one point, got none.")


def _whole_numbers(member: NDArray[Any], name: str) -> Ids:
    if member.dtype.kind == "f":
        known = ~np.isnan(member)
        whole = np.where(known, member, -1.0)
        bad = ~np.isfinite(whole) | (whole != np.floor(whole)) | (np.abs(whole) > 2**53)
        if bad.any():
            at = int(np.argmax(bad))
            raise ValueError(f"{name}, point {at}: label {member[at]} should be a whole number or NaN.")
        member = whole
    codes = member.astype(np.int64)
    if (codes < -1).any():
        at = int(np.argmax(codes < -1))
        raise ValueError(f"{name}, point {at}: label {codes[at]} should be >= 0, or -1 where missing.")
    return codes


def _text_codes(member: NDArray[Any]) -> Ids:
    names = np.array([label_name(value) for value in member.tolist()], dtype=object)
    names[np.isin(names, _MISSING_NAMES)] = ""
    return encode_labels(names)[0].astype(np.int64)


def _without_gaps(codes: Ids) -> tuple[Labels, int]:
    """Renumber labels >= 0 in their order, without gaps; a table where that is cheaper than sorting."""
    if int(codes.max()) > 4 * len(codes) + 1024:
        values, inverse = np.unique(codes, return_inverse=True)
        first = int(values[0] == -1)
        return (inverse - first).astype(np.int32), len(values) - first
    present = np.bincount(codes + 1)[1:] > 0  # the first count is that of the missing
    table = np.concatenate([[-1], np.cumsum(present) - 1]).astype(np.int32)
    return table[codes + 1], int(present.sum())
