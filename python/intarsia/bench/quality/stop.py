"""`intarsia bench stop`: how soon an effort ends on easy problems, in work and in CPU time."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans

from intarsia._core import Stage
from intarsia.arrays import Floats
from intarsia.bench.measure import cpu_ms
from intarsia.bench.quality.instances import (
    Instance,
    instance_points,
    instances,
    measure_each,
    need_data,
    with_data,
)
from intarsia.examce.criteria.protocol import BaseTask, Criterion, Stream, SwapLimits
from intarsia.examce.estimator import Examce
from intarsia.executor import SerialExecutor
from intarsia.report.terminal import print_json, print_table

CASES = instances(
    "gauss100:100", "a1:20", "a3:50", "s1:15", "s2:15", "s4:15", "iris:3", "wine:3",
    "blobs-10000-4:10", "blobs-10000-4:100", "birch1:100", "2d2k:2",
)  # fmt: skip
QUICK = instances("iris:3", "2d2k:2")
COLUMNS = ("case", "cost", "worst", "work", "work / allowed", "CPU s", "sklearn n_init=10", "sklearn CPU s")
_STARTS = 10
_TIMES = 3  # the work at which the answer was there


@dataclass(frozen=True)
class Stopped:
    """One problem over the seeds: medians, and the worst cost; `allowed` is what done-by-then would be."""

    case: str
    n_seeds: int
    cost: float
    worst: float
    work: float
    share: float
    cpu_s: float
    sklearn_cost: float
    sklearn_cpu_s: float


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    cases: Sequence[str] | None = None,
    seeds: int | None = None,
    effort: str = "default",
) -> None:
    """Fit every problem from every seed, one thread."""
    found, missing = with_data(cases, QUICK if quick else CASES, data_dir)
    n_seeds = seeds or (2 if quick else 10)
    rows = measure_each("stop", found, lambda case: measure(case, data_dir, n_seeds, effort))
    if as_json:
        print_json({"benchmark": "stop", "effort": effort, "cases": [asdict(row) for row in rows]})
        return
    print_table(f"{effort} effort, one thread, medians over seeds", COLUMNS, [_row(row) for row in rows])
    print(f"allowed: {_TIMES} times the work at which the answer was there, and {_STARTS} starts")
    if missing:
        print(need_data(missing))


def measure(case: Instance, data_dir: Path | None, n_seeds: int, effort: str) -> Stopped:
    """Fit one problem from each seed, and scikit-learn's ten starts beside it."""
    X, k = instance_points(case, data_dir), case.n_clusters
    costs, works, shares, seconds, peers = [], [], [], [], []
    for seed in range(n_seeds):
        model = Examce(k, effort=effort, random_state=seed, n_threads=1)
        starts = work_of_starts(model.start_state(X, None, SerialExecutor()).criterion, k, seed)
        ms, _ = cpu_ms(partial(model.fit, X))
        fitted = model.result_
        costs.append(fitted.cost)
        works.append(fitted.work)
        shares.append(fitted.work / (_TIMES * fitted.work_of_best + starts))
        seconds.append(ms / 1e3)
        peers.append(_sklearn(X, k, seed))
    middle = statistics.median
    peer_cost, peer_ms = middle(cost for _, cost in peers), middle(ms for ms, _ in peers)
    return Stopped(
        case.label, n_seeds, middle(costs), max(costs), middle(works), middle(shares), middle(seconds),
        peer_cost, peer_ms / 1e3,
    )  # fmt: skip


def work_of_starts(criterion: Criterion, k: int, seed: int) -> float:
    """Return the work of ten k-means++ starts, each to its local optimum."""
    start = criterion.base_run(BaseTask(0, k), "kmeans", "k-means++", seed)
    found = criterion.swap_search(start, SwapLimits(0), Stream(seed, Stage.SEARCH, 0, 0))
    return _STARTS * (criterion.start_work(k) + found.work)


def _sklearn(X: Floats, k: int, seed: int) -> tuple[float, float]:
    ms, fitted = cpu_ms(lambda: SklearnKMeans(k, n_init=_STARTS, random_state=seed).fit(np.asarray(X)))
    return ms, float(fitted.inertia_)


def _row(row: Stopped) -> list[str]:
    return [
        row.case,
        f"{row.cost:.10g}",
        f"{row.worst:.10g}",
        f"{row.work:.3g}",
        f"{row.share:.2f}",
        f"{row.cpu_s:.2f}",
        f"{100 * (row.sklearn_cost / row.cost - 1):+.4f} %",
        f"{row.sklearn_cpu_s:.2f}",
    ]
