"""Structural entropy by its definition, over all pairs of points, and the best of all partitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.protocol import Data, SizeLimits

ALPHAS = (0.3, 0.9, 1.0, 2.0)
PLAIN: dict[str, Any] = {"scaling": "none", "metric": "euclidean"}


def data_of(X: np.ndarray, k: int, least: int = 1, most: int | None = None) -> Data:
    return Data(X, None, CountRange(k, k), SizeLimits(least, most or len(X)))


def nearest_table(X: np.ndarray, m: int, metric: str) -> np.ndarray:
    far = cdist(X, X, metric)
    np.fill_diagonal(far, -1.0)
    table = np.zeros((len(X), len(X)), dtype=bool)
    np.put_along_axis(table, np.argsort(far, axis=1, kind="stable")[:, :m], True, axis=1)
    return table


def plain_cost(table: np.ndarray, alpha: float, members: Any) -> float:
    p = table[:, list(members)].sum(axis=1) / table.sum(axis=1)
    if alpha == 1:
        return float(-np.mean(p * np.log(np.where(p > 0, p, 1.0))))
    return float(np.mean(p**alpha if alpha < 1 else p - p**alpha))


def total(table: np.ndarray, alpha: float, labels: np.ndarray) -> float:
    return sum(plain_cost(table, alpha, np.flatnonzero(labels == c)) for c in np.unique(labels))


def rules(X: np.ndarray, number: int) -> tuple[dict[str, Any], np.ndarray]:
    """A rule, and who is around whom by it."""
    n = len(X)
    if number == 0:
        m = 1 + n // 3
        return {"neighbours": m, **PLAIN}, nearest_table(X, m, "euclidean")
    if number == 1:
        radius = float(np.median(cdist(X, X))) + 0.1
        return {"radius": radius, **PLAIN}, cdist(X, X) <= radius
    boxes = np.where(X.std(axis=0) > 0, X / np.where(X.std(axis=0) > 0, X.std(axis=0), 1), 0.0)
    return {"bandwidth": 0.8}, cdist(boxes / 0.8, boxes / 0.8, "chebyshev") <= 1.0


def partitions(n: int, k: int) -> Iterator[np.ndarray]:
    def extend(labels: list[int]) -> Iterator[np.ndarray]:
        used = max(labels, default=-1) + 1
        if len(labels) == n:
            if used == k:
                yield np.array(labels, dtype=np.int32)
            return
        for c in range(min(used + 1, k)):
            yield from extend([*labels, c])

    return extend([])


def brute_force(table: np.ndarray, alpha: float, k: int, least: int) -> float:
    known: dict[bytes, float] = {}
    best = np.inf
    for labels in partitions(len(table), k):
        if np.bincount(labels).min() < least:
            continue
        masks = [(labels == c) for c in range(k)]
        for mask in masks:
            if mask.tobytes() not in known:
                known[mask.tobytes()] = plain_cost(table, alpha, np.flatnonzero(mask))
        best = min(best, sum(known[mask.tobytes()] for mask in masks))
    return best
