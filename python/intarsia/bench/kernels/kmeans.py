"""`intarsia bench kmeans`: our exact k-means against scikit-learn's Lloyd, one thread, same start."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from intarsia import _core
from intarsia.bench.cases import CASES, Case, case_file, case_points, quick_form, start_of
from intarsia.bench.kernels.kmeans_fits import LIBRARIES, fitter, peak_in_subprocess
from intarsia.bench.measure import Floats, cost_of, interleaved, one_thread
from intarsia.report.terminal import print_json, print_table

COLUMNS = (
    "case", "n", "d", "k", "iter", "sklearn ms", "ours ms", "ratio f64", "rel diff", "ratio f32", "rel diff",
    "sklearn MB", "ours MB",
)  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Both libraries on one data set in one precision; times are CPU ms, ratios of the fastest repeats."""

    n_iter: int
    sklearn_n_iter: int
    sklearn_ms: float
    ours_ms: float
    sklearn_median_ms: float
    ours_median_ms: float
    ratio: float
    inertia: float
    relative_difference: float


def run(*, data_dir: Path | None, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure the five cases and print them."""
    rounds = min(repeats, 2) if quick else repeats
    results = [_measure(quick_form(case) if quick else case, data_dir, rounds, quick) for case in CASES]
    if as_json:
        print_json({"benchmark": "kmeans", "repeats": rounds, "simd": _core.simd_level(), "cases": results})
    else:
        _print(results, rounds)


def compare(X: Floats, start: Floats, repeats: int) -> Comparison:
    """Fit with both libraries from the same start; time them in turn."""
    works = [fitter(library, X, start) for library in LIBRARIES]
    with one_thread():
        theirs, ours = (work() for work in works)
        their_time, our_time = interleaved(works, repeats)
    their_cost, our_cost = cost_of(X, theirs.labels_), cost_of(X, ours.labels_)
    return Comparison(
        n_iter=int(ours.n_iter_),
        sklearn_n_iter=int(theirs.n_iter_),
        sklearn_ms=their_time.min_ms,
        ours_ms=our_time.min_ms,
        sklearn_median_ms=their_time.median_ms,
        ours_median_ms=our_time.median_ms,
        ratio=their_time.min_ms / our_time.min_ms,
        inertia=our_cost,
        relative_difference=our_cost / their_cost - 1,
    )


def _measure(case: Case, data_dir: Path | None, repeats: int, quick: bool) -> dict[str, Any]:
    X = case_points(case, data_dir)
    start = start_of(X, case.n_clusters)
    double = compare(X, start, repeats)
    single = compare(X.astype(np.float32), start.astype(np.float32), repeats)
    peaks = {library: peak_in_subprocess(case, library, data_dir, quick) for library in LIBRARIES}
    return {
        "case": case.name,
        "n_samples": len(X),
        "n_features": X.shape[1],
        "n_clusters": case.n_clusters,
        "stand_in": case.published and case_file(case, data_dir) is None,
        "float64": asdict(double),
        "float32": asdict(single),
        "peak_mb": peaks,
    }


def _print(results: list[dict[str, Any]], repeats: int) -> None:
    how = f"CPU ms, fastest of {repeats}, {_core.simd_level()}"
    title = f"k-means, one thread, same start, to convergence ({how})"
    print_table(title, COLUMNS, [_row(result) for result in results])
    if any(result["stand_in"] for result in results):
        print("* generated points of the same size; --data-dir D with tsplib/*.tsp measures the real ones")


def _row(result: dict[str, Any]) -> list[str]:
    double, single, peaks = result["float64"], result["float32"], result["peak_mb"]
    return [
        result["case"] + ("*" if result["stand_in"] else ""),
        *(str(result[size]) for size in ("n_samples", "n_features", "n_clusters")),
        str(double["n_iter"]),
        f"{double['sklearn_ms']:.1f}",
        f"{double['ours_ms']:.1f}",
        f"{double['ratio']:.2f}",
        f"{double['relative_difference']:.0e}",
        f"{single['ratio']:.2f}",
        f"{single['relative_difference']:.0e}",
        *(f"{peaks[library]:.0f}" for library in LIBRARIES),
    ]
