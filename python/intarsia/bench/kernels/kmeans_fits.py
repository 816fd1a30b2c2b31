"""One k-means fit by either library, one thread, from a given start to convergence.

`python -m intarsia.bench.kernels.kmeans_fits REQUEST_AS_JSON` makes one in a process of its own: peak memory.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn.cluster import KMeans as SklearnKMeans

from intarsia.base.kmeans import KMeans
from intarsia.bench.cases import Case, case_named, case_points, start_of
from intarsia.bench.measure import Floats, answered_peak, one_thread, peak_rss_mb

LIBRARIES = ("sklearn", "intarsia")


def fitter(library: str, X: Floats, start: Floats) -> Callable[[], Any]:
    """Return a callable that fits once and returns the fitted estimator."""
    options: dict[str, Any] = {"init": start, "n_init": 1, "max_iter": 1000, "tol": 0.0}
    if library == "sklearn":
        return lambda: SklearnKMeans(len(start), algorithm="lloyd", **options).fit(X)
    return lambda: KMeans(len(start), n_threads=1, **options).fit(X)


def peak_in_subprocess(case: Case, library: str, data_dir: Path | None, quick: bool) -> float:
    """Fit once in float64 in a fresh process and return its peak resident size in MB."""
    folder = None if data_dir is None else str(data_dir)
    request = {"case": case.name, "library": library, "data_dir": folder, "quick": quick}
    return answered_peak("intarsia.bench.kernels.kmeans_fits", request)


def _answer(request: str) -> float:
    wanted = json.loads(request)
    folder = None if wanted["data_dir"] is None else Path(wanted["data_dir"])
    case = case_named(wanted["case"], wanted["quick"])
    X = case_points(case, folder)
    # from the first points only: sorting all of them would be the peak
    start = start_of(X[: 20 * case.n_clusters], case.n_clusters)
    with one_thread():
        fitter(wanted["library"], X, start)()
    return peak_rss_mb()


if __name__ == "__main__":
    print(_answer(sys.argv[1]))
