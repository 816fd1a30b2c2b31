"""The work of `intarsia boost` and `intarsia bag`: read, cluster, report, write."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia import __version__, _core
from intarsia.cli.core.files import (
    agreement,
    check_out_dir,
    fitted_scaler,
    left_out,
    log_to,
    of_all_rows,
    read_data,
    refuse_inputs,
)
from intarsia.cli.core.parser import UsageError
from intarsia.cli.core.signals import DONE
from intarsia.cli.rounds.files import FILES, write_results
from intarsia.executor import Executor, make_executor, on_rank_zero
from intarsia.io import Points
from intarsia.report.plots import can_draw
from intarsia.report.terminal import Lines, counted, print_json, print_lines, progress_bar

if TYPE_CHECKING:
    from intarsia.boosting import Stability
    from intarsia.boosting.fitting import RoundsFit

Facts = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The fitted model, the scores of every number of clusters where it was chosen, and how long it took."""

    model: RoundsFit
    scores: tuple[Stability, ...]
    seconds: float


def cluster_and_report(args: argparse.Namespace, method: str, make: Callable[..., RoundsFit]) -> int:
    """Run one command; nothing is written before there is a result."""
    executor = make_executor(args.threads)
    points = on_rank_zero(executor, lambda: _read(args))
    X = executor.share(None if points is None else np.ascontiguousarray(points.X, dtype=np.float64))
    assert X is not None  # rank 0 has read something
    log_to(args.log_dir)
    outcome = _cluster(make(args, **_asked(args, executor)), X, args, method, executor)
    on_rank_zero(executor, lambda: _report(args, method, points, X, outcome, executor))
    return DONE


def _read(args: argparse.Namespace) -> Points:
    low, high = args.clusters
    if low == 1 < high:
        raise UsageError(f"-k {low}-{high} should start at 2: one cluster is always stable")
    check_out_dir(args.out)
    refuse_inputs([] if args.out is None else [args.out / name for name in FILES], [args.data])
    points = read_data(args)
    scaler = fitted_scaler(args.scale, points.X)
    return points if scaler is None else replace(points, X=scaler.transform(points.X))


def _asked(args: argparse.Namespace, executor: Executor) -> dict[str, Any]:
    return {
        "base": args.base,
        "quality": args.quality,
        "log_base": args.log_base,
        "votes": args.votes,
        "aggregate": args.aggregate,
        "aggregate_params": dict(args.option) or None,
        "round_clusters": args.round_clusters,
        "keep_weights": args.out is not None and can_draw(),  # the pictures show who was drawn
        "random_state": args.seed,
        "n_threads": args.threads,
        "executor": executor,
    }


def _cluster(
    model: RoundsFit, X: NDArray[Any], args: argparse.Namespace, method: str, executor: Executor
) -> Outcome:
    started = time.perf_counter()
    low, high = args.clusters
    scores: tuple[Stability, ...] = ()
    quiet = args.quiet or args.json
    if low < high:
        from intarsia.boosting import most_stable  # here: data are read before it is loaded

        title, n_runs = f"{method}, k = {low} to {high}", (high - low + 1) * args.repeats
        with progress_bar(title, n_runs, quiet=quiet) as advance:
            low, scores = most_stable(
                model, X, args.clusters, n_repeats=args.repeats, executor=executor, on_done=advance
            )
    with progress_bar(f"{method}, k = {low}", args.rounds, quiet=quiet) as advance:
        model.n_clusters, model.callback = low, advance
        model.fit(X)
    return Outcome(model, scores, time.perf_counter() - started)


def _report(
    args: argparse.Namespace,
    method: str,
    points: Points | None,
    X: NDArray[Any],
    outcome: Outcome,
    executor: Executor,
) -> None:
    assert points is not None  # rank 0 reports what it has read
    facts = _facts(args, method, points, outcome, executor)
    labels = of_all_rows(outcome.model.labels_, points)
    written = () if args.out is None else write_results(args.out, facts, outcome.model, X, labels)
    if args.json:
        print_json(facts)
    elif not args.quiet:
        lines = _lines(args, facts)
        print_lines((*lines, ("written", f"{args.out}: {', '.join(written)}")) if written else lines)


def _facts(
    args: argparse.Namespace, method: str, points: Points, outcome: Outcome, executor: Executor
) -> Facts:
    model = outcome.model
    asked = ("base", "quality", "votes", "aggregate", "scale", "seed")
    return {
        "data": points.name,
        "label_column": points.label_name,
        "notes": points.notes,
        "n_samples": int(points.X.shape[0]),
        "n_features": int(points.X.shape[1]),
        "n_clusters": model.n_clusters,
        "method": method,
        **{name: getattr(args, name) for name in asked},
        "sizes": np.bincount(model.labels_, minlength=model.n_clusters),
        "n_rounds": model.n_rounds_,
        "stop_reason": model.stop_reason_,
        "epsilons": [record.epsilon for record in model.rounds_],
        "failed_replicates": sum(len(record.failures) for record in model.rounds_),
        "failures": [failure for record in model.rounds_ for failure in record.failures],
        "stability": [vars(score) for score in outcome.scores],
        "adjusted_rand_index": agreement(points, model.labels_),
        "seconds": round(outcome.seconds, 6),
        "ranks": executor.n_ranks,
        "threads": executor.n_threads,
        "simd": _core.simd_level(),
        "version": __version__,
    }


def _lines(args: argparse.Namespace, facts: Facts) -> Lines:
    size = f"{counted(facts['n_samples'], 'point')}, {counted(facts['n_features'], 'feature')}"
    how = f"{facts['method']}, k = {facts['n_clusters']}, {args.base}, {args.quality}, seed {args.seed}"
    data = ", ".join([f"{facts['data']}: {size}", *left_out(facts)])
    lines = [("data", data), ("method", how)]
    for score in facts["stability"]:
        text = f"mean adjusted Rand index of {args.repeats} runs {score['agreement']:.4f}"
        lines.append((f"k = {score['n_clusters']}", text))
    lines.append(("rounds", _rounds_text(facts)))
    lines.append(
        ("clusters", f"{args.aggregate}: {', '.join(f'{size:,}' for size in facts['sizes'])} points")
    )
    if facts["adjusted_rand_index"] is not None:
        lines.append(("ARI", f"{facts['adjusted_rand_index']:.4f} against the class column"))
    ranks = f"{facts['ranks']} ranks x " if facts["ranks"] > 1 else ""
    lines.append(
        ("time", f"{facts['seconds']:.2f} s, {ranks}{counted(facts['threads'], 'thread')}, {facts['simd']}")
    )
    return lines


def _rounds_text(facts: Facts) -> str:
    text = f"{facts['n_rounds']} used, {facts['stop_reason']}"
    if facts["epsilons"]:
        text += f"; pseudoloss {facts['epsilons'][0]:.4f} to {facts['epsilons'][-1]:.4f}"
    failed = facts["failed_replicates"]
    return f"{text}; {counted(failed, 'replicate')} drawn anew ({facts['failures'][-1]})" if failed else text
