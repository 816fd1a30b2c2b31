"""Least and largest cluster sizes, and the flow that brings a partition within them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, vstack

from intarsia.arrays import Floats, Ids, Labels
from intarsia.validation import check_count

_FIRST_CHOICES = 8  # nearest clusters that a point may go to at first


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
    most = n_samples if max_size is None else check_count("max_size", max_size)
    if least > most:
        raise ValueError(f"min_size={least} should be <= max_size={most}.")
    if k * least > n_samples:
        raise ValueError(f"n_clusters * min_size = {k * least} should be <= n_samples={n_samples}.")
    if k * most < n_samples:
        raise ValueError(f"n_clusters * max_size = {k * most} should be >= n_samples={n_samples}.")
    return SizeLimits(least, most)


def repair_sizes(X: Floats, labels: Labels, k: int, limits: SizeLimits) -> Labels:
    """Return the cheapest reassignment to the clusters' means that keeps the limits (a minimum-cost flow)."""
    sizes = np.bincount(labels, minlength=k)
    if limits.allow(sizes):
        return labels
    centers = np.array([X[labels == c].mean(axis=0) if sizes[c] else X[c % len(X)] for c in range(k)])
    squared = ((X[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
    n_choices = min(k, _FIRST_CHOICES)
    while True:
        repaired = _assign(squared, n_choices, limits)
        if repaired is not None:
            return repaired
        if n_choices == k:
            raise RuntimeError("no assignment keeps the size limits.")  # check_sizes has ruled this out
        n_choices = min(k, 2 * n_choices)


def _assign(squared: Floats, n_choices: int, limits: SizeLimits) -> Labels | None:
    # A transportation problem: its linear program has whole-number vertices.
    n, k = squared.shape
    choices = np.argpartition(squared, n_choices - 1, axis=1)[:, :n_choices]
    points = np.repeat(np.arange(n), n_choices)
    clusters = choices.ravel()
    flows = np.arange(n * n_choices)
    ones = np.ones(n * n_choices)
    each_once = coo_array((ones, (points, flows)), shape=(n, n * n_choices))
    per_cluster = coo_array((ones, (clusters, flows)), shape=(k, n * n_choices))
    bounds = np.concatenate([np.full(k, float(limits.most)), np.full(k, -float(limits.least))])
    solved = linprog(
        squared[points, clusters],
        A_ub=vstack([per_cluster, -per_cluster]).tocsr(),
        b_ub=bounds,
        A_eq=each_once.tocsr(),
        b_eq=np.ones(n),
        bounds=(0, 1),
        method="highs-ds",
    )
    if solved.status != 0:
        return None
    flow = solved.x.reshape(n, n_choices)
    labels: Labels = choices[np.arange(n), flow.argmax(axis=1)].astype(np.int32)
    return labels
