"""`intarsia bench single-link`: against fastcluster and SciPy, and alone where they cannot."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.base.single_link import spanning_tree
from intarsia.bench.measure import answered_peak, interleaved, one_thread, peak_rss_mb
from intarsia.report.terminal import print_json, print_table

QUICK_SAMPLES = 1_500
COLUMNS = ("points", "data", "peer", "peer ms", "our ms", "ratio", "rel diff", "peer MB", "our MB")
FASTCLUSTER, SCIPY = "fastcluster", "scipy"


@dataclass(frozen=True)
class TreeCase:
    """Points whose minimum spanning tree is wanted, and who else finds it (None: nobody in time)."""

    n_samples: int
    n_features: int
    peer: str | None
    clustered: bool = False

    def points(self) -> Floats:
        """Return the same points each time."""
        rng = np.random.default_rng(self.n_features)
        if not self.clustered:
            return rng.random((self.n_samples, self.n_features))
        X = rng.normal(size=(self.n_samples, self.n_features))
        X += rng.uniform(-10, 10, (20, self.n_features))[rng.integers(20, size=self.n_samples)]
        return X

    def finder(self, library: str, X: Floats) -> Callable[[], Floats]:
        """Return a callable that gives the lengths of the merges."""
        if library == "intarsia":
            return lambda: spanning_tree(X, 1)[1]
        if library == SCIPY:
            return lambda: np.asarray(linkage(X, "single")[:, 2])
        from fastcluster import linkage_vector

        return lambda: np.asarray(linkage_vector(X, "single")[:, 2])


CASES = (
    TreeCase(5_000, 2, SCIPY),
    TreeCase(5_000, 8, SCIPY),
    TreeCase(20_000, 2, FASTCLUSTER),
    TreeCase(20_000, 8, FASTCLUSTER),
    TreeCase(20_000, 8, FASTCLUSTER, clustered=True),
    TreeCase(20_000, 30, FASTCLUSTER),
    TreeCase(100_000, 2, None),
    TreeCase(1_000_000, 2, None),
)


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure every case whose peer is installed and print them."""
    rounds = 1 if quick else repeats
    cases = [case for case in CASES if case.peer is None or find_spec(case.peer)]
    results = [measure(_quick_form(case) if quick else case, rounds) for case in cases]
    absent = sorted({case.peer for case in CASES if case.peer is not None and not find_spec(case.peer)})
    if as_json:
        print_json({"benchmark": "single-link", "repeats": rounds, "cases": results, "absent": absent})
        return
    title = f"all merges of single link, one thread (CPU ms, fastest of {rounds}, {_core.simd_level()})"
    print_table(title, COLUMNS, [_row(result) for result in results])
    print("ratio: the peer's CPU time over ours; rel diff: of the summed lengths of the merges")
    if absent:
        print(f"not installed: {', '.join(absent)}; pip install intarsia[bench]")


def measure(case: TreeCase, repeats: int) -> dict[str, Any]:
    """Find the tree with both libraries; time them in turn."""
    X = case.points()
    libraries = ["intarsia"] if case.peer is None else ["intarsia", case.peer]
    works = [case.finder(library, X) for library in libraries]
    with one_thread():
        weights = [float(np.sum(work())) for work in works]
        times = [timing.min_ms for timing in interleaved(works, repeats)]
    peaks = [peak_in_subprocess(case, library) for library in libraries]
    return {
        **asdict(case),
        "our_ms": times[0],
        "our_peak_mb": peaks[0],
        "tree_weight": weights[0],
        "peer_ms": times[1] if case.peer else None,
        "peer_peak_mb": peaks[1] if case.peer else None,
        "ratio": times[1] / times[0] if case.peer else None,
        "relative_difference": abs(weights[0] / weights[1] - 1) if case.peer else None,
    }


def peak_in_subprocess(case: TreeCase, library: str) -> float:
    """Find the tree once in a fresh process and return its peak resident size in MB."""
    return answered_peak("intarsia.bench.kernels.single_link", {"case": asdict(case), "library": library})


def _answer(request: str) -> float:
    wanted = json.loads(request)
    case = TreeCase(**wanted["case"])
    with one_thread():
        case.finder(wanted["library"], case.points())()
    return peak_rss_mb()


def _quick_form(case: TreeCase) -> TreeCase:
    return replace(case, n_samples=QUICK_SAMPLES)


def _row(result: dict[str, Any]) -> list[str]:
    def shown(name: str, form: str) -> str:
        return "-" if result[name] is None else format(result[name], form)

    return [
        f"{result['n_samples']} x {result['n_features']}",
        "clustered" if result["clustered"] else "uniform",
        result["peer"] or "-",
        shown("peer_ms", ".0f"),
        shown("our_ms", ".0f"),
        shown("ratio", ".1f"),
        shown("relative_difference", ".0e"),
        shown("peer_peak_mb", ".0f"),
        shown("our_peak_mb", ".0f"),
    ]


if __name__ == "__main__":
    print(_answer(sys.argv[1]))
