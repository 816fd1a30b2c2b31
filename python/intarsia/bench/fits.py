"""One k-means fit by either library, one thread, from a given start to convergence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans as SklearnKMeans
from threadpoolctl import threadpool_limits

from intarsia.base import KMeans

Floats = NDArray[np.floating[Any]]
LIBRARIES = ("sklearn", "intarsia")


def fitter(library: str, X: Floats, start: Floats) -> Callable[[], Any]:
    """Return a callable that fits once and returns the fitted estimator."""
    options: dict[str, Any] = {"init": start, "n_init": 1, "max_iter": 1000, "tol": 0.0}
    if library == "sklearn":
        return lambda: SklearnKMeans(len(start), algorithm="lloyd", **options).fit(X)
    return lambda: KMeans(len(start), n_threads=1, **options).fit(X)


def one_thread() -> Any:
    """Return a context that holds BLAS and OpenMP of scikit-learn to one thread."""
    return threadpool_limits(limits=1)


def cost_of(X: Floats, labels: NDArray[Any]) -> float:
    """Return the sum of squared distances to the cluster means, in float64 for both libraries."""
    wide = X.astype(np.float64)
    n_clusters = int(labels.max()) + 1
    counts = np.bincount(labels, minlength=n_clusters)
    sums = np.stack([np.bincount(labels, weights=column, minlength=n_clusters) for column in wide.T], axis=1)
    means = sums / np.maximum(counts, 1)[:, None]
    wide -= means[labels]
    return float(np.einsum("ij,ij->", wide, wide))
