"""`intarsia bench neighbours`: against the k-d tree of SciPy in few dimensions, scikit-learn in many."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from sklearn.neighbors import NearestNeighbors

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.bench.measure import answered_peak, interleaved, one_thread, peak_rss_mb
from intarsia.neighbours import Neighbours
from intarsia.report.terminal import print_json, print_table

TREE_DIMS = 8  # up to here SciPy's tree is the faster of the peers
QUICK_SAMPLES = 2_000
COLUMNS = ("points", "data", "k", "peer", "peer ms", "our ms", "ratio", "rel diff", "peer MB", "our MB")


@dataclass(frozen=True)
class NeighbourCase:
    """Points, all of which ask for their k nearest others."""

    n_samples: int
    n_features: int
    k: int
    clustered: bool = False

    @property
    def peer(self) -> str:
        """Who is measured beside us."""
        return "SciPy cKDTree" if self.n_features <= TREE_DIMS else "scikit-learn brute"

    def points(self) -> Floats:
        """Return the same points each time."""
        rng = np.random.default_rng(self.n_features)
        if not self.clustered:
            return rng.random((self.n_samples, self.n_features))
        centres = rng.uniform(-10, 10, (20, self.n_features))
        return centres[rng.integers(20, size=self.n_samples)] + rng.normal(
            size=(self.n_samples, self.n_features)
        )

    def finder(self, library: str, X: Floats) -> Callable[[], Floats]:
        """Return a callable that finds the neighbours once, index and all, and returns their distances."""
        if library == "intarsia":
            return lambda: Neighbours(X, 1).nearest(self.k)[1]
        if self.n_features <= TREE_DIMS:
            return lambda: np.asarray(cKDTree(X).query(X, self.k + 1)[0][:, 1:])
        brute = NearestNeighbors(n_neighbors=self.k, algorithm="brute", n_jobs=1)
        return lambda: np.asarray(brute.fit(X).kneighbors()[0])


CASES = (
    NeighbourCase(100_000, 2, 11),
    NeighbourCase(100_000, 2, 11, clustered=True),
    NeighbourCase(100_000, 2, 100),
    NeighbourCase(100_000, 4, 11),
    NeighbourCase(100_000, 8, 11),
    NeighbourCase(100_000, 8, 11, clustered=True),
    NeighbourCase(20_000, 8, 100),
    NeighbourCase(20_000, 16, 11),
    NeighbourCase(20_000, 16, 11, clustered=True),
    NeighbourCase(20_000, 30, 11),
    NeighbourCase(20_000, 30, 11, clustered=True),
    NeighbourCase(20_000, 30, 100),
    NeighbourCase(20_000, 64, 11),
)


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure every case and print them."""
    rounds = 1 if quick else repeats
    results = [measure(_quick_form(case) if quick else case, rounds) for case in CASES]
    if as_json:
        print_json({"benchmark": "neighbours", "repeats": rounds, "cases": results})
        return
    how = f"CPU ms, fastest of {rounds}, {_core.simd_level()}"
    title = f"k nearest others of every point, building the index included, one thread ({how})"
    print_table(title, COLUMNS, [_row(result) for result in results])
    print("ratio: the peer's CPU time over ours; rel diff: largest relative difference of a distance")


def measure(case: NeighbourCase, repeats: int) -> dict[str, Any]:
    """Find the neighbours with both libraries; time them in turn."""
    X = case.points()
    theirs, ours = (case.finder(library, X) for library in (case.peer, "intarsia"))
    with one_thread():
        expected, found = theirs(), ours()
        their_time, our_time = interleaved((theirs, ours), repeats)
    return {
        **asdict(case),
        "peer": case.peer,
        "peer_ms": their_time.min_ms,
        "our_ms": our_time.min_ms,
        "ratio": their_time.min_ms / our_time.min_ms,
        "relative_difference": float(np.max(np.abs(found - expected) / expected)),
        "peer_peak_mb": peak_in_subprocess(case, case.peer),
        "our_peak_mb": peak_in_subprocess(case, "intarsia"),
    }


def peak_in_subprocess(case: NeighbourCase, library: str) -> float:
    """Find the neighbours once in a fresh process and return its peak resident size in MB."""
    return answered_peak("intarsia.bench.kernels.neighbours", {"case": asdict(case), "library": library})


def _answer(request: str) -> float:
    wanted = json.loads(request)
    case = NeighbourCase(**wanted["case"])
    with one_thread():
        case.finder(wanted["library"], case.points())()
    return peak_rss_mb()


def _quick_form(case: NeighbourCase) -> NeighbourCase:
    return NeighbourCase(QUICK_SAMPLES, case.n_features, case.k, case.clustered)


def _row(result: dict[str, Any]) -> list[str]:
    return [
        f"{result['n_samples']} x {result['n_features']}",
        "clustered" if result["clustered"] else "uniform",
        str(result["k"]),
        result["peer"],
        f"{result['peer_ms']:.0f}",
        f"{result['our_ms']:.0f}",
        f"{result['ratio']:.1f}",
        f"{result['relative_difference']:.0e}",
        f"{result['peer_peak_mb']:.0f}",
        f"{result['our_peak_mb']:.0f}",
    ]


if __name__ == "__main__":
    print(_answer(sys.argv[1]))
