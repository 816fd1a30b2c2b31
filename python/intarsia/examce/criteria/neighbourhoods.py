"""Who is around each point: so many nearest ones, all within a radius, or all within a box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from intarsia.arrays import Floats, Ids, Members
from intarsia.neighbours import METRICS, Neighbours
from intarsia.validation import check_count, check_option, check_positive

SCALINGS = ("minmax", "standard", "none")

#: Pairs of a point and a neighbour at most: twelve bytes each while they are put in order.
MOST_PAIRS = 100_000_000

_BLOCK = 4096  # points that are asked about at a time
_FEWEST = 2  # a neighbourhood of one point says nothing

Rows: TypeAlias = tuple[Ids, Members]


@dataclass(frozen=True)
class NeighbourRule:
    """Whom a point has around it, itself always among them.

    Attributes
    ----------
    neighbours : int or None
        So many points, the nearest.
    radius : float or None
        All points so near.
    bandwidth : float or None
        All points within a box: in every feature at most so many standard deviations away.
    scaling : {"minmax", "standard", "none"}
        What is done to the features before points are measured; a box needs none.
    metric : {"manhattan", "euclidean", "chebyshev"}
        How far points are; a box has its own.
    """

    neighbours: int | None
    radius: float | None
    bandwidth: float | None
    scaling: str
    metric: str

    def check(self, n_samples: int) -> None:
        """Refuse what cannot be, in one line."""
        asked = {name: getattr(self, name) for name in ("neighbours", "radius", "bandwidth")}
        given = [f"{name}={value}" for name, value in asked.items() if value is not None]
        if len(given) > 1:
            raise ValueError(f"{given[0]} and {given[1]} should not both be given.")
        if self.neighbours is not None and check_count("neighbours", self.neighbours) > n_samples:
            raise ValueError(f"neighbours={self.neighbours} should be <= n_samples={n_samples}.")
        if self.radius is not None:
            check_positive("radius", self.radius)
        if self.bandwidth is not None:
            check_positive("bandwidth", self.bandwidth)
        check_option("scaling", self.scaling, SCALINGS)
        check_option("metric", self.metric, METRICS)

    def rows(self, X: Floats, n_clusters: int, n_threads: int) -> Rows:
        """Return the neighbourhoods of scaled points in compressed rows; by default of n / 2k points."""
        if self.radius is not None:
            return _within(X, self.radius, self.metric, n_threads, f"radius={self.radius}")
        if self.bandwidth is not None:
            boxes = _divided(X, self.bandwidth * X.std(axis=0))
            return _within(boxes, 1.0, "chebyshev", n_threads, f"bandwidth={self.bandwidth}")
        asked = self.neighbours or max(_FEWEST, len(X) // (2 * n_clusters))
        return _nearest(X, min(asked, len(X)), self.metric, n_threads)


def scaled(X: Floats, scaling: str) -> Floats:
    """Return the points with every feature between 0 and 1, of deviation 1, or as it is."""
    if scaling == "none":
        return X
    shift, width = (
        (X.min(axis=0), np.ptp(X, axis=0)) if scaling == "minmax" else (X.mean(axis=0), X.std(axis=0))
    )
    return _divided(X - shift, width)


def _divided(X: Floats, width: Floats) -> Floats:
    # a feature that never changes tells no points apart
    return np.ascontiguousarray(np.where(width > 0, X, 0.0) / np.where(width > 0, width, 1.0))


def _blocks(n: int) -> Iterator[slice]:
    return (slice(begin, min(n, begin + _BLOCK)) for begin in range(0, n, _BLOCK))


def _nearest(X: Floats, m: int, metric: str, n_threads: int) -> Rows:
    n = len(X)
    if n * m > MOST_PAIRS:
        most = MOST_PAIRS // n
        raise ValueError(
            f"neighbours={m} of each of {n} points are too many; give neighbours={most} or less."
        )
    index, ids = Neighbours(X, n_threads, metric), np.empty((n, m), dtype=np.int32)
    ids[:, 0] = np.arange(n)
    for block in _blocks(n) if m > 1 else ():
        ids[block, 1:] = index.nearest(m - 1, block)[0]
    ids.sort(axis=1)
    return np.arange(n + 1, dtype=np.int64) * m, ids.ravel()


def _within(X: Floats, radius: float, metric: str, n_threads: int, asked: str) -> Rows:
    index, counts, parts, n_pairs = Neighbours(X, n_threads, metric), [], [], 0
    for block in _blocks(len(X)):
        found = index.within(radius, X[block])  # places, not points: each finds itself
        counts.append(np.diff(found.offsets))
        parts.append(found.ids)
        n_pairs += len(found.ids)
        if n_pairs > MOST_PAIRS:
            raise ValueError(f"{asked} puts more than {MOST_PAIRS} pairs of points together; give less.")
    offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts))))
    return offsets.astype(np.int64), np.concatenate(parts)
