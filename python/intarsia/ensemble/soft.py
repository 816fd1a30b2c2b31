"""Membership matrices, checked and put side by side; labels as memberships of 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia.arrays import Floats, Ids, Labels

if TYPE_CHECKING:
    from scipy import sparse

#: Rows of memberships may miss 1 by this much: what single precision and files with few digits leave.
SUM_TOLERANCE = 1e-6

_RAGGED = "every member needs one per point."


def join_memberships(memberships: Sequence[ArrayLike]) -> tuple[Floats, Labels, Ids]:
    """Return the members side by side, their most likely labels, and the number of clusters of each."""
    if not isinstance(memberships, list | tuple):
        raise TypeError("memberships should be a list of arrays, one for each member.")
    blocks = [_check_block(np.asarray(block), q) for q, block in enumerate(memberships)]
    if not blocks:
        raise ValueError("an ensemble needs at least one member, got none.")
    for q, block in enumerate(blocks):
        if len(block) != len(blocks[0]):
            raise ValueError(f"member {q} has {len(block)} rows, member 0 has {len(blocks[0])}: {_RAGGED}")
    joined = np.concatenate(blocks, axis=1)
    n_classes = np.array([block.shape[1] for block in blocks], dtype=np.int64)
    return joined, most_likely(joined, n_classes), n_classes


def most_likely(joined: Floats, n_classes: Ids) -> Labels:
    """Return the first cluster of greatest membership for each point and member, -1 where all are zero."""
    ends = np.cumsum(n_classes)
    labels = np.empty((len(joined), len(n_classes)), dtype=np.int32)
    for q, (end, width) in enumerate(zip(ends, n_classes, strict=True)):
        block = joined[:, end - width : end]
        labels[:, q] = np.where(block.any(axis=1), block.argmax(axis=1), -1)
    return labels


def indicator_matrix(labels: Labels, offsets: Ids, memberships: Floats | None) -> sparse.csr_array:
    """Return one row per point and one column per cluster of every member, in compressed rows."""
    from scipy import sparse  # here: a tenth of a second that most ensembles need not wait

    if memberships is not None:
        return sparse.csr_array(memberships)
    known = labels >= 0
    columns = (labels + offsets[:-1].astype(np.int32))[known]
    starts = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    shape = (len(labels), int(offsets[-1]))
    return sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)


def _check_block(block: NDArray[Any], q: int) -> Floats:
    if block.ndim != 2 or 0 in block.shape:
        raise ValueError(f"member {q} has shape {block.shape}; it should be (n_samples, n_classes).")
    if block.dtype.kind not in "fiub":
        raise TypeError(f"member {q} holds {block.dtype} values; memberships should be numbers.")
    values = block.astype(np.float64)
    values[np.isnan(values).all(axis=1)] = 0.0
    _check_values(values, q)
    return values


def _check_values(values: Floats, q: int) -> None:
    bad = ~(values >= 0).all(axis=1) | ~np.isfinite(values).all(axis=1)
    if bad.any():
        at = int(np.argmax(bad))
        row = _shown(values[at])
        raise ValueError(f"member {q}, point {at}: memberships {row} should be finite and >= 0.")
    sums = values.sum(axis=1)
    bad = (sums != 0) & (np.abs(sums - 1) > SUM_TOLERANCE)
    if bad.any():
        at = int(np.argmax(bad))
        raise ValueError(f"member {q}, point {at}: memberships sum to {sums[at]:.6g}; they should sum to 1.")
    if not sums.any():
        raise ValueError(f"member {q} has no memberships: all rows are missing.")


def _shown(row: Floats, most: int = 6) -> str:
    text = ", ".join(f"{value:g}" for value in row[:most])
    return f"({text}{', ...' if len(row) > most else ''})"
