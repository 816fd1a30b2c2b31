"""`intarsia bench mpi`: several ranks of one thread against one rank, on pcb3038 with 300 clusters."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.bench.cases import Case, case_file, case_points
from intarsia.report.terminal import print_json, print_table

PCB3038 = Case("pcb3038", 3038, 2, 300, published=True)
N_RUNS = 300
QUICK_POINTS, QUICK_CLUSTERS, QUICK_RUNS = 300, 45, 20


@dataclass(frozen=True)
class Work:
    """One way to call `intarsia fit`."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """The best of the repeats: seconds of the fit, seconds with start and end of all ranks, and its cost."""

    work: str
    ranks: int
    seconds: float
    whole_seconds: float
    cost: float


def run(*, data_dir: Path | None, quick: bool, ranks: int, repeats: int, as_json: bool) -> None:
    """Measure both kinds of work with one rank and with several, and print them."""
    launcher = find_launcher("bench mpi")
    X, k, n_runs = case_points(PCB3038, data_dir), PCB3038.n_clusters, N_RUNS
    if quick:
        X, k, n_runs = X[:QUICK_POINTS], QUICK_CLUSTERS, QUICK_RUNS
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "points.npy"), X)
        fit = (str(Path(folder, "points.npy")), "-k", str(k), "--threads", "1", "--json")
        works = (
            Work(f"{n_runs} HK-means runs", (*fit, "--method", "hk-means", "--runs", str(n_runs))),
            Work("the whole default fit", fit),
        )
        measured = [row for work in works for row in compare(launcher, work, ranks, 1 if quick else repeats)]
    stand_in = case_file(PCB3038, data_dir) is None
    _show({"stand_in": stand_in, "n_samples": len(X), "n_clusters": k}, measured, as_json)


def compare(launcher: str, work: Work, ranks: int, repeats: int) -> list[Measured]:
    """Time one rank and several in turn, so that a noisy machine disturbs both alike; keep the best."""
    seen: dict[int, list[Measured]] = {1: [], ranks: []}
    for _ in range(repeats):
        for n_ranks, rows in seen.items():
            rows.append(_measure(launcher, work, n_ranks))
    return [min(rows, key=lambda row: row.seconds) for rows in seen.values()]


def _measure(launcher: str, work: Work, n_ranks: int) -> Measured:
    command = [launcher, "-n", str(n_ranks), sys.executable, "-m", "intarsia", "fit", *work.words]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    whole = time.perf_counter() - started
    if done.returncode != 0:
        words = done.stderr.strip().splitlines()[:1] or [f"exit code {done.returncode}"]
        raise ValueError(f"{work.name} with {n_ranks} ranks failed: {words[0]}")
    facts = json.loads(done.stdout)
    if facts["ranks"] != n_ranks:
        raise ValueError(f"{launcher} gave {facts['ranks']} ranks where {n_ranks} were asked for.")
    return Measured(work.name, n_ranks, facts["seconds"], whole, facts["cost"])


def find_launcher(who: str) -> str:
    """Return the program that starts ranks, or say what `who` needs."""
    # the one beside this Python comes with the MPI that its mpi4py uses
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("mpiexec", path=places)
    if found is None:
        raise ValueError(f"{who} needs mpiexec and mpi4py: pip install intarsia[mpi]")
    return found


def _show(case: dict[str, Any], measured: Sequence[Measured], as_json: bool) -> None:
    alone = {row.work: row.seconds for row in measured if row.ranks == 1}
    rows = [{**asdict(row), "speed_up": alone[row.work] / row.seconds} for row in measured]
    if as_json:
        print_json({"benchmark": "mpi", **case, "cores": os.cpu_count(), "rows": rows})
        return
    name = "a stand-in for pcb3038" if case["stand_in"] else "pcb3038"
    title = f"{name}, {case['n_samples']} points, k = {case['n_clusters']}, one thread a rank"
    columns = ("work", "ranks", "seconds", "speed-up", "with start-up", "cost")
    print_table(title, columns, [_cells(row) for row in rows])


def _cells(row: dict[str, Any]) -> list[str]:
    times = [f"{row['seconds']:.2f}", f"{row['speed_up']:.2f}", f"{row['whole_seconds']:.2f}"]
    return [row["work"], str(row["ranks"]), *times, f"{row['cost']:.2f}"]
