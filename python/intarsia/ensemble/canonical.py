"""The canonical order of clusters and members, and the distinct rows of labels or memberships: both exact."""

from __future__ import annotations

import hashlib
from functools import cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Floats, Ids, Labels


def canonical_order(
    labels: Labels, offsets: Ids, memberships: Floats | None, member_weights: Floats
) -> tuple[list[Ids], Ids]:
    """Return the order of each member's clusters, and the order of the members by what they say."""
    contents: list[NDArray[Any]]
    if memberships is None:
        orders = [first_appearance(labels[:, q], int(k)) for q, k in enumerate(np.diff(offsets))]
        contents = [_renumbered(labels[:, q], order) for q, order in enumerate(orders)]
    else:
        blocks = np.split(memberships, offsets[1:-1], axis=1)
        orders = [_descending(block) for block in blocks]
        contents = [_columns(block, order) for block, order in zip(blocks, orders, strict=True)]
    digests = [hashlib.blake2b(content.tobytes(), digest_size=16).digest() for content in contents]
    keys = list(zip(digests, member_weights.tolist(), strict=True))  # equal members by weight
    return orders, np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def renumbered_members(labels: Labels, orders: list[Ids], members: Ids) -> Labels:
    """Return these members with their clusters in these orders."""
    out = np.empty((len(labels), len(members)), dtype=np.int32)
    for at, q in enumerate(members):
        out[:, at] = _renumbered(labels[:, q], orders[q])
    return out


def distinct_rows(labels: Labels, n_classes: Ids, memberships: Floats | None) -> tuple[Ids, Ids]:
    """Return the first point of each distinct row, in order of appearance, and each point's row."""
    codes = _label_codes(labels, n_classes) if memberships is None else _bytes_of_rows(memberships)
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), dtype=np.int64)
    rank[order] = np.arange(len(first))
    return first[order], rank[inverse.reshape(-1)]


def first_appearance(labels: Labels, n_classes: int) -> Ids:
    """Return the classes in the order in which they first appear; those that never do come last."""
    values, first = np.unique(labels, return_index=True)
    seen = values[np.argsort(first)]
    seen = seen[seen >= 0].astype(np.int64)
    return np.concatenate([seen, np.setdiff1d(np.arange(n_classes), seen)])


def _descending(block: Floats) -> Ids:
    """Return the columns of a soft member in descending lexicographic order."""
    columns = np.ascontiguousarray(block.T)

    def compare(a: int, b: int) -> int:
        differ = np.flatnonzero(columns[a] != columns[b])
        return 0 if len(differ) == 0 else int(np.sign(columns[b, differ[0]] - columns[a, differ[0]]))

    return np.array(sorted(range(len(columns)), key=cmp_to_key(compare)), dtype=np.int64)


def _columns(block: Floats, order: Ids) -> Floats:
    return np.ascontiguousarray(block[:, order]) + 0.0  # -0.0 becomes 0.0


def _renumbered(labels: Labels, order: Ids) -> Labels:
    table = np.empty(len(order) + 1, dtype=np.int32)
    table[order] = np.arange(len(order))
    table[-1] = -1  # label -1 indexes the last entry
    return table[labels]


def _label_codes(labels: Labels, n_classes: Ids) -> Ids:
    """Return one number for each row, equal exactly for equal rows."""
    codes = np.zeros(len(labels), dtype=np.int64)
    n_codes = 1
    for q, k in enumerate(n_classes.tolist()):
        if n_codes * (k + 1) > 2**62:
            values, inverse = np.unique(codes, return_inverse=True)
            codes, n_codes = inverse.reshape(-1).astype(np.int64), len(values)
        codes = codes * (k + 1) + (labels[:, q] + 1)
        n_codes *= k + 1
    return codes


def _bytes_of_rows(memberships: Floats) -> NDArray[Any]:
    rows = np.ascontiguousarray(memberships) + 0.0  # -0.0 becomes 0.0: equal numbers, equal bytes
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
