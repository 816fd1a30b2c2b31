"""The members of an ensemble, k-means runs as the paper makes them, and the error against classes."""

from __future__ import annotations

import numpy as np

from intarsia.arrays import Floats, Labels
from intarsia.base import BaseSettings
from intarsia.base.runs import run_once
from intarsia.ensemble import Ensemble
from intarsia.metrics import error_rate

# each run has its own block of task numbers; the paper's largest ensemble has 50 members
MOST_MEMBERS = 1000


def kmeans_labels(X: Floats, n_clusters: int, seed: int, task: int) -> Labels:
    """Return one k-means run from random distinct points."""
    settings = BaseSettings("kmeans", n_clusters, init="random")
    return run_once(X, np.empty(0), settings, seed=seed, task=task).labels


def kmeans_members(
    X: Floats, n_members: int, member_clusters: tuple[int, int], seed: int, run: int
) -> Ensemble:
    """Return k-means runs, each with its own number of clusters from the range (both ends included).

    The members of a run of few members are the first ones of the same run of many.
    """
    least, most = member_clusters
    ks = np.random.Generator(np.random.Philox([seed, run])).integers(least, most + 1, size=MOST_MEMBERS)
    first = run * MOST_MEMBERS
    return Ensemble.from_labels([kmeans_labels(X, int(ks[q]), seed, first + q) for q in range(n_members)])


def error_percent(labels: Labels, classes: Labels) -> float:
    """Return the share of points outside their class under the best matching of clusters to classes, in %."""
    return 100.0 * error_rate(classes, labels)
