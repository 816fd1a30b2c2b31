"""Two ways to fit the same problems, ours and scikit-learn's: mean cost and CPU time, one thread."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from intarsia.arrays import Floats
from intarsia.bench.measure import cpu_ms, one_thread
from intarsia.bench.quality.instances import (
    Instance,
    instance_points,
    measure_each,
    need_data,
    with_data,
)
from intarsia.report.terminal import print_json, print_table

Maker: TypeAlias = Callable[[int, int], Any]
"""From k and a seed to an estimator that has not been fitted."""

_COLUMNS = ("case", "cost", "sklearn above it", "CPU s", "sklearn CPU s", "CPU ratio", "ahead")
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


@dataclass(frozen=True)
class Pair:
    """A benchmark's name, what stands above its table, and the two that it fits."""

    bench: str
    title: str
    ours: Maker
    theirs: Maker

    def run(
        self,
        cases: Sequence[str] | None,
        otherwise: Sequence[Instance],
        data_dir: Path | None,
        n_seeds: int,
        as_json: bool,
    ) -> None:
        """Fit every problem from every seed by both, and print what came of it."""
        found, missing = with_data(cases, otherwise, data_dir)
        rows = measure_each(self.bench, found, lambda case: self.measure(case, data_dir, n_seeds))
        if as_json:
            told = [{**asdict(row), "is_ahead": row.is_ahead} for row in rows]
            print_json({"benchmark": self.bench, "cases": told})
            return
        print_table(
            f"{self.title}, one thread, means over {n_seeds} seeds", _COLUMNS, [_row(row) for row in rows]
        )
        print(f"no higher cost in no more CPU time: {sum(row.is_ahead for row in rows)} of {len(rows)}")
        if missing:
            print(need_data(missing))

    def measure(self, case: Instance, data_dir: Path | None, n_seeds: int) -> Beside:
        """Fit one problem from each seed, in turns, so that noise disturbs both alike."""
        X, k = instance_points(case, data_dir), case.n_clusters
        ours, theirs = [], []
        with one_thread():
            for seed in range(n_seeds):
                ours.append(_fitted(self.ours(k, seed), X))
                theirs.append(_fitted(self.theirs(k, seed), X))
        cost, seconds = map(statistics.fmean, zip(*ours, strict=True))
        peer_cost, peer_seconds = map(statistics.fmean, zip(*theirs, strict=True))
        return Beside(case.label, n_seeds, cost, seconds, peer_cost, peer_seconds)


def _fitted(model: Any, X: Floats) -> tuple[float, float]:
    ms, _ = cpu_ms(lambda: model.fit(np.asarray(X)))
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
