"""Least and largest cluster sizes, and the flow that brings a partition within them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.validation import check_count

_MOST_FLOWS = 30


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


def check_sizes(
    min_size: int | None, max_size: int | None, k: int, n_samples: int, all_count: bool = True
) -> SizeLimits:
    """Return the limits, or say why no partition can keep them."""
    there = f"n_samples={n_samples}" if all_count else f"{n_samples} points of positive weight"
    least = 1 if min_size is None else check_count("min_size", min_size)
    most = n_samples if max_size is None else min(n_samples, check_count("max_size", max_size, most=np.inf))
    if k * least > n_samples:
        raise ValueError(f"n_clusters * min_size = {k * least} should be <= {there}.")
    if least > most:
        raise ValueError(f"min_size={least} should be <= max_size={most}.")
    if k * most < n_samples:
        raise ValueError(f"n_clusters * max_size = {k * most} should be >= {there}.")
    return SizeLimits(least, most)


def repair_sizes(X: Floats, weights: Floats | None, labels: Labels, k: int, limits: SizeLimits) -> Labels:
    """Return the cheapest reassignment to the clusters' means that keeps the limits (a minimum-cost flow)."""
    if limits.allow(np.bincount(labels, minlength=k)):
        return labels
    return settle_sizes(X, weights, labels, k, limits, max_flows=1)


def settle_sizes(
    X: Floats,
    weights: Floats | None,
    labels: Labels,
    k: int,
    limits: SizeLimits,
    max_flows: int = _MOST_FLOWS,
    is_late: Callable[[], bool] = lambda: False,
) -> Labels:
    """Alternate flows and means until nothing is gained: k-means whose clusters keep the limits.

    Once `is_late` no further flow begins.
    """
    means = _means(X, np.ones(len(X)) if weights is None else weights, labels, k)
    return _core.kmeans_within_sizes(X, weights, means, limits.least, limits.most, max_flows, is_late)


def _means(X: Floats, w: Floats, labels: Labels, k: int) -> Floats:
    # An empty cluster stands at some point: the flow fills it.
    means = X[np.arange(k) % len(X)].copy()
    for c in np.unique(labels):
        means[c] = np.average(X[labels == c], axis=0, weights=w[labels == c])
    return means
