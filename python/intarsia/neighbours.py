"""Exact neighbours of points: the k nearest, or all within a radius; never a matrix of all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.arrays import Floats, Ids, Members
from intarsia.executor import resolve_threads
from intarsia.validation import check_count, check_option, check_points

METRICS = ("euclidean", "manhattan", "chebyshev")


@dataclass(frozen=True, eq=False)
class Within:
    """Neighbours within a radius, in compressed rows.

    Attributes
    ----------
    offsets : int64 array of shape (n_queries + 1,)
        The neighbours of query q are ``ids[offsets[q]:offsets[q + 1]]``.
    ids : int32 array
        Their numbers, ascending in each row.
    distances : float64 array
        How far each is.
    """

    offsets: Ids
    ids: Members
    distances: Floats


class Neighbours:
    """Neighbours among fixed points.

    Up to ten dimensions a k-d tree, above blocked products whose close calls are measured again (Euclidean
    distances); exact either way, in float64. Of points equally far away the lowest numbers count. Results
    have the same bits for any number of threads.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The points, finite; they must not be written to afterwards.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    metric : {"euclidean", "manhattan", "chebyshev"}
        How far two points are. All but the first take a k-d tree in any dimension; above ten it looks at
        most of the points.
    """

    def __init__(self, X: ArrayLike, n_threads: int | None = None, metric: str = "euclidean") -> None:
        self._n_threads = resolve_threads(n_threads)
        self._points = _finite(X, "X")
        check_option("metric", metric, METRICS)
        self._metric = metric
        by = getattr(_core.TreeMetric, metric.upper())
        self._index = _core.NeighbourIndex(self._points, self._n_threads, by)

    def nearest(self, k: int, queries: ArrayLike | slice | None = None) -> tuple[Members, Floats]:
        """Return the numbers and distances of the k nearest points, nearest first, one row a query.

        Parameters
        ----------
        k : int
            How many.
        queries : array of shape (n_queries, n_features), slice or None
            Any places; or these of the points (None: all), each of which then leaves itself out.
        """
        places, first_own = self._places(queries)
        n = len(self._points)
        most = n if first_own < 0 else n - 1
        if check_count("k", k) > most:
            whom = "points" if first_own < 0 else "other points"
            raise ValueError(f"k={k} should be <= {most}, the number of {whom}.")
        return self._index.nearest(places, k, first_own, self._n_threads)

    def __reduce__(self) -> tuple[Any, ...]:
        return Neighbours, (self._points, self._n_threads, self._metric)

    def within(self, radius: float, queries: ArrayLike | slice | None = None) -> Within:
        """Return all points at most `radius` away from each query; `queries` as for `nearest`."""
        places, first_own = self._places(queries)
        if isinstance(radius, bool) or not isinstance(radius, Real) or not 0 <= radius < np.inf:
            raise ValueError(f"radius={radius!r} should be a finite number >= 0.")
        return Within(*self._index.within(places, float(radius), first_own, self._n_threads))

    def _places(self, queries: Any) -> tuple[Floats, int]:
        if queries is None:
            queries = slice(None)
        if not isinstance(queries, slice):
            places = _finite(queries, "queries")
            if places.shape[1] != self._points.shape[1]:
                raise ValueError(
                    f"queries have {places.shape[1]} features, should have {self._points.shape[1]}."
                )
            return places, -1
        start, _, step = queries.indices(len(self._points))
        if step != 1:
            raise ValueError(f"queries={queries} should be a slice of step 1.")
        return self._points[queries], start


def _finite(X: ArrayLike, name: str) -> Floats:
    return np.asarray(check_points(X, name=name), dtype=np.float64)
