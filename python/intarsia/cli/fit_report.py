"""What `intarsia fit` has to say about its result, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.metrics import adjusted_rand_score

from intarsia import _core
from intarsia._version import __version__
from intarsia.cli.fit_outcome import FitTask, Lines, Outcome
from intarsia.cli.words import counted
from intarsia.executor import joined_world, resolve_threads
from intarsia.io import Points
from intarsia.io.writers import to_json


@dataclass(frozen=True)
class FitReport:
    """The facts of one fit for JSON, in the order they are printed, and as lines for people."""

    facts: dict[str, Any]
    lines: Lines


def make_report(task: FitTask, points: Points, outcome: Outcome, seconds: float) -> FitReport:
    """Collect the facts of a finished fit: of the data, of the method, of the machine."""
    facts = {
        **_of_the_data(task, points),
        **outcome.facts,
        "adjusted_rand_index": _agreement(points, outcome),
        **_of_the_machine(task, seconds),
    }
    lines = (_data_line(facts), *outcome.lines, *_agreement_lines(facts), _time_line(facts))
    return FitReport(to_json(facts), lines)


def _of_the_data(task: FitTask, points: Points) -> dict[str, Any]:
    return {
        "data": points.name,
        "n_samples": int(points.X.shape[0]),
        "n_features": int(points.X.shape[1]),
        "n_clusters": task.args.clusters,
        "method": task.args.method,
        "scale": task.args.scale,
        "dtype": str(task.X.dtype),
        "seed": task.args.seed,
    }


def _of_the_machine(task: FitTask, seconds: float) -> dict[str, Any]:
    world = joined_world()
    return {
        "seconds": round(seconds, 6),
        "ranks": 1 if world is None else world.n_ranks,
        "threads": resolve_threads(task.args.threads),
        "simd": _core.simd_level(),
        "version": __version__,
    }


def _agreement(points: Points, outcome: Outcome) -> float | None:
    if points.labels is None:
        return None
    known = points.labels >= 0  # -1 marks a missing class
    return float(adjusted_rand_score(points.labels[known], outcome.labels[known]))


def _data_line(facts: dict[str, Any]) -> tuple[str, str]:
    scaled = "" if facts["scale"] == "none" else f", {facts['scale']} scaling"
    size = f"{counted(facts['n_samples'], 'point')}, {counted(facts['n_features'], 'feature')}"
    return "data", f"{facts['data']}: {size}{scaled}"


def _agreement_lines(facts: dict[str, Any]) -> Lines:
    index = facts["adjusted_rand_index"]
    return () if index is None else (("ARI", f"{index:.4f} against the class column"),)


def _time_line(facts: dict[str, Any]) -> tuple[str, str]:
    ranks = f"{facts['ranks']} ranks x " if facts["ranks"] > 1 else ""
    return "time", f"{facts['seconds']:.2f} s, {ranks}{counted(facts['threads'], 'thread')}, {facts['simd']}"
