"""`intarsia bench scaling`: a fit measured task by task here, and what it would take on many ranks."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.arrays import Floats
from intarsia.bench.cases import case_points
from intarsia.bench.parallel.mpi import PCB3038, QUICK_CLUSTERS, QUICK_POINTS
from intarsia.bench.parallel.scaling_model import Network, Stage, predict_seconds
from intarsia.examce.estimator import Examce
from intarsia.examce.loop import run_examce
from intarsia.executor import SerialExecutor
from intarsia.executor.protocol import Result, Shared, Task
from intarsia.report.terminal import print_json, print_table

RANKS = (1, 8, 64, 512)
NAMES = {
    "ndarray": "base run",
    "Round": "cover",
    "Step": "step of a population",
}


@dataclass
class Meter(SerialExecutor):
    """A serial executor that notes the seconds of every task and the bytes of its result."""

    stages: list[Stage] = field(default_factory=list)

    def map(
        self,
        fn: Callable[[Task, Shared], Result],
        tasks: Sequence[Task],
        shared: Shared,
        on_done: Callable[[int], None] | None = None,
    ) -> list[Result]:
        """See `Executor.map`."""
        results, seconds = [], []
        for task in tasks:
            started = time.perf_counter()
            results.append(fn(task, shared))
            seconds.append(time.perf_counter() - started)
        n_bytes = [len(pickle.dumps(result, protocol=5)) for result in results]
        kinds = [type(result).__name__ for result in results]
        self.stages.append(Stage(tuple(kinds), tuple(seconds), tuple(n_bytes)))
        return results


def run(
    *,
    data_dir: Path | None,
    quick: bool,
    as_json: bool,
    base_runs: int | None,
    gigabits: float,
    micros: float,
) -> None:
    """Measure one default fit, print what its tasks cost, and predict larger jobs."""
    X, k = case_points(PCB3038, data_dir), PCB3038.n_clusters
    if quick:
        X, k = X[:QUICK_POINTS], QUICK_CLUSTERS
    meter, network = Meter(), Network(gigabits * 1e9 / 8, micros * 1e-6)
    total = measure(meter, X.astype(np.float64), k, 24 if quick else base_runs)
    serial = max(0.0, total - sum(sum(stage.seconds) for stage in meter.stages))
    rows = [predicted(meter.stages, serial, n_ranks, network) for n_ranks in RANKS]
    kinds = task_costs(meter.stages)
    facts = {"n_samples": len(X), "n_clusters": k, "seconds": total, "serial_seconds": serial}
    if as_json:
        print_json({"benchmark": "scaling", **facts, "tasks": kinds, "ranks": rows})
        return
    _print(facts, kinds, rows)


def measure(meter: Meter, X: Floats, k: int, base_runs: int | None) -> float:
    """Fit with the meter in the place of the executor; return the seconds in all."""
    model = Examce(k, n_base_runs=base_runs, random_state=0)
    started = time.perf_counter()
    run_examce(model.start_state(X, None, meter))
    return time.perf_counter() - started


def predicted(stages: Sequence[Stage], serial: float, n_ranks: int, network: Network) -> dict[str, float]:
    """One line of the table: seconds and efficiency on so many ranks."""
    alone = predict_seconds(stages, serial, 1, network)
    seconds = predict_seconds(stages, serial, n_ranks, network)
    speed_up = alone / seconds
    return {"ranks": n_ranks, "seconds": seconds, "speed_up": speed_up, "efficiency": speed_up / n_ranks}


def task_costs(stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Number, seconds and bytes of each kind of task."""
    tasks = [task for stage in stages for task in zip(stage.kinds, stage.seconds, stage.n_bytes, strict=True)]
    return [_cost(kind, tasks) for kind in dict.fromkeys(kind for kind, _, _ in tasks)]


def _cost(kind: str, tasks: Sequence[tuple[str, float, int]]) -> dict[str, Any]:
    seconds = [s for other, s, _ in tasks if other == kind]
    n_bytes = [b for other, _, b in tasks if other == kind]
    return {
        "task": NAMES.get(kind, kind),
        "number": len(seconds),
        "mean_ms": 1e3 * sum(seconds) / len(seconds),
        "longest_ms": 1e3 * max(seconds),
        "mean_kb": sum(n_bytes) / len(n_bytes) / 1e3,
    }


def _print(facts: dict[str, Any], kinds: list[dict[str, Any]], rows: list[dict[str, float]]) -> None:
    print(f"{facts['n_samples']} points, k = {facts['n_clusters']}, {facts['seconds']:.2f} s on one core,")
    print(f"{facts['serial_seconds']:.2f} s of it between tasks, which every rank does for itself")
    columns = ("task", "number", "mean ms", "longest ms", "kB a result")
    numbers = ("mean_ms", "longest_ms", "mean_kb")
    cells = [[row["task"], str(row["number"]), *(f"{row[name]:.1f}" for name in numbers)] for row in kinds]
    print_table("measured", columns, cells)
    print_table("predicted", ("ranks", "seconds", "speed-up", "efficiency"), [_line(row) for row in rows])


def _line(row: dict[str, float]) -> list[str]:
    share = f"{100 * row['efficiency']:.0f} %"
    return [f"{row['ranks']:.0f}", f"{row['seconds']:.2f}", f"{row['speed_up']:.1f}", share]
