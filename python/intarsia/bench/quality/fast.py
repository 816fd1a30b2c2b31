"""`intarsia bench fast`: fast effort beside ten starts of scikit-learn, cost and CPU time, one thread."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans

from intarsia.arrays import Floats
from intarsia.bench.measure import cpu_ms, one_thread
from intarsia.bench.quality import mssc
from intarsia.bench.quality.instances import (
    Instance,
    instance_points,
    instances,
    measure_each,
    need_data,
    with_data,
)
from intarsia.examce.estimator import Examce
from intarsia.report.terminal import print_json, print_table

GENERATED = instances(
    "blobs-2000-2:20", "blobs-10000-4:10", "blobs-10000-4:100", "blobs-20000-16:26", "blobs-100000-3:30",
)  # fmt: skip
OTHERS = instances("digits:10", "blobs-50000-10-std2:50", "blobs-50000-10-std5:50")
QUICK = instances("iris:3", "blobs-300-4:5")
COLUMNS = ("case", "cost", "sklearn above it", "CPU s", "sklearn CPU s", "CPU ratio", "ahead")
_STARTS = 10
_SAME = 1e-9  # relative: the order of a sum changes no verdict


@dataclass(frozen=True)
class Beside:
    """One problem: means over the seeds."""

    case: str
    n_seeds: int
    cost: float
    cpu_s: float
    sklearn_cost: float
    sklearn_cpu_s: float

    @property
    def is_ahead(self) -> bool:
        """Whether the cost is no higher in no more CPU time."""
        return self.cost <= self.sklearn_cost * (1 + _SAME) and self.cpu_s <= self.sklearn_cpu_s


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    cases: Sequence[str] | None = None,
    seeds: int | None = None,
) -> None:
    """Fit every problem from every seed by both."""
    all_cases = QUICK if quick else mssc.CASES + GENERATED + OTHERS
    found, missing = with_data(cases, all_cases, data_dir)
    n_seeds = seeds or (2 if quick else 10)
    rows = measure_each("fast", found, lambda case: measure(case, data_dir, n_seeds))
    if as_json:
        told = [{**asdict(row), "is_ahead": row.is_ahead} for row in rows]
        print_json({"benchmark": "fast", "cases": told})
        return
    title = f"fast effort beside scikit-learn's n_init={_STARTS}, one thread, means over {n_seeds} seeds"
    print_table(title, COLUMNS, [_row(row) for row in rows])
    print(f"no higher cost in no more CPU time: {sum(row.is_ahead for row in rows)} of {len(rows)}")
    if missing:
        print(need_data(missing))


def measure(case: Instance, data_dir: Path | None, n_seeds: int) -> Beside:
    """Fit one problem from each seed, in turns, so that noise disturbs both alike."""
    X, k = instance_points(case, data_dir), case.n_clusters
    ours, theirs = [], []
    with one_thread():
        for seed in range(n_seeds):
            ours.append(_fitted(lambda s: Examce(k, effort="fast", random_state=s, n_threads=1), X, seed))
            theirs.append(_fitted(lambda s: SklearnKMeans(k, n_init=_STARTS, random_state=s), X, seed))
    cost, seconds = map(statistics.fmean, zip(*ours, strict=True))
    peer_cost, peer_seconds = map(statistics.fmean, zip(*theirs, strict=True))
    return Beside(case.label, n_seeds, cost, seconds, peer_cost, peer_seconds)


def _fitted(make: Callable[[int], Any], X: Floats, seed: int) -> tuple[float, float]:
    ms, model = cpu_ms(lambda: make(seed).fit(np.asarray(X)))
    return float(model.inertia_), ms / 1e3


def _row(row: Beside) -> list[str]:
    return [
        row.case,
        f"{row.cost:.10g}",
        f"{100 * (row.sklearn_cost / row.cost - 1):+.4f} %",
        f"{row.cpu_s:.3f}",
        f"{row.sklearn_cpu_s:.3f}",
        f"{row.cpu_s / row.sklearn_cpu_s:.2f}",
        "yes" if row.is_ahead else "no",
    ]
