"""Size limits: which can be kept at all, and the flows that bring a partition of points within them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.protocol import Data, SizeLimits
from intarsia.validation import check_count

_MOST_FLOWS = 30


def check_sizes(
    min_size: int | None, max_size: int | None, counts: CountRange, n_samples: int, all_count: bool = True
) -> SizeLimits:
    """Return the limits, or say why no partition can keep them."""
    there = f"n_samples={n_samples}" if all_count else f"{n_samples} points of positive weight"
    least = 1 if min_size is None else check_count("min_size", min_size)
    most = n_samples if max_size is None else min(n_samples, check_count("max_size", max_size, most=np.inf))
    if counts.least * least > n_samples:
        raise ValueError(f"n_clusters * min_size = {counts.least * least} should be <= {there}.")
    if least > most:
        raise ValueError(f"min_size={least} should be <= max_size={most}.")
    if counts.most * most < n_samples:
        raise ValueError(f"n_clusters * max_size = {counts.most * most} should be >= {there}.")
    limits = SizeLimits(least, most)
    left = limits.narrow(counts, n_samples)
    if left.least > left.most:
        raise ValueError(f"{counts} clusters of {least} to {most} points cannot hold {there}.")
    return limits


def kmeans_within_sizes(
    data: Data,
    labels: Labels,
    max_flows: int = _MOST_FLOWS,
    is_late: Callable[[], bool] = lambda: False,
) -> Labels:
    """Alternate flows and means until nothing is gained: k-means whose clusters keep the limits.

    One flow is the cheapest assignment to the means; once `is_late` no further flow begins. Where it is late
    before the first has ended, points move to means with room instead.
    """
    means, sizes = _means(data, labels), data.sizes
    found = _core.kmeans_within_sizes(
        data.X, data.weights, means, sizes.least, sizes.most, max_flows, is_late
    )
    if len(found) > 0:
        return found
    from intarsia.examce.criteria.room import move_to_room  # here: seldom needed

    return move_to_room(data, labels, means)


def _means(data: Data, labels: Labels) -> Floats:
    k = int(labels.max()) + 1
    if np.bincount(labels, minlength=k).all():
        return _core.summarise(data.X, data.weights, labels, k)[0]
    # An empty cluster stands at some point: the flow fills it.
    X, w = data.X, np.ones(len(data.X)) if data.weights is None else data.weights
    means = X[np.arange(k) % len(X)].copy()
    for c in np.unique(labels):
        means[c] = np.average(X[labels == c], axis=0, weights=w[labels == c])
    return means
