"""Least and largest cluster sizes, and the flow that brings a partition within them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import coo_array, vstack
from scipy.spatial.distance import cdist

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.validation import check_count

_FIRST_CHOICES = 8  # nearest clusters that a point may go to at first
_MOST_FLOWS = 30
_TOLERANCE = 1e-10  # of a reduced cost, where the mean cost is 1


@dataclass(frozen=True)
class SizeLimits:
    """Cluster sizes from `least` to `most`, both included."""

    least: int
    most: int

    def are_free(self, n_samples: int) -> bool:
        """Whether every partition without empty clusters is allowed."""
        return self.least <= 1 and self.most >= n_samples

    def allow(self, sizes: Ids) -> bool:
        """Whether all these sizes are within the limits."""
        return bool(sizes.min() >= self.least and sizes.max() <= self.most)


def check_sizes(min_size: int | None, max_size: int | None, k: int, n_samples: int) -> SizeLimits:
    """Return the limits, or say why no partition can keep them."""
    least = 1 if min_size is None else check_count("min_size", min_size)
    most = n_samples if max_size is None else min(n_samples, check_count("max_size", max_size, most=np.inf))
    if k * least > n_samples:
        raise ValueError(f"n_clusters * min_size = {k * least} should be <= n_samples={n_samples}.")
    if least > most:
        raise ValueError(f"min_size={least} should be <= max_size={most}.")
    if k * most < n_samples:
        raise ValueError(f"n_clusters * max_size = {k * most} should be >= n_samples={n_samples}.")
    return SizeLimits(least, most)


def repair_sizes(X: Floats, weights: Floats | None, labels: Labels, k: int, limits: SizeLimits) -> Labels:
    """Return the cheapest reassignment to the clusters' means that keeps the limits (a minimum-cost flow)."""
    if limits.allow(np.bincount(labels, minlength=k)):
        return labels
    return _reassign(X, weights, labels, k, limits)


def settle_sizes(X: Floats, weights: Floats | None, labels: Labels, k: int, limits: SizeLimits) -> Labels:
    """Alternate flows and means until nothing is gained: k-means whose clusters keep the limits."""
    labels = repair_sizes(X, weights, labels, k, limits)
    cost = _cost(X, weights, labels, k)
    for _ in range(_MOST_FLOWS):
        moved = _reassign(X, weights, labels, k, limits)
        new_cost = _cost(X, weights, moved, k)
        if not new_cost < cost:
            break
        labels, cost = moved, new_cost
    return labels


def _cost(X: Floats, weights: Floats | None, labels: Labels, k: int) -> float:
    return float(_core.summarise(X, np.empty(0) if weights is None else weights, labels, k)[2])


def _reassign(X: Floats, weights: Floats | None, labels: Labels, k: int, limits: SizeLimits) -> Labels:
    w = np.ones(len(X)) if weights is None else weights
    costs = w[:, None] * cdist(X, _means(X, w, labels, k), "sqeuclidean")
    return _cheapest_flow(costs / max(costs.mean(), np.finfo(np.float64).tiny), limits)


def _means(X: Floats, w: Floats, labels: Labels, k: int) -> Floats:
    # An empty cluster stands at some point: the flow fills it.
    means = X[np.arange(k) % len(X)].copy()
    for c in np.unique(labels):
        means[c] = np.average(X[labels == c], axis=0, weights=w[labels == c])
    return means


def _cheapest_flow(costs: Floats, limits: SizeLimits) -> Labels:
    # Few arcs a point at first; those that the prices ask for join until none is missing.
    n_choices = min(costs.shape[1], _FIRST_CHOICES)
    allowed = _nearest(costs, n_choices)
    while True:
        solved = _solve_flow(costs, allowed, limits)
        if solved is None:
            n_choices = min(costs.shape[1], 2 * n_choices)
            allowed |= _nearest(costs, n_choices)
            continue
        labels, reduced = solved
        missing = ~allowed & (reduced < -_TOLERANCE)
        if not missing.any():
            return labels
        allowed |= missing


def _nearest(costs: Floats, n_choices: int) -> npt.NDArray[np.bool_]:
    allowed = np.zeros(costs.shape, dtype=np.bool_)
    np.put_along_axis(allowed, np.argpartition(costs, n_choices - 1, axis=1)[:, :n_choices], True, axis=1)
    return allowed


def _solve_flow(
    costs: Floats, allowed: npt.NDArray[np.bool_], limits: SizeLimits
) -> tuple[Labels, Floats] | None:
    # A transportation problem: its linear program has whole-number vertices.
    n, k = costs.shape
    points, clusters = np.nonzero(allowed)
    flows, ones = np.arange(len(points)), np.ones(len(points))
    each_once = coo_array((ones, (points, flows)), shape=(n, len(points)))
    per_cluster = coo_array((ones, (clusters, flows)), shape=(k, len(points)))
    solved = linprog(
        costs[points, clusters],
        A_ub=vstack([per_cluster, -per_cluster]).tocsr(),
        b_ub=np.repeat([float(limits.most), -float(limits.least)], k),
        A_eq=each_once.tocsr(),
        b_eq=np.ones(n),
        method="highs-ds",
        options={"dual_feasibility_tolerance": _TOLERANCE},
    )
    if solved.status != 0:
        if allowed.all():
            raise RuntimeError("no assignment keeps the size limits.")  # check_sizes has ruled this out
        return None
    labels = np.empty(n, dtype=np.int32)
    taken = solved.x > 0.5
    labels[points[taken]] = clusters[taken]
    at_most, at_least = np.split(solved.ineqlin.marginals, 2)
    return labels, costs - solved.eqlin.marginals[:, None] - (at_most - at_least)[None, :]
