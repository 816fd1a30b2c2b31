"""Validity of labels on points, for clusters of any shape: isolation, connectivity and their robust Z-scores.

After Pauwels and Frederix (1999), as Frossyniotis, Likas and Stafylopatis (2004) put them to use.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Ids, Labels, Members, Points
from intarsia.ensemble.hard import encode_member
from intarsia.executor import resolve_threads
from intarsia.executor.choose import agreed_seed
from intarsia.neighbours import Neighbours
from intarsia.streams import generator
from intarsia.validation import check_count, check_points, check_positive

#: Share of the points that are neighbours of each of them.
NEIGHBOUR_SHARE = 0.01
#: Pairs whose middles are looked at by default: redrawing them moves connectivity by about half a percent.
N_PAIRS = 10_000
#: The paper's pairs, as a share of the points: redrawing them moves connectivity by about 4 %.
PRINTED_PAIR_SHARE = 0.05

_HELD = 1 << 22  # neighbours held at a time


def isolation(
    X: ArrayLike, labels: ArrayLike, *, n_neighbors: int | None = None, n_threads: int | None = None
) -> float:
    """Return the share of a point's nearest neighbours that have its label, averaged over the points.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The points.
    labels : array of shape (n_samples,)
        Their clusters; -1 marks points in no cluster, which share their label with nobody.
    n_neighbors : int, optional
        Neighbours of each point, itself not counted; by default a hundredth of the points, rounded up. Of
        neighbours equally far away those of lowest index count.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Notes
    -----
    All points in one cluster score 1, the best value: to be read together with `connectivity`.
    """
    points, codes = _checked(X, labels)
    n = len(points)
    if n < 2:
        raise ValueError(f"n_samples={n} should be >= 2: a point alone has no neighbours.")
    k = ceil(NEIGHBOUR_SHARE * n) if n_neighbors is None else check_count("n_neighbors", n_neighbors)
    if k >= n:
        raise ValueError(f"n_neighbors={k} should be < n_samples={n}.")
    alone = np.where(codes >= 0, codes, -1 - np.arange(n))
    same = sum(
        int((alone[ids] == alone[start : start + len(ids), None]).sum())
        for start, ids in _neighbours(points, k, resolve_threads(n_threads))
    )
    return same / (n * k)


def connectivity(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    n_pairs: int | float = N_PAIRS,
    stratified: bool = True,
    bandwidth: float | None = None,
    random_state: Any = 0,
    n_threads: int | None = None,
) -> float:
    """Return the mean density of the points halfway between two points of a cluster.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        The points.
    labels : array of shape (n_samples,)
        Their clusters.
    n_pairs : int or float
        Random pairs to look at: how many, or how many for each point (0.05 as printed).
    stratified : bool
        Give every cluster pairs in proportion to its points (fewer, but at least one, where pairs are few)
        and weigh its mean by its points; where the whole number of pairs inside clusters is not above
        `n_pairs`, take each of them once instead. False draws a point and then a partner of its cluster.
    bandwidth : float, optional
        Standard deviation of the Gaussian kernel; see `kernel_width` for the default.
    random_state : int, RandomState, Generator or None
        Seed of the pairs.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.

    Notes
    -----
    Clusters of one point have no pairs and do not count. The density is that of all points, whatever their
    labels; it needs n_samples times n_pairs steps and no memory for them.
    """
    points, codes = _checked(X, labels)
    width = kernel_width(points) if bandwidth is None else check_positive("bandwidth", bandwidth)
    first, second, shares = draw_pairs(codes, n_pairs, stratified=stratified, random_state=random_state)
    density = pair_densities(points, first, second, width, n_threads=n_threads)
    return float(density @ shares)


def kernel_width(X: ArrayLike) -> float:
    """Return the mean standard deviation of the features times (4 / ((d + 2) n)) ** (1 / (d + 4))."""
    points = np.asarray(X)
    n, d = points.shape
    width: float = float(points.std(axis=0, dtype=np.float64).mean()) * (4 / ((d + 2) * n)) ** (1 / (d + 4))
    if not width > 0:
        raise ValueError("all points are equal: give a bandwidth > 0.")
    return width


def draw_pairs(
    labels: Labels, n_pairs: int | float, *, stratified: bool = True, random_state: Any = 0
) -> tuple[Ids, Ids, Floats]:
    """Return pairs of points of the same cluster and how much each counts (they sum to 1).

    `labels` are whole numbers from 0, or -1 for points in no cluster; see `connectivity` for the rest.
    """
    count = _n_pairs(n_pairs, len(labels))
    groups = [np.flatnonzero(labels == c) for c in np.unique(labels[labels >= 0])]
    groups = [group for group in groups if len(group) > 1]
    if not groups:
        raise ValueError("connectivity needs a cluster of at least two points.")
    rng = generator(agreed_seed(random_state), Stage.POINT_PAIRS)
    if stratified:
        return _stratified_pairs(groups, count, rng)
    return _plain_pairs(groups, count, rng)


def pair_densities(
    X: Points, first: Ids, second: Ids, bandwidth: float, *, n_threads: int | None = None
) -> Floats:
    """Return the Gaussian kernel density of the points halfway between the points of each pair."""
    middles = (X[first].astype(np.float64) + X[second]) / 2
    return _core.gaussian_density(X, middles, bandwidth, resolve_threads(n_threads))


def robust_z(values: ArrayLike) -> Floats:
    """Return how far each value lies above the median, in median absolute deviations.

    Where more than half of the values are equal that deviation is 0; the mean absolute deviation from the
    median stands in for it then, and where all values are equal every score is 0.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or len(sample) == 0 or not np.isfinite(sample).all():
        raise ValueError(f"values={values!r} should be a vector of finite numbers.")
    apart = sample - np.median(sample)
    scale = float(np.median(np.abs(apart))) or float(np.abs(apart).mean()) or 1.0
    scores: Floats = apart / scale
    return scores


def _checked(X: ArrayLike, labels: ArrayLike) -> tuple[Points, Labels]:
    points = check_points(X, (np.float64, np.float32))
    codes, _ = encode_member(np.asarray(labels))
    if codes.shape != (len(points),):
        raise ValueError(f"labels.shape={codes.shape} should be ({len(points)},).")
    return points, codes


def _neighbours(points: Points, k: int, n_threads: int) -> Iterator[tuple[int, Members]]:
    """Yield the first row of a block of points and the k nearest others of each of them."""
    neighbours = Neighbours(points, n_threads)
    step = max(1, _HELD // k)
    for start in range(0, len(points), step):
        yield start, neighbours.nearest(k, slice(start, start + step))[0]


def _n_pairs(n_pairs: int | float, n: int) -> int:
    if isinstance(n_pairs, Integral) and not isinstance(n_pairs, bool):
        return check_count("n_pairs", n_pairs)
    if not isinstance(n_pairs, Real) or isinstance(n_pairs, bool):
        raise TypeError(f"n_pairs={n_pairs!r} should be a count >= 1 or how many for each point.")
    return max(1, round(check_positive("n_pairs", n_pairs) * n))


def _stratified_pairs(groups: list[Ids], count: int, rng: np.random.Generator) -> tuple[Ids, Ids, Floats]:
    sizes = np.array([len(group) for group in groups])
    every = int((sizes * (sizes - 1) // 2).sum()) <= count
    parts = []
    for group, share in zip(groups, sizes / sizes.sum(), strict=True):
        wanted = max(1, round(share * count))
        first, second = np.triu_indices(len(group), 1) if every else _partners(len(group), wanted, rng)
        parts.append((group[first], group[second], np.full(len(first), share / len(first))))
    a, b, shares = (np.concatenate(column) for column in zip(*parts, strict=True))
    return a, b, shares


def _plain_pairs(groups: list[Ids], count: int, rng: np.random.Generator) -> tuple[Ids, Ids, Floats]:
    sizes = np.array([len(group) for group in groups])
    members, starts = np.concatenate(groups), np.cumsum(sizes) - sizes
    places = rng.integers(len(members), size=count)
    group = np.searchsorted(starts, places, side="right") - 1
    inside = places - starts[group]
    partner = rng.integers(sizes[group] - 1)
    partner += partner >= inside
    return members[places], members[starts[group] + partner], np.full(count, 1 / count)


def _partners(size: int, count: int, rng: np.random.Generator) -> tuple[Ids, Ids]:
    """Return random pairs of different places."""
    first = rng.integers(size, size=count)
    second = rng.integers(size - 1, size=count)
    return first, second + (second >= first)
