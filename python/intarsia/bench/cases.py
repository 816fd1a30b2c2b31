"""The data of the benchmarks: two published files, or stand-ins of their size, and three generated sets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.datasets import find_data
from intarsia.io import DataError, read_points

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Case:
    """One data set, its size and the number of clusters asked for."""

    name: str
    n_samples: int
    n_features: int
    n_clusters: int
    published: bool = False


CASES: tuple[Case, ...] = (
    Case("u1060", 1060, 2, 100, published=True),
    Case("pcb3038", 3038, 2, 500, published=True),
    Case("10k x 5", 10_000, 5, 100),
    Case("100k x 16", 100_000, 16, 200),
    Case("200k x 64", 200_000, 64, 100),
)


def case_named(name: str, quick: bool) -> Case:
    """Return a case by name, in its quick form if asked."""
    case = next(case for case in CASES if case.name == name)
    return quick_form(case) if quick else case


def quick_form(case: Case) -> Case:
    """Return the case with a tenth of its points when it has many."""
    return replace(case, n_samples=case.n_samples // 10) if case.n_samples >= 100_000 else case


def case_file(case: Case, data_dir: Path | None) -> Path | None:
    """Return the published file of a case if a data folder has it."""
    if not case.published:
        return None
    try:
        return find_data(case.name, data_dir)
    except DataError:
        return None


def case_points(case: Case, data_dir: Path | None) -> Floats:
    """Return the points of a case in float64: read when the file is there, generated otherwise."""
    path = case_file(case, data_dir)
    if path is not None:
        return np.asarray(read_points(path).X)
    return _plane(case) if case.published else _blobs(case)


def start_of(X: Floats, n_clusters: int, seed: int = 0) -> Floats:
    """Return k distinct random points, the same start for both sides."""
    distinct = np.unique(X, axis=0)
    rows = np.random.default_rng(seed).choice(len(distinct), n_clusters, replace=False)
    return np.asarray(distinct[rows])


def _plane(case: Case) -> Floats:
    rng = np.random.default_rng(1)
    return rng.integers(0, 20_000, (case.n_samples, case.n_features)).astype(np.float64)


def _blobs(case: Case, block: int = 8192) -> Floats:
    rng = np.random.default_rng(2)
    centers = rng.uniform(-10, 10, (case.n_clusters, case.n_features))
    X = rng.normal(scale=2.0, size=(case.n_samples, case.n_features))  # overlapping: tens of iterations
    for first in range(0, case.n_samples, block):  # in blocks: no second copy, peaks stay those of the fit
        part = X[first : first + block]
        part += centers[rng.integers(case.n_clusters, size=len(part))]
    return X
