"""One consensus function on one ensemble in a process of its own: `python -m ... REQUEST_AS_JSON`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.bench.consensus.plain import PLAIN
from intarsia.bench.measure import peak_rss_mb
from intarsia.consensus import combine_full
from intarsia.metrics import normalized_mutual_information

_N_WARM_UP = 200


@dataclass(frozen=True)
class MethodRun:
    """What one method did with one ensemble; without figures where it failed, and the note says why."""

    n_samples: int
    n_members: int
    n_clusters: int
    method: str
    cpu_s: float | None = None
    wall_s: float | None = None
    peak_mb: float | None = None
    nmi: float | None = None
    note: str = ""


def measure(path: str, asked: MethodRun, threads: int, seed: int, limit: float) -> MethodRun:
    """Run the method of `asked` on the ensemble file in a fresh process."""
    request = {"path": path, "method": asked.method, "k": asked.n_clusters, "threads": threads, "seed": seed}
    command = [sys.executable, "-m", "intarsia.bench.consensus.worker", json.dumps(request)]
    limits = {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    env = {**os.environ, **limits}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=env, timeout=limit)
    except subprocess.TimeoutExpired:
        return replace(asked, note=f"over {limit:g} s")
    if done.returncode != 0:
        words = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return replace(asked, note=f"failed: {words[0]}")
    return replace(asked, **json.loads(done.stdout.splitlines()[-1]))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Measure in this process; a small run first loads what is loaded once."""
    with np.load(request["path"]) as file:
        labels, truth = file["labels"], file["truth"]
    run = _runner(request)
    run(labels[:_N_WARM_UP])
    cpu, wall = time.process_time(), time.perf_counter()
    found, note = run(labels)
    times = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall}
    return {
        **times,
        "peak_mb": peak_rss_mb(),
        "nmi": normalized_mutual_information(truth, found),
        "note": note,
    }


def _runner(request: dict[str, Any]) -> Callable[[Labels], tuple[Labels, str]]:
    method, k = request["method"], request["k"]
    if method in PLAIN:
        return lambda labels: (PLAIN[method](labels, k), "")

    def run(labels: Labels) -> tuple[Labels, str]:
        found = combine_full(labels, k, method, random_state=request["seed"], n_threads=request["threads"])
        return found.labels, found.note

    return run


if __name__ == "__main__":
    print(json.dumps(answer(json.loads(sys.argv[1]))))
