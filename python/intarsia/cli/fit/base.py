"""`intarsia fit` by base runs alone: several, of which the best counts."""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.base.protocol import BaseClusterer, BaseFit
from intarsia.base.registry import BASES, base_clusterer
from intarsia.base.runs import BestRun, best_of_runs
from intarsia.cli.core.parser import UsageError
from intarsia.cli.fit.run import STOPPED, FitOutcome, FitTask, clusters_text
from intarsia.executor import executor_for_runs
from intarsia.report.terminal import Lines, counted, progress_bar


def fit_by_method(task: FitTask) -> FitOutcome:
    """Run a base clusterer several times, or once where it always finds the same."""
    clusterer = base_clusterer(task.args.method, **_settings(task.args), **_least(task.args))
    if task.weights is not None and not clusterer.takes_weights:
        raise UsageError(f"{task.args.method} takes no weights")
    if not BASES[task.args.method].is_random:
        return _fit_once(task, clusterer)
    best = _runs(task, clusterer)
    facts = {**_start(clusterer), **_facts(task.args, best), **_found_k(task.args, best.fit)}
    lines = _lines(task.args, facts)
    found = best.fit
    return FitOutcome(found.labels, _centers(task, found), facts["cost"], facts, lines, rule=_rule(task.args))


def _fit_once(task: FitTask, clusterer: BaseClusterer) -> FitOutcome:
    if task.args.time_limit is not None:
        raise UsageError(f"{task.args.method} takes no --time-limit: it has nothing before its end")
    X = np.ascontiguousarray(task.X, dtype=np.float64)
    k = task.args.clusters
    fit = clusterer.fit(X, k, weights=task.weights, n_threads=task.executor.n_threads)
    facts = {"cost": fit.cost, "status": "done"}
    lines = [("method", f"{task.args.method}, k = {k}")]
    if fit.cost is not None:
        lines.insert(1, ("cost", f"{fit.cost:.10g}"))
    return FitOutcome(fit.labels, _centers(task, fit), fit.cost, facts, lines, rule=_rule(task.args))


def _centers(task: FitTask, fit: BaseFit) -> Floats:
    """Return the centres of a clusterer that has them, else the means of its clusters."""
    if fit.centers is not None:
        return fit.centers
    X = np.ascontiguousarray(task.X, dtype=np.float64)
    return _core.summarise(X, None, fit.labels, int(fit.labels.max()) + 1)[0]


def _rule(args: argparse.Namespace) -> str:
    return "mssc" if BASES[args.method].nearest_centre else ""


def _least(args: argparse.Namespace) -> dict[str, Any]:
    """Return the fewest clusters, where a range was given."""
    return {"min_clusters": args.clusters[0]} if isinstance(args.clusters, tuple) else {}


def _most(task: FitTask) -> int:
    """Return how many clusters there are, or may be: unsaid, the square root of the points."""
    k = task.args.clusters
    if k is None:
        return max(1, math.isqrt(len(task.X)))
    return int(k[1] if isinstance(k, tuple) else k)


def _found_k(args: argparse.Namespace, fit: BaseFit) -> dict[str, int]:
    return {"n_clusters": int(fit.labels.max()) + 1} if BASES[args.method].finds_k else {}


def _runs(task: FitTask, clusterer: BaseClusterer) -> BestRun:
    args = task.args
    executor, n_threads = executor_for_runs(args.runs, executor=task.executor)
    with progress_bar(f"{args.method}, {clusters_text(args)}", args.runs, quiet=args.quiet) as advance:
        return best_of_runs(
            task.X,
            clusterer,
            _most(task),
            n_runs=args.runs,
            seed=args.seed,
            sample_weight=task.weights,
            executor=executor,
            n_threads=n_threads,
            on_done=advance,
            time_limit=None if args.time_limit is None else max(0.0, args.time_limit - task.seconds_taken()),
        )


def _settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was given; the rest is as the clusterer has it."""
    asked = {"init": args.init, "n_swaps": args.swaps, "max_iter": args.max_iter, "tol": args.tol}
    asked["sigma"] = args.sigma
    asked |= {"cooling": args.cooling, "t_min": args.t_min}
    return {name: value for name, value in asked.items() if value is not None}


def _start(clusterer: BaseClusterer) -> dict[str, Any]:
    settings = getattr(clusterer, "estimator", clusterer)
    return {"init": settings.init} if hasattr(settings, "init") else {}


def _facts(args: argparse.Namespace, best: BestRun) -> dict[str, Any]:
    return {
        "runs": len(best.costs),
        "cost": min(best.costs),
        "mean_cost": float(np.mean(best.costs)),
        "costs": best.costs,
        "n_iter": int(best.fit.n_iter),
        "time_limit": args.time_limit,
        "status": "time_limit" if best.is_late else "done",
    }


def _lines(args: argparse.Namespace, facts: dict[str, Any]) -> Lines:
    lines = [
        (
            "method",
            f"{args.method}, {clusters_text(args)}, {counted(facts['runs'], 'run')}, seed {args.seed}",
        ),
        ("cost", f"{facts['cost']:.10g} best, {facts['mean_cost']:.10g} mean"),
    ]
    if "n_clusters" in facts:
        lines.append(("found", f"k = {facts['n_clusters']}"))
    if facts["status"] in STOPPED:
        lines.append(("status", STOPPED[facts["status"]]))
    return lines
