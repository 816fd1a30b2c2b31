"""`intarsia fit` by base runs alone: several, of which the best counts."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from intarsia.base import BaseResult, BaseSettings, base_runs, best_run
from intarsia.cli.fit_outcome import FitTask, Lines, Outcome
from intarsia.cli.progress import progress_bar
from intarsia.cli.words import counted
from intarsia.executor import executor_for_runs


def fit_base(task: FitTask) -> Outcome:
    """Run k-means, HK-means or random swap several times."""
    results = _runs(task)
    best = best_run(results)
    facts = _facts(task.args, results, best)
    return Outcome(best.labels, best.centers, float(best.inertia), facts, _lines(task.args, facts))


def _runs(task: FitTask) -> list[BaseResult]:
    args = task.args
    executor, n_threads = executor_for_runs(args.runs, args.threads)
    with progress_bar(f"{args.method}, k = {args.clusters}", args.runs, quiet=args.quiet) as advance:
        return base_runs(
            task.X,
            _settings(args),
            n_runs=args.runs,
            seed=args.seed,
            sample_weight=task.weights,
            executor=executor,
            n_threads=n_threads,
            on_done=advance,
        )


def _settings(args: argparse.Namespace) -> BaseSettings:
    return BaseSettings(
        method=args.method,
        n_clusters=args.clusters,
        init=args.init,
        n_swaps=args.swaps,
        max_iter=args.max_iter,
        tol=args.tol,
    )


def _facts(args: argparse.Namespace, results: list[BaseResult], best: BaseResult) -> dict[str, Any]:
    costs = [float(result.inertia) for result in results]
    return {
        "init": args.init,
        "runs": args.runs,
        "cost": float(best.inertia),
        "mean_cost": float(np.mean(costs)),
        "costs": costs,
        "n_iter": int(best.n_iter),
    }


def _lines(args: argparse.Namespace, facts: dict[str, Any]) -> Lines:
    return (
        ("method", f"{args.method}, k = {args.clusters}, {counted(args.runs, 'run')}, seed {args.seed}"),
        ("cost", f"{facts['cost']:.10g} best, {facts['mean_cost']:.10g} mean"),
    )
