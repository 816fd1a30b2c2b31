"""`intarsia bench scale`: time and memory at default effort as n and k grow, and large sets with peers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from intarsia.bench.quality.instances import Instance, instances, need_data, with_data
from intarsia.bench.quality.rivals import OURS, RIVALS
from intarsia.bench.quality.run_file import Run, RunFile
from intarsia.bench.quality.worker import Request, in_fresh_process
from intarsia.report.terminal import print_json, print_table, progress_bar

GROWTH = instances(
    "blobs-1000:10", "blobs-1000:100",
    "blobs-10000:10", "blobs-10000:100", "blobs-10000:1000",
    "blobs-100000:10", "blobs-100000:100", "blobs-100000:1000",
)  # fmt: skip
REAL = instances("birch1:100", "pla85900:1000", "shuttle:50")
MILLION = instances("blobs-1000000-8:100", "blobs-1000000-2:1000")
QUICK = instances("blobs-300:5", "iris:5")
PEERS = ("sklearn", "bkmeans")
COLUMNS = (
    "case", "method", "CPU s", "seconds", "peak MB", "cost", "% above ours", "runs", "ours / one", "status",
)  # fmt: skip


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    cases: Sequence[str] | None = None,
    threads: int = 2,
    seed: int = 0,
    resume: Path | None = None,
    peers: Sequence[str] = PEERS,
) -> None:
    """Measure case by case: ours at default effort, then each peer with the CPU time that ours used."""
    found, missing = with_data(cases, QUICK if quick else GROWTH + REAL + MILLION, data_dir)
    run_file, folder = RunFile(resume), None if data_dir is None else str(data_dir)
    rows: list[Run] = []
    with progress_bar("bench scale", len(found)) as step:
        for case in found:
            rows += compare(case, run_file, folder, threads, seed, peers)
            step()
    _show(rows, threads, as_json)
    if missing and not as_json:
        print(need_data(missing))


def compare(
    case: Instance, run_file: RunFile, data_dir: str | None, threads: int, seed: int, peers: Sequence[str]
) -> list[Run]:
    """Run one case, and as many restarts of each peer as fit into the CPU time of ours."""
    ours = _run(Request(case.name, case.n_clusters, OURS, seed, (math.inf,), data_dir, threads), run_file)
    if ours.has_failed:
        return [ours]
    budget = (round(ours.cpu_s, 2),)
    installed = [name for name in peers if RIVALS[name].is_installed]
    asked = [Request(case.name, case.n_clusters, name, seed, budget, data_dir) for name in installed]
    return [ours, *(_run(request, run_file) for request in asked)]


def _run(request: Request, run_file: RunFile) -> Run:
    key = (request.instance, request.n_clusters, request.method, request.seed, request.budgets[0])
    if key not in run_file.runs:
        run_file.add(in_fresh_process(request))
    return run_file.runs[key]


def _show(rows: Sequence[Run], threads: int, as_json: bool) -> None:
    if as_json:
        print_json({"benchmark": "scale", "n_threads": threads, "runs": [_plain(row) for row in rows]})
        return
    title = f"default effort on {threads} threads; peers: one thread, restarts for the same CPU seconds"
    print_table(title, COLUMNS, [_row(row, rows) for row in rows])


def _plain(row: Run) -> dict[str, Any]:
    # JSON knows neither infinite budgets nor the costs of failed runs
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in asdict(row).items()
    }


def _row(row: Run, rows: Sequence[Run]) -> list[str]:
    if row.has_failed:
        return [row.label, row.method, *["-"] * 7, row.status]
    used = [f"{row.cpu_s:.2f}", f"{row.wall_s:.2f}", f"{row.peak_mb:.0f}"]
    return [
        row.label,
        row.method,
        *used,
        f"{row.cost:.8g}",
        _above_ours(row, rows),
        str(row.n_runs),
        _of_one_run(row, rows),
        row.status,
    ]


def _above_ours(row: Run, rows: Sequence[Run]) -> str:
    ours = _ours(row, rows)
    return "" if row is ours else f"{100 * (row.cost / ours.cost - 1):+.4f}"


def _of_one_run(row: Run, rows: Sequence[Run]) -> str:
    """Our CPU time over that of one of the peer's restarts, on average."""
    ours = _ours(row, rows)
    return "" if row is ours else f"{ours.cpu_s / (row.cpu_s / row.n_runs):.1f}"


def _ours(row: Run, rows: Sequence[Run]) -> Run:
    return next(other for other in rows if other.label == row.label and other.method == OURS)
