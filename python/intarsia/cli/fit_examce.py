"""`intarsia fit` by EXAMCE, the default: the bar while it runs, the facts and lines of its result."""

from __future__ import annotations

import argparse
import math
from typing import Any

from intarsia.cli.fit_outcome import FitTask, Lines, Outcome
from intarsia.cli.progress import StageCallback, stage_bar
from intarsia.examce import Examce, ExamceResult

STOPPED = {
    "time_limit": "stopped by the time limit: best so far, not reproducible",
    "interrupted": "interrupted: best so far, not reproducible",
}


class _Watch:
    """Passes progress on to the bar and remembers how many base runs were made."""

    def __init__(self, show: StageCallback) -> None:
        self._show = show
        self.n_base_runs = 0

    def __call__(self, stage: str, done: int, total: int, best_cost: float) -> None:
        if stage == "base runs":
            self.n_base_runs = done  # a time limit may leave some of the total undone
        self._show(stage, done, total, best_cost)


def fit_examce(task: FitTask) -> Outcome:
    """Run EXAMCE; after Ctrl-C the outcome is the best so far and says so."""
    args = task.args
    with stage_bar(f"examce, k = {args.clusters}", quiet=args.quiet) as show:
        watch = _Watch(show)
        model = _estimator(args, watch).fit(task.X, sample_weight=task.weights)
    result = model.result_
    return Outcome(
        labels=model.labels_,  # not the result's: points of weight 0 have labels here only
        centers=result.centers,
        cost=result.cost,
        facts=_facts(args, result, watch.n_base_runs),
        lines=_lines(args, result, watch.n_base_runs),
        interrupted=result.status == "interrupted",
    )


def _estimator(args: argparse.Namespace, watch: _Watch) -> Examce:
    return Examce(
        args.clusters,
        effort=args.effort,
        time_limit=args.time_limit,
        base=args.base,
        n_base_runs=args.base_runs,
        solver=args.solver,
        tau=args.tau,
        min_size=args.min_size,
        max_size=args.max_size,
        random_state=args.seed,
        n_threads=args.threads,
        callback=watch,
    )


def _facts(args: argparse.Namespace, result: ExamceResult, n_base_runs: int) -> dict[str, Any]:
    asked = ("effort", "base", "solver", "tau", "min_size", "max_size", "time_limit")
    found = ("cost", "best_base_cost", "pool_bound", "cover_status", "cover_gap")
    course = ("status", "n_rounds", "n_columns", "history")
    return {
        **{name: getattr(args, name) for name in asked},
        "n_base_runs": n_base_runs,
        **{name: getattr(result, name) for name in (*found, *course)},
    }


def _lines(args: argparse.Namespace, result: ExamceResult, n_base_runs: int) -> Lines:
    how = f"effort {args.effort}, {n_base_runs} base runs of {args.base}"
    lines = [
        ("method", f"examce, k = {args.clusters}, {how}, seed {args.seed}"),
        ("cost", f"{result.cost:.10g}, {_gain(result)}"),
        ("cover", f"{result.n_rounds} rounds, {result.n_columns:,} columns, {_proof(result)}"),
    ]
    if result.status in STOPPED:
        lines.append(("status", STOPPED[result.status]))
    return tuple(lines)


def _gain(result: ExamceResult) -> str:
    base = result.best_base_cost
    if not result.cost < base:
        return "the same as the best base run"
    if not math.isfinite(base):
        return "no base run to compare with"
    return f"{100 * (base - result.cost) / base:.3g} % below the best base run ({base:.10g})"


def _proof(result: ExamceResult) -> str:
    # of the cover, over its pool: nothing here is a proof about the clustering problem
    if result.cover_status == "optimal":
        return "the last proved optimal over its pool"
    if math.isfinite(result.cover_gap):
        return (
            f"the last within {100 * result.cover_gap:.2g} % of the bound over its pool, not proved optimal"
        )
    return "none with a bound"
