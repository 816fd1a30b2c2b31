"""p-medians at equal CPU time: EXAMCE and FasterPAM of `kmedoids`, whose matrix counts as its work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from intarsia.arrays import Floats
from intarsia.clock import Clock
from intarsia.datasets import load
from intarsia.examce.estimator import Examce
from intarsia.examce.loop import run_examce
from intarsia.executor import use_executor
from intarsia.report.sheet import Column, Sheet

PEER = "kmedoids"
MEDIANS = {"u1060": (10, 20, 50, 100, 150, 200, 300, 500), "pcb3038": (10, 20, 50, 100, 150, 200, 300, 500)}
BUDGETS = (1.0, 5.0, 20.0)
_SEED_STRIDE = 100_000  # restarts of one seed never meet those of the next
_SAME = 1e-9  # of a mean cost: what is nearer is level
_ASKED = 0.9  # of the budget: what follows the last kernel takes the rest
_TICK = 1e-3  # seconds, of a clock that has just begun
_LATE = 1.1  # times the budget, or what the peer used: whoever took longer has not kept to it


@dataclass(frozen=True)
class Found:
    """A cost that was reached by some second of CPU time."""

    cpu_s: float
    cost: float


@dataclass(frozen=True)
class PMedianSettings:
    """What is run: data sets and numbers of medians, seeds, CPU budgets."""

    data_dir: Path | None = None
    medians: tuple[int, ...] | None = None
    data: tuple[str, ...] = tuple(MEDIANS)
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    budgets: tuple[float, ...] = BUDGETS

    def instances(self) -> list[tuple[str, int]]:
        """Return every data set with every number of medians."""
        return [(name, p) for name in self.data for p in self.medians or MEDIANS[name]]


def has_peer() -> bool:
    """Whether FasterPAM can be imported."""
    return find_spec(PEER) is not None


def run(settings: PMedianSettings, keep: Callable[[int, Sheet], None] = lambda n_done, sheet: None) -> Sheet:
    """Run every instance with every seed; a row for each instance and budget, of the means over the seeds.

    `keep` is told after each instance how many are done, and given the rows so far.
    """
    points = {name: load(name, data_dir=settings.data_dir).X.astype(np.float64) for name in settings.data}
    rows: list[tuple[Any, ...]] = []
    for done, (name, p) in enumerate(settings.instances(), start=1):
        rows += _rows(points[name], name, p, settings)
        keep(done, _sheet(rows, settings))
    return _sheet(rows, settings)


def _rows(X: Floats, name: str, p: int, settings: PMedianSettings) -> Iterator[tuple[Any, ...]]:
    last = max(settings.budgets)
    peer = [faster_pam(X, p, seed, last) for seed in settings.seeds] if has_peer() else []
    for budget in settings.budgets:
        here = [ours(X, p, seed, budget) for seed in settings.seeds]
        there = [best_within(course, budget) for course in peer]
        cost, other = _mean(here), _mean(there)
        gap = None if other is None or cost is None else 100 * (cost - other) / other
        yield name, p, budget, cost, other, gap, max(f.cpu_s for f in here), _most(there)


class CpuClock(Clock):
    """Ends after so many CPU seconds; kernels look at the wall clock, and are told when that will be."""

    def remaining(self) -> float:
        """Wall seconds until the CPU seconds are used, at the share of a core seen so far."""
        used = self.cpu_seconds()
        left = np.inf if self._limit is None else max(0.0, self._limit - used)
        return float(left * max(1.0, self.seconds() / max(used, _TICK)))


def ours(X: Floats, p: int, seed: int, seconds: float) -> Found:
    """Return what EXAMCE finds within a budget, on one thread."""
    clock = CpuClock(_ASKED * seconds)
    model = Examce(p, criterion="pmedian", effort="high", random_state=seed, n_threads=1)
    state = model.start_state(X, None, use_executor(None, 1))
    state.clock = clock
    cost = run_examce(state).cost
    return Found(clock.cpu_seconds(), cost)


def faster_pam(X: Floats, p: int, seed: int, seconds: float) -> list[Found]:
    """Return the best of FasterPAM's restarts from random medians; the matrix of distances comes first."""
    kmedoids, clock, course = import_module(PEER), Clock(), list[Found]()
    matrix, best = cdist(X, X), np.inf
    for run in count():
        started = np.random.default_rng(seed * _SEED_STRIDE + run).permutation(len(X))[:p]
        best = min(best, float(kmedoids.fasterpam(matrix, started.astype(np.uintp), max_iter=100).loss))
        course.append(Found(clock.cpu_seconds(), best))
        if course[-1].cpu_s >= seconds:
            return course
    raise AssertionError("the count has no end")


def best_within(course: Sequence[Found], budget: float) -> Found:
    """Return the last that was found within a budget; the first, where none was."""
    within = [found for found in course if found.cpu_s <= budget]
    return within[-1] if within else course[0]


def _mean(found: Sequence[Found]) -> float | None:
    return float(np.mean([each.cost for each in found])) if found else None


def _most(found: Sequence[Found]) -> float | None:
    return max(each.cpu_s for each in found) if found else None


def _sheet(rows: list[tuple[Any, ...]], settings: PMedianSettings) -> Sheet:
    columns = (
        Column("data"),
        Column("p", "d"),
        Column("CPU s", "g"),
        Column("intarsia", ".2f"),
        Column("FasterPAM", ".2f"),
        Column("gap %", "+.4f"),
        Column("used", ".2f"),
        Column("its used", ".2f"),
    )
    title = f"p-medians at equal CPU time, one thread, mean of {len(settings.seeds)} seeds"
    return Sheet("pmedian", title, columns, tuple(rows), (_verdict(rows),))


def _verdict(rows: list[tuple[Any, ...]]) -> str:
    gaps = [row[5] for row in rows if row[5] is not None]
    if not gaps:
        return f"FasterPAM was not run: pip install {PEER}"
    level = sum(_is_level(row) for row in rows)
    return f"at or below FasterPAM on {level} of {len(gaps)} cells ({100 * level / len(gaps):.0f} %)"


def _is_level(row: tuple[Any, ...]) -> bool:
    budget, gap, used, its_used = row[2], *row[5:]
    return gap is not None and gap <= 100 * _SAME and used <= _LATE * max(budget, its_used)
