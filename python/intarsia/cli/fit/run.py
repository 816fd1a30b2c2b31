"""The work of `intarsia fit`: read, cluster by the method asked for, report, write."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia import __version__, _core
from intarsia.base.registry import BASES
from intarsia.cli.core.files import (
    RESULT,
    STANDARD_OUTPUT,
    agreement,
    check_out_dir,
    check_out_file,
    check_same_settings,
    cluster_sizes,
    fitted_scaler,
    left_out,
    log_to,
    of_all_rows,
    read_data,
    read_weights,
    reading_options,
    refuse_inputs,
    scaling_of,
    sizes_text,
)
from intarsia.cli.core.signals import DONE, INTERRUPTED
from intarsia.executor import Executor, make_executor, on_rank_zero
from intarsia.executor.choose import checksum
from intarsia.io import Points, write_centers, write_json, write_labels, write_together
from intarsia.io.archive import MODEL_FILE, Model, real_names, write_model
from intarsia.report.terminal import Lines, counted, print_json, print_lines
from intarsia.validation import check_distinct, check_n_clusters, check_weights

Facts = dict[str, Any]

#: What --out DIR will hold; the two in the middle only where clusters have centres.
FILES = ("labels.csv", "centers.csv", MODEL_FILE, "result.json")
DEFAULT_CRITERION = "mssc"
_TRIAL_LABELS = 20_000
SAMPLE = 1000  # points of which the silhouette is taken

STOPPED = {
    "time_limit": "stopped by the time limit: best so far, not reproducible",
    "interrupted": "interrupted: best so far, not reproducible",
}


@dataclass(frozen=True)
class FitTask:
    """The points to cluster, scaled and in their precision, the completed options, and who computes."""

    X: NDArray[Any]
    weights: NDArray[np.float64] | None
    args: argparse.Namespace
    executor: Executor

    def seconds_taken(self) -> float:
        """Seconds of `--time-limit` that are not for clustering: imports, reading, and writing at the end."""
        return time.perf_counter() - float(self.args.began) + self._seconds_of_writing()

    def _seconds_of_writing(self) -> float:
        """Return how long writing the labels takes, by some of them that go nowhere."""
        if self.args.time_limit is None or (self.args.out is None and self.args.labels is None):
            return 0.0
        few = min(len(self.X), _TRIAL_LABELS)
        trials = []
        for _ in range(2):  # the first may have to import
            began = time.perf_counter()
            write_labels(os.devnull, np.zeros(few, dtype=np.int32))
            trials.append(time.perf_counter() - began)
        return min(trials) * len(self.X) / few


@dataclass(frozen=True)
class FitOutcome:
    """The partition, the method's own facts for JSON, and its own lines for people."""

    labels: NDArray[np.int32]
    centers: NDArray[Any] | None
    cost: float | None
    facts: Facts
    lines: Lines
    interrupted: bool = False
    rule: str = "mssc"  # by which a new point joins a cluster: that of the nearest mean
    rule_facts: Facts = field(default_factory=dict)  # what the rule has to know besides


@dataclass(frozen=True)
class _Source:
    """What was read: the points as they are, how they are scaled, and what is clustered."""

    points: Points
    scaler: Any
    X: NDArray[Any]
    weights: NDArray[np.float64] | None
    settings: Facts
    medians: list[float] | None  # what stands for missing values, in new points too


def fit_and_report(args: argparse.Namespace, method_module: str) -> int:
    """Run one `intarsia fit` by a module beside this one; nothing is written before there is a result."""
    executor = make_executor(args.threads)
    source = on_rank_zero(executor, lambda: _read_source(args))
    task = _task(source, args, executor)
    log_to(args.log_dir, go_on=args.resume)  # not before: what cannot be clustered leaves nothing behind
    if source is not None:  # one copy of the points is enough
        source = replace(source, X=task.X, points=replace(source.points, X=task.X))
    method = import_module(f"intarsia.cli.fit.{method_module}")
    if args.shard is not None:
        path = method.make_shard(task)
        on_rank_zero(executor, lambda: _report_shard(args, path))
        return DONE
    if args.method in BASES:
        BASES[args.method].load()  # waiting for scikit-learn is not clustering
    started = time.perf_counter()
    outcome: FitOutcome = method.fit_by_method(task)
    seconds = time.perf_counter() - started
    on_rank_zero(executor, lambda: _report(task, source, outcome, seconds))
    return INTERRUPTED if outcome.interrupted else DONE


def _read_source(args: argparse.Namespace) -> _Source:
    check_out_dir(args.out)
    check_out_file(args.labels)
    written = [] if args.out is None else [args.out / name for name in FILES]
    refuse_inputs([*written, args.labels], [args.data, args.weights])
    points = read_data(args)
    # with or without what was filled in: the same
    medians = np.median(points.X, axis=0).tolist() if args.missing == "median" else None
    scaler = fitted_scaler(args.scale, points.X)
    X = points.X if scaler is None else scaler.set_params(copy=False).transform(points.X)  # in place
    X = np.ascontiguousarray(X, dtype=np.float32 if args.float32 else np.float64)
    points = replace(points, X=X)  # one copy of the points is enough
    weights = read_weights(args.weights, len(points.X), points.kept)
    settings = _settings(args, X, weights)
    if args.shard is None and not args.force:
        check_same_settings(args.out, settings)
    return _Source(points, scaler, X, weights, settings, medians)


def _settings(args: argparse.Namespace, X: NDArray[Any], weights: NDArray[np.float64] | None) -> Facts:
    """Return all that decides the result; equal data are known by their bytes, wherever they lie."""
    asked = {name: getattr(args, name) for name in ("clusters", "method", "seed", "scale", "time_limit")}
    heavy = None if weights is None else checksum(weights)
    return {**asked, **args.deciding, "points": checksum(X), "weights": heavy}


def _task(source: _Source | None, args: argparse.Namespace, executor: Executor) -> FitTask:
    X = executor.share(None if source is None else source.X, give_up=True)
    assert X is not None  # rank 0 has read something
    weights = executor.share(None if source is None else source.weights)
    _check_clusters(args, X, check_weights(weights, len(X)))
    return FitTask(X, weights, args, executor)


def _check_clusters(args: argparse.Namespace, X: NDArray[Any], weights: NDArray[np.float64] | None) -> None:
    if args.clusters is None:
        return
    ends = args.clusters if isinstance(args.clusters, tuple) else (args.clusters,)
    for k in ends:
        check_n_clusters(k, len(X))
    if args.criterion == DEFAULT_CRITERION:  # other criteria may tell equal points apart
        check_distinct(X, weights, ends[0])


def _report_shard(args: argparse.Namespace, path: Path) -> None:
    if args.json:
        print_json({"shard": args.shard, "file": path})
    elif not args.quiet:
        print(f"wrote {path}")


def _report(task: FitTask, source: _Source | None, outcome: FitOutcome, seconds: float) -> None:
    assert source is not None  # rank 0 reports what it has read
    facts = {
        **_of_the_data(task, source.points),
        **outcome.facts,
        "adjusted_rand_index": agreement(source.points, outcome.labels),
        "sizes": cluster_sizes(outcome.labels),
        "silhouette": _silhouette(task, outcome),
        **_of_the_machine(task, seconds),
        "settings": source.settings,
    }
    out = task.args.out
    if out is not None:
        _write(task.args, facts, source, outcome)
    if task.args.labels is not None:
        write_labels(task.args.labels, of_all_rows(outcome.labels, source.points))
    if task.args.json:
        print_json(facts)
    elif not task.args.quiet:
        lines = (
            _data_line(facts),
            *outcome.lines,
            *_cluster_lines(facts),
            *_agreement_lines(facts),
            _time_line(facts),
        )
        to_labels = str(task.args.labels) == STANDARD_OUTPUT
        with redirect_stdout(sys.stderr) if to_labels else nullcontext():
            print_lines((*lines, *_written_lines(task.args, outcome)))


def _written_lines(args: argparse.Namespace, outcome: FitOutcome) -> Lines:
    names = FILES if outcome.centers is not None else (FILES[0], FILES[-1])
    files = [] if args.out is None else [f"{args.out}: {', '.join(names)}"]
    if args.labels is not None and str(args.labels) != STANDARD_OUTPUT:
        files.append(str(args.labels))
    return tuple(("written", text) for text in files)


def _write(args: argparse.Namespace, facts: Facts, source: _Source, outcome: FitOutcome) -> None:
    """Write labels, centres, model and result.json: when the last is there, all are, and belong to it."""
    out: Path = args.out
    out.mkdir(parents=True, exist_ok=True)
    write_together(
        out,
        {
            "labels.csv": lambda path: write_labels(path, of_all_rows(outcome.labels, source.points)),
            **({} if outcome.centers is None else _of_centers(args, facts, source, outcome, outcome.centers)),
            RESULT: lambda path: write_json(path, facts),
        },
    )


def _of_centers(
    args: argparse.Namespace, facts: Facts, source: _Source, outcome: FitOutcome, centers: NDArray[Any]
) -> dict[str, Callable[[Path], None]]:
    """Return the writers of what only clusters with centres have."""
    unscaled = centers.copy()  # the scaler works in place
    if source.scaler is not None:
        unscaled = source.scaler.inverse_transform(unscaled)
    kept = {} if source.medians is None else {"medians": source.medians}
    model = Model(
        outcome.rule,
        centers,
        real_names(source.points.feature_names),
        scaling_of(facts["scale"], source.scaler),
        {"reading": reading_options(args), "dtype": facts["dtype"], **kept, **outcome.rule_facts},
    )
    return {
        "centers.csv": lambda path: write_centers(path, unscaled, source.points.feature_names),
        MODEL_FILE: lambda path: write_model(path, model),
    }


def _silhouette(task: FitTask, outcome: FitOutcome) -> float | None:
    is_matrix = task.args.parameters.get("metric") == "precomputed"
    return sampled_silhouette(task.X, outcome.labels, is_matrix=is_matrix)


def sampled_silhouette(
    X: NDArray[Any], labels: NDArray[Any], most: int = SAMPLE, is_matrix: bool = False
) -> float | None:
    """Return the mean silhouette among at most so many points, evenly spread over their order.

    X holds points or, as a matrix, their distances. None where the points are all in one cluster, or each in
    its own. Points of no cluster (-1) are left out.
    """
    known = np.flatnonzero(labels >= 0)
    chosen = known[np.linspace(0, len(known) - 1, min(most, len(known))).astype(np.intp)]
    points = X[chosen].astype(np.float64)
    classes, codes, sizes = np.unique(labels[chosen], return_inverse=True, return_counts=True)
    if not 1 < len(classes) < len(points):
        return None
    sums = (points[:, chosen] if is_matrix else _distances(points)) @ np.eye(len(classes))[codes]
    rows = np.arange(len(points))
    own = sizes[codes]
    within = sums[rows, codes] / np.maximum(own - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    nearest = others.min(axis=1)
    larger = np.maximum(within, nearest)
    known_share = np.divide(nearest - within, larger, out=np.zeros_like(larger), where=larger > 0)
    return float(np.where(own > 1, known_share, 0.0).mean())  # alone in its cluster: 0, by definition


def _distances(points: NDArray[np.float64]) -> NDArray[np.float64]:
    points = points - points.mean(axis=0)  # far from the origin squares would lose digits
    squares = (points * points).sum(axis=1)
    found: NDArray[np.float64] = np.sqrt(
        np.maximum(squares[:, None] + squares[None, :] - 2.0 * points @ points.T, 0.0)
    )
    np.fill_diagonal(found, 0.0)
    return found


def _of_the_data(task: FitTask, points: Points) -> Facts:
    return {
        "data": points.name,
        "n_samples": int(points.X.shape[0]),
        "n_features": int(points.X.shape[1]),
        "label_column": points.label_name,
        "notes": points.notes,
        "n_clusters": task.args.clusters,
        "method": task.args.method,
        "scale": task.args.scale,
        "dtype": str(task.X.dtype),
        "seed": task.args.seed,
    }


def _of_the_machine(task: FitTask, seconds: float) -> Facts:
    return {
        "seconds": round(seconds, 6),
        "ranks": task.executor.n_ranks,
        "threads": task.executor.n_threads,
        "simd": _core.simd_level(),
        "version": __version__,
    }


def clusters_text(args: argparse.Namespace) -> str:
    """Return the number of clusters that was asked for, in words for people."""
    if args.clusters is None:
        return "k free"
    return f"k = {args.clusters}" if isinstance(args.clusters, int) else "k = {} to {}".format(*args.clusters)


def _data_line(facts: Facts) -> tuple[str, str]:
    scaled = "" if facts["scale"] == "none" else f", {facts['scale']} scaling"
    size = f"{counted(facts['n_samples'], 'point')}, {counted(facts['n_features'], 'feature')}"
    return "data", ", ".join([f"{facts['data']}: {size}", *left_out(facts)]) + scaled


def _cluster_lines(facts: Facts) -> Lines:
    text = sizes_text(facts["sizes"])
    if facts["silhouette"] is not None:
        seen = min(SAMPLE, facts["n_samples"])
        text += f", silhouette {facts['silhouette']:.4f}" + (
            f" on {seen:,} of them" if seen < facts["n_samples"] else ""
        )
    return (("sizes", text),)


def _agreement_lines(facts: Facts) -> Lines:
    index = facts["adjusted_rand_index"]
    return () if index is None else (("ARI", f"{index:.4f} against the class column"),)


def _time_line(facts: Facts) -> tuple[str, str]:
    ranks = f"{facts['ranks']} ranks x " if facts["ranks"] > 1 else ""
    return "time", f"{facts['seconds']:.2f} s, {ranks}{counted(facts['threads'], 'thread')}, {facts['simd']}"
