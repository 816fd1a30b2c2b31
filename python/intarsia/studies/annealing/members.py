"""The members of an ensemble, k-means runs as the paper makes them, and the error against classes."""

from __future__ import annotations

from collections.abc import Callable

from intarsia._core import Stage
from intarsia.arrays import Floats, Labels
from intarsia.base.kmeans import KMeans
from intarsia.base.registry import base_clusterer
from intarsia.ensemble import Ensemble
from intarsia.metrics import error_rate
from intarsia.streams import generator

# each run has its own block of task numbers; the paper's largest ensemble has 50 members
MOST_MEMBERS = 1000
#: One run of points, number of clusters, seed and task.
OneRun = Callable[[Floats, int, int, int], Labels]


def kmeans_labels(X: Floats, n_clusters: int, seed: int, task: int) -> Labels:
    """Return one k-means run from random distinct points."""
    return base_clusterer("kmeans").fit(X, n_clusters, seed=seed, task=task).labels


def box_labels(X: Floats, n_clusters: int, seed: int, task: int) -> Labels:
    """Return one k-means run from centres drawn evenly within the range of each feature."""
    draws = generator(seed, Stage.STUDY_MEMBERS, task, 1)
    centres = draws.uniform(X.min(axis=0), X.max(axis=0), (n_clusters, X.shape[1]))
    return KMeans(n_clusters, init=centres, n_init=1, n_threads=1).fit(X).labels_


def kmeans_members(
    X: Floats,
    n_members: int,
    member_clusters: tuple[int, int],
    seed: int,
    run: int,
    *,
    one_run: OneRun = kmeans_labels,
    one_k: bool = False,
) -> Ensemble:
    """Return k-means runs, each with its own number of clusters from the range (both ends included).

    With `one_k` all have that of the first. The members of a run of few members are the first ones of the
    same run of many.
    """
    least, most = member_clusters
    drawn = generator(seed, Stage.STUDY_MEMBERS, run).integers(least, most + 1, size=MOST_MEMBERS)
    ks = [int(drawn[0 if one_k else q]) for q in range(n_members)]
    first = run * MOST_MEMBERS
    return Ensemble.from_labels([one_run(X, k, seed, first + q) for q, k in enumerate(ks)])


def error_percent(labels: Labels, classes: Labels) -> float:
    """Return the share of points outside their class under the best matching of clusters to classes, in %."""
    return 100.0 * error_rate(classes, labels)
