"""`intarsia bench spectral`: against scikit-learn's, on the same kind of affinities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from sklearn.cluster import SpectralClustering

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base.graph_estimators import Spectral
from intarsia.bench.measure import interleaved, one_thread
from intarsia.metrics import adjusted_rand_index
from intarsia.report.terminal import print_json, print_table

QUICK_SAMPLES = 700
COLUMNS = ("points", "k", "affinity", "scikit-learn ms", "our ms", "ratio", "same labels")
_NEIGHBOURS = 10


@dataclass(frozen=True)
class SpectralCase:
    """Separate Gaussians: both find them, so that the labels compare."""

    n_samples: int
    n_features: int
    n_clusters: int
    affinity: str

    def points(self) -> Floats:
        """Return the same points each time."""
        rng = np.random.default_rng(self.n_features)
        side = int(np.ceil(self.n_clusters ** (1 / self.n_features)))
        grid = np.stack(np.meshgrid(*[np.arange(side)] * self.n_features), axis=-1)
        centres = 12.0 * grid.reshape(-1, self.n_features)[: self.n_clusters]
        classes = np.arange(self.n_samples) % self.n_clusters
        return np.ascontiguousarray(centres[classes] + rng.normal(size=(self.n_samples, self.n_features)))

    def finder(self, library: str, X: Floats) -> Callable[[], Labels]:
        """Return a callable that gives labels."""
        sigma = 1.5
        if library == "intarsia":
            model = Spectral(
                self.n_clusters,
                sigma=sigma,
                affinity=self.affinity,
                n_neighbors=_NEIGHBOURS,
                random_state=0,
                n_threads=1,
            )
        else:
            kind = "rbf" if self.affinity == "full" else "nearest_neighbors"
            model = SpectralClustering(
                self.n_clusters,
                affinity=kind,
                gamma=0.5 / sigma**2,
                n_neighbors=_NEIGHBOURS,
                random_state=0,
                n_jobs=1,
            )
        return lambda: np.asarray(model.fit(X).labels_)


CASES = (
    SpectralCase(2_000, 4, 10, "full"),
    SpectralCase(5_000, 4, 10, "full"),
    SpectralCase(5_000, 4, 10, "neighbours"),
    SpectralCase(5_000, 2, 5, "neighbours"),
)


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure every case and print them."""
    rounds = 1 if quick else repeats
    cases = [replace(case, n_samples=QUICK_SAMPLES) if quick else case for case in CASES]
    results = [measure(case, rounds) for case in cases]
    if as_json:
        print_json({"benchmark": "spectral", "repeats": rounds, "cases": results})
        return
    title = f"spectral clustering, one thread (CPU ms, fastest of {rounds}, {_core.simd_level()})"
    print_table(title, COLUMNS, [_row(result) for result in results])
    print("ratio: scikit-learn's CPU time over ours; same labels: up to their names")


def measure(case: SpectralCase, repeats: int) -> dict[str, Any]:
    """Cluster with both libraries; time them in turn."""
    import warnings

    X = case.points()
    works = [case.finder(library, X) for library in ("intarsia", "scikit-learn")]
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # scikit-learn's of graphs in several parts, which it clusters all the same
        ours, theirs = (work() for work in works)
        times = [timing.min_ms for timing in interleaved(works, repeats)]
    return {
        **asdict(case),
        "our_ms": times[0],
        "peer_ms": times[1],
        "ratio": times[1] / times[0],
        "same_labels": bool(adjusted_rand_index(ours, theirs) == 1.0),
    }


def _row(result: dict[str, Any]) -> list[str]:
    return [
        f"{result['n_samples']} x {result['n_features']}",
        str(result["n_clusters"]),
        result["affinity"],
        f"{result['peer_ms']:.0f}",
        f"{result['our_ms']:.0f}",
        f"{result['ratio']:.1f}",
        "yes" if result["same_labels"] else "no",
    ]
