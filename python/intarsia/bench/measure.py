"""What benchmarks measure: CPU time, interleaved so that noise disturbs both sides alike, memory, cost."""

from __future__ import annotations

import json
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

T = TypeVar("T")
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Timing:
    """CPU milliseconds over the repeats."""

    min_ms: float
    median_ms: float


def cpu_ms(work: Callable[[], T]) -> tuple[float, T]:
    """Run once; return CPU milliseconds of this process and the result."""
    started = time.process_time()
    result = work()
    return (time.process_time() - started) * 1e3, result


def interleaved(works: Sequence[Callable[[], object]], repeats: int) -> list[Timing]:
    """Time each of `works` in turn, `repeats` rounds, after one round that is not counted."""
    times: list[list[float]] = [[] for _ in works]
    for round_ in range(repeats + 1):
        for work, seen in zip(works, times, strict=True):
            elapsed, _ = cpu_ms(work)
            if round_ > 0:
                seen.append(elapsed)
    return [Timing(min(seen), statistics.median(seen)) for seen in times]


def one_thread() -> Any:
    """Return a context that holds BLAS and OpenMP of scikit-learn to one thread."""
    return threadpool_limits(limits=1)


def cost_of(X: Floats, labels: NDArray[Any]) -> float:
    """Return the sum of squared distances to the cluster means, in float64 for both libraries."""
    wide = X.astype(np.float64)
    n_clusters = int(labels.max()) + 1
    counts = np.bincount(labels, minlength=n_clusters)
    sums = np.stack([np.bincount(labels, weights=column, minlength=n_clusters) for column in wide.T], axis=1)
    means = sums / np.maximum(counts, 1)[:, None]
    wide -= means[labels]
    return float(np.einsum("ij,ij->", wide, wide))


def peak_rss_mb() -> float:
    """Return the largest resident size of this process so far, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # VmHWM starts anew with each program; ru_maxrss would remember the parent's size
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


def answered_peak(module: str, request: dict[str, Any]) -> float:
    """Let a fresh process of this module fit what is requested; return the peak in MB that it answers."""
    command = [sys.executable, "-m", module, json.dumps(request)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        name = f"{request['library']} on {request['case']}"
        raise RuntimeError(f"the memory run of {name} failed: {done.stderr.strip()}")
    return float(done.stdout)
