"""One run of EXAMCE with the entropy criterion: as the paper has it, or as intarsia does by default."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.examce.criteria import find_criterion
from intarsia.examce.criteria.entropy import Entropy
from intarsia.examce.estimator import Examce
from intarsia.executor import use_executor
from intarsia.neighbours import Neighbours
from intarsia.studies.examce.settings import PAPER_EFFORT, Job

PRINTED = "as printed"
OWN = "intarsia's default"


def entropy_model(job: Job, X: NDArray[Any], n_threads: int) -> Examce:
    """Return the estimator of a job, not fitted."""
    asked: dict[str, Any] = {"random_state": job.seed, "n_threads": n_threads}
    if job.setting != PRINTED:
        return Examce(job.n_clusters, criterion="entropy", effort=job.effort, **asked)
    radius = typical_radius(X, job.n_clusters)
    criterion = find_criterion("entropy", radius=radius, scaling="none", metric="euclidean")
    effort = job.effort if job.effort != "default" else PAPER_EFFORT
    return Examce(job.n_clusters, criterion=criterion, effort=effort, base="random", min_size=1, **asked)


def typical_radius(X: NDArray[Any], n_clusters: int) -> float:
    """Return the radius within which half of the points have n / 2k: the paper names none."""
    m = max(2, len(X) // (2 * n_clusters))
    far = Neighbours(X, 1).nearest(m - 1)[1][:, -1]
    return float(np.median(far))


@contextmanager
def without_remarks() -> Iterator[None]:
    """Leave out the warnings about the answer: the tables show what they are about."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "criterion='entropy'", UserWarning)
        yield


def entropy_from_classes(model: Examce, X: NDArray[Any], classes: NDArray[Any]) -> float:
    """Return J after single moves from the true classes, within the same size limits."""
    points = np.ascontiguousarray(X, dtype=np.float64)
    criterion = model.start_state(points, None, use_executor(None, 1)).criterion
    assert isinstance(criterion, Entropy)
    labels = np.unique(classes, return_inverse=True)[1].astype(np.int32)
    return criterion.entropy_of(criterion.partition(criterion.search_within_sizes(labels, lambda: False)))
