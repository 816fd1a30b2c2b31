"""`intarsia bench memory`: the peak of a fit beside the size of its data, in one process and on ranks."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from intarsia.bench.parallel.mpi import find_launcher
from intarsia.report.terminal import print_json, print_table

MB = 2**20
POINTS, QUICK_POINTS, FEATURES, CLUSTERS = 2_000_000, 100_000, 16, 20
_LOOK_EVERY = 0.01  # seconds: the peak is the largest of what is seen


@dataclass(frozen=True)
class Work:
    """One way to fit, and what it may take: a multiple of the data, and MB for each process."""

    name: str
    words: tuple[str, ...]
    copies: float
    mb_a_process: float


@dataclass(frozen=True)
class Measured:
    """MB of the data, at the peak of all processes together, and how many there may be."""

    work: str
    ranks: int
    data_mb: float
    peak_mb: float
    limit_mb: float

    @property
    def within(self) -> bool:
        """Whether the peak is no higher than it may be."""
        return self.peak_mb <= self.limit_mb


WORKS = (
    Work("k-means, 10 runs", ("--method", "kmeans", "--runs", "10", "--max-iter", "10"), 1.3, 150.0),
    Work("EXAMCE, effort paper", ("--effort", "paper", "--base-runs", "4"), 2.0, 300.0),
)


def run(*, quick: bool, ranks: int, works: Sequence[str] | None, as_json: bool) -> None:
    """Measure each way to fit in one process and on several ranks of this node, and print the peaks."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise ValueError("bench memory needs Linux, which says how much memory processes share.")
    chosen = [work for work in WORKS if works is None or work.words[1] in works]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "points.npy")
        np.save(path, _points(QUICK_POINTS if quick else POINTS))
        size = path.stat().st_size / MB
        counts = sorted({1, ranks})
        measured = [_measure(work, n_ranks, path, size) for work in chosen for n_ranks in counts]
    _show(measured, as_json)


def _points(n_points: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(0)
    points = rng.standard_normal((n_points, FEATURES))
    points += rng.uniform(0, 20, (CLUSTERS, FEATURES))[rng.integers(CLUSTERS, size=n_points)]
    return points


def _measure(work: Work, n_ranks: int, path: Path, size: float) -> Measured:
    fit = [sys.executable, "-m", "intarsia", "fit", str(path), "-k", str(CLUSTERS), *work.words, "--quiet"]
    launcher = [] if n_ranks == 1 else [find_launcher("bench memory"), "-n", str(n_ranks)]
    peak = _peak_of([*launcher, *fit, "--threads", "1"], str(path))
    return Measured(work.name, n_ranks, size, peak, work.copies * size + work.mb_a_process * n_ranks)


def _peak_of(command: Sequence[str], mark: str) -> float:
    """Run a command; return the largest sum of MB that was seen of its processes with this word."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as job:
        peak, fits = 0.0, set[int]()
        while job.poll() is None:
            fits |= set(_processes_with(mark, job.pid, fits))
            peak = max(peak, sum(map(_own_share, fits)))
            time.sleep(_LOOK_EVERY)
        assert job.stderr is not None
        words = job.stderr.read().strip().splitlines()[:1]
    if job.returncode != 0:
        raise ValueError(f"the fit failed: {' '.join(words) or f'exit code {job.returncode}'}")
    return peak


def _processes_with(mark: str, ancestor: int, known: Iterable[int]) -> list[int]:
    """Return the descendants of a process that are Python with this word among their own."""
    found, ahead = list(known), [ancestor]
    while ahead:
        pid = ahead.pop()
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
            children = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
        except OSError:  # it has ended
            continue
        if mark in words and words[0] == sys.executable:
            found.append(pid)
        ahead += [int(child) for line in children for child in line.split()]
    return found


def _own_share(pid: int) -> float:
    """MB of a process; what several of them share is divided among them."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def _show(measured: Sequence[Measured], as_json: bool) -> None:
    if as_json:
        rows = [{**asdict(row), "within": row.within} for row in measured]
        print_json({"benchmark": "memory", "rows": rows})
        return
    columns = ("work", "processes", "data MB", "peak MB", "limit MB", "within")
    print_table(
        "peak memory of all processes together, shared memory counted once",
        columns,
        [_cells(row) for row in measured],
    )


def _cells(row: Measured) -> list[str]:
    sizes = [f"{size:.0f}" for size in (row.data_mb, row.peak_mb, row.limit_mb)]
    return [row.work, str(row.ranks), *sizes, "yes" if row.within else "NO"]
