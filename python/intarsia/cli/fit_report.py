"""What `intarsia fit` has to say about its result, as plain data."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from intarsia import _core
from intarsia._version import __version__
from intarsia.base import BaseResult
from intarsia.executor import resolve_threads
from intarsia.io import Points


@dataclass(frozen=True)
class FitReport:
    """The facts of one fit, in the order they are printed as JSON."""

    data: str
    n_samples: int
    n_features: int
    n_clusters: int
    method: str
    init: str
    scale: str
    dtype: str
    runs: int
    seed: int
    cost: float
    mean_cost: float
    costs: list[float]
    n_iter: int
    adjusted_rand_index: float | None
    seconds: float
    threads: int
    simd: str
    version: str

    def as_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON."""
        return asdict(self)


def make_report(
    args: argparse.Namespace, points: Points, results: list[BaseResult], best: BaseResult, seconds: float
) -> FitReport:
    """Collect the facts of a finished fit."""
    costs = [float(result.inertia) for result in results]
    return FitReport(
        data=points.name,
        n_samples=int(points.X.shape[0]),
        n_features=int(points.X.shape[1]),
        n_clusters=args.clusters,
        method=args.method,
        init=args.init,
        scale=args.scale,
        dtype="float32" if args.float32 else "float64",
        runs=args.runs,
        seed=args.seed,
        cost=float(best.inertia),
        mean_cost=float(np.mean(costs)),
        costs=costs,
        n_iter=int(best.n_iter),
        adjusted_rand_index=_agreement(points, best),
        seconds=round(seconds, 6),
        threads=resolve_threads(args.threads),
        simd=_core.simd_level(),
        version=__version__,
    )


def _agreement(points: Points, best: BaseResult) -> float | None:
    if points.labels is None:
        return None
    known = points.labels >= 0  # -1 marks a missing class
    return float(adjusted_rand_score(points.labels[known], best.labels[known]))
