"""CPU times, interleaved so that a noisy machine disturbs both sides alike, and peak memory."""

from __future__ import annotations

import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


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


def peak_rss_mb() -> float:
    """Return the largest resident size of this process so far, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # VmHWM starts anew with each program; ru_maxrss would remember the parent's size
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)
