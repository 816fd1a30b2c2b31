"""The canonical form of an ensemble and the merging of equal rows: both exact."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble.soft import most_likely

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble


def canonical_form(ensemble: Ensemble) -> tuple[Ensemble, Ids]:
    """Return the canonical ensemble, and for each of its indicator columns the original column."""
    orders = [_class_order(ensemble, q) for q in range(ensemble.n_members)]
    by_content = _member_order(ensemble, orders)
    columns = np.concatenate([ensemble.offsets[q] + orders[q] for q in by_content])
    n_classes = ensemble.n_classes[by_content]
    if ensemble.memberships is None:
        joined, labels = None, _renumbered_members(ensemble.labels, orders, by_content)
    else:
        joined = np.ascontiguousarray(ensemble.memberships[:, columns])
        labels = most_likely(joined, n_classes)
    weights = ensemble.member_weights[by_content]
    return replace(
        ensemble, labels=labels, n_classes=n_classes, memberships=joined, member_weights=weights
    ), columns


def merge_rows(ensemble: Ensemble) -> tuple[Ensemble, Ids]:
    """Return the ensemble of distinct rows, in order of first appearance, and each point's row."""
    codes = _label_codes(ensemble) if ensemble.memberships is None else _bytes_of_rows(ensemble.memberships)
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), dtype=np.int64)
    rank[order] = np.arange(len(first))
    kept, rows = first[order], rank[inverse.reshape(-1)]
    joined = None if ensemble.memberships is None else ensemble.memberships[kept]
    weights = np.bincount(rows, weights=ensemble.point_weights, minlength=len(kept)).astype(np.float64)
    return replace(ensemble, labels=ensemble.labels[kept], memberships=joined, point_weights=weights), rows


def first_appearance(labels: Labels, n_classes: int) -> Ids:
    """Return the classes in the order in which they first appear; those that never do come last."""
    values, first = np.unique(labels, return_index=True)
    seen = values[np.argsort(first)]
    seen = seen[seen >= 0].astype(np.int64)
    return np.concatenate([seen, np.setdiff1d(np.arange(n_classes), seen)])


def _class_order(ensemble: Ensemble, q: int) -> Ids:
    if ensemble.memberships is None:
        return first_appearance(ensemble.labels[:, q], int(ensemble.n_classes[q]))
    columns = np.ascontiguousarray(ensemble.block(q).T)

    def compare(a: int, b: int) -> int:
        differ = np.flatnonzero(columns[a] != columns[b])
        return 0 if len(differ) == 0 else int(np.sign(columns[b, differ[0]] - columns[a, differ[0]]))

    return np.array(sorted(range(len(columns)), key=cmp_to_key(compare)), dtype=np.int64)


def _member_order(ensemble: Ensemble, orders: list[Ids]) -> Ids:
    """Sort members by a digest of what they say, equal ones by weight."""
    weights = ensemble.member_weights.tolist()
    keys = [(_digest(ensemble, q, orders[q]), weights[q]) for q in range(ensemble.n_members)]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def _digest(ensemble: Ensemble, q: int, order: Ids) -> bytes:
    if ensemble.memberships is None:
        content: NDArray[Any] = _renumbered(ensemble.labels[:, q], order)
    else:
        content = np.ascontiguousarray(ensemble.block(q)[:, order]) + 0.0  # -0.0 becomes 0.0
    return hashlib.blake2b(content.tobytes(), digest_size=16).digest()


def _renumbered_members(labels: Labels, orders: list[Ids], members: Ids) -> Labels:
    out = np.empty((len(labels), len(members)), dtype=np.int32)
    for at, q in enumerate(members):
        out[:, at] = _renumbered(labels[:, q], orders[q])
    return out


def _renumbered(labels: Labels, order: Ids) -> Labels:
    table = np.empty(len(order) + 1, dtype=np.int32)
    table[order] = np.arange(len(order))
    table[-1] = -1  # label -1 indexes the last entry
    return table[labels]


def _label_codes(ensemble: Ensemble) -> Ids:
    """Return one number for each row, equal exactly for equal rows."""
    codes = np.zeros(ensemble.n_samples, dtype=np.int64)
    n_codes = 1
    for q, n_classes in enumerate(ensemble.n_classes.tolist()):
        if n_codes * (n_classes + 1) > 2**62:
            values, inverse = np.unique(codes, return_inverse=True)
            codes, n_codes = inverse.reshape(-1).astype(np.int64), len(values)
        codes = codes * (n_classes + 1) + (ensemble.labels[:, q] + 1)
        n_codes *= n_classes + 1
    return codes


def _bytes_of_rows(memberships: Floats) -> NDArray[Any]:
    rows = np.ascontiguousarray(memberships) + 0.0  # -0.0 becomes 0.0: equal numbers, equal bytes
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
