"""The report of `bench mssc`: one row a comparison, one row a method, and the verdict."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from intarsia.bench.quality.comparison import BudgetComparison, compare_runs, count_ahead
from intarsia.bench.quality.hgmeans import HOW_TO_BUILD
from intarsia.bench.quality.instances import BEST_KNOWN, PROVEN
from intarsia.bench.quality.rivals import OURS, RIVALS
from intarsia.bench.quality.run_file import Run
from intarsia.io.writers import atomic_write
from intarsia.report.terminal import print_json, print_table

_ADVICE = {"hgmeans": HOW_TO_BUILD, "bkmeans": "bkmeans: pip install 'intarsia[bench]'"}
_ROUNDED = 1e-6  # relative: the values known are printed with some eight digits
_SHORT_OF_BUDGET, _OVER_BUDGET = 0.9, 1.1
_VERDICT = {True: "yes", False: "NO", None: "-"}


@dataclass(frozen=True)
class Report:
    """The methods asked for, their runs, and the cases that were left out for want of data."""

    methods: tuple[str, ...]
    runs: list[Run]
    left_out: tuple[str, ...] = ()

    @cached_property
    def comparisons(self) -> list[BudgetComparison]:
        """One for each instance and budget."""
        return compare_runs(self.runs, BEST_KNOWN)

    @property
    def peers(self) -> list[str]:
        """The methods that are compared with ours."""
        return [name for name in self.methods if RIVALS[name].is_peer]

    @property
    def absent(self) -> list[str]:
        """The methods that are not installed."""
        return [name for name in self.methods if not RIVALS[name].is_installed]

    @property
    def failed(self) -> list[Run]:
        """Runs without a result."""
        return [run for run in self.runs if run.has_failed]

    @property
    def impossible(self) -> list[Run]:
        """Runs that claim less than a proven optimum: the reference must not swallow them in silence."""
        proven = [run for run in self.runs if run.label in PROVEN]
        return [run for run in proven if run.cost < BEST_KNOWN[run.label] * (1.0 - _ROUNDED)]


def show(report: Report, as_json: bool) -> None:
    """Print the report."""
    if as_json:
        print_json(as_object(report))
        return
    title = "mean / best, % above the best value known, one thread, equal CPU seconds (budget)"
    columns = ("case", "budget", *report.methods, "best peer", "ours <=")
    print_table(title, columns, [_comparison_row(comparison, report) for comparison in report.comparisons])
    print()
    columns = ("method", "runs", "CPU/budget", "most", "wall/CPU", "peak MB", "note")
    print_table("what they used", columns, [_method_row(name, report) for name in report.methods])
    for line in _last_lines(report):
        print(line)


def verdict(report: Report) -> str:
    """Say in how many cells our mean is at or below every peer's."""
    ahead, total = count_ahead(report.comparisons, OURS, report.peers)
    return f"our mean is at or below every peer's mean on {ahead} of {total} cells"


def as_object(report: Report) -> dict[str, Any]:
    """Return the report as plain values."""
    ahead, total = count_ahead(report.comparisons, OURS, report.peers)
    return {
        "benchmark": "mssc",
        "methods": list(report.methods),
        "not_installed": report.absent,
        "left_out": list(report.left_out),
        "n_failed": len(report.failed),
        "n_impossible": len(report.impossible),
        "n_ahead": ahead,
        "n_cells": total,
        "cells": [_comparison_object(comparison, report) for comparison in report.comparisons],
        "peak_mb": {name: _peak(_good(name, report)) for name in report.methods},
    }


def write_comparisons(report: Report, path: Path) -> None:
    """Write one line for each comparison and method, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = (
        "case",
        "budget",
        "reference",
        "method",
        "mean",
        "best",
        "n_runs",
        "cpu_s",
        "mean_above_percent",
    )
    with atomic_write(path) as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(_comparison_lines(report))


def _comparison_lines(report: Report) -> Iterator[list[Any]]:
    for comparison in report.comparisons:
        for name, score in comparison.scores.items():
            yield [
                comparison.label,
                comparison.budget,
                comparison.reference,
                name,
                *asdict(score).values(),
                comparison.above(score.mean),
            ]


def _comparison_object(comparison: BudgetComparison, report: Report) -> dict[str, Any]:
    scores = {name: asdict(score) for name, score in comparison.scores.items()}
    verdicts = {
        "best_peer": comparison.best_peer(report.peers),
        "is_ahead": comparison.is_ahead(OURS, report.peers),
    }
    return {
        "case": comparison.label,
        "budget": comparison.budget,
        "reference": comparison.reference,
        "scores": scores,
        **verdicts,
    }


def _comparison_row(comparison: BudgetComparison, report: Report) -> list[str]:
    return [
        comparison.label,
        f"{comparison.budget:g}",
        *(_mean_and_best(comparison, name) for name in report.methods),
        comparison.best_peer(report.peers) or "-",
        _VERDICT[comparison.is_ahead(OURS, report.peers)],
    ]


def _mean_and_best(comparison: BudgetComparison, name: str) -> str:
    score = comparison.scores.get(name)
    if score is None:
        return "-"
    return f"{comparison.above(score.mean):.3f} / {comparison.above(score.best):.3f}"


def _method_row(name: str, report: Report) -> list[str]:
    runs = _good(name, report)
    if not runs:
        return [name, "0", "-", "-", "-", "-", "not installed" if name in report.absent else "no result"]
    shares = [run.cpu_s / run.budget for run in runs]
    waits = sum(run.wall_s for run in runs) / sum(run.cpu_s for run in runs)
    used = [f"{sum(shares) / len(shares):.2f}", f"{max(shares):.2f}", f"{waits:.2f}"]
    return [name, str(len(runs)), *used, f"{_peak(runs):.0f}", _note(name)]


def _warnings_about_time(report: Report) -> Iterator[str]:
    # our limit is wall clock, the peers' CPU time: on a busy machine ours gets less, with overruns more
    shares = [run.cpu_s / run.budget for run in _good(OURS, report)]
    if shares and sum(shares) / len(shares) < _SHORT_OF_BUDGET:
        yield "ours used less CPU than its budget: it ended early, or the machine was busy (wall/CPU above 1)"
    if shares and max(shares) > _OVER_BUDGET:
        yield f"ours overran a budget: {max(shares):.2f} times its CPU seconds at most"


def _note(name: str) -> str:
    if name == OURS:
        return "ours"
    return "" if RIVALS[name].is_peer else "not a peer"


def _good(name: str, report: Report) -> list[Run]:
    return [run for run in report.runs if run.method == name and not run.has_failed]


def _peak(runs: list[Run]) -> float | None:
    return max((run.peak_mb for run in runs), default=None)


def _last_lines(report: Report) -> Iterator[str]:
    yield verdict(report)
    yield from _warnings_about_time(report)
    for run in report.impossible:
        yield f"{run.label} {run.method} seed {run.seed}: {run.cost} is below the proven optimum, check it"
    for name in report.absent:
        yield f"not installed and not compared: {_ADVICE.get(name, name)}"
    for run in report.failed:
        yield f"{run.label} {run.method} seed {run.seed} budget {run.budget:g}: {run.status}"
    if report.left_out:
        yield f"left out, no data: {', '.join(report.left_out)} (give --data-dir D with the files)"
