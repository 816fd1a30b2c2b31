"""The work of `intarsia fit`: read, cluster by the chosen method, report, write."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.cli.exit_codes import DONE, INTERRUPTED
from intarsia.cli.fit_examce import make_shard
from intarsia.cli.fit_outcome import FitTask, Outcome
from intarsia.cli.fit_output import print_report, write_results
from intarsia.cli.fit_report import make_report
from intarsia.cli.logs import log_to
from intarsia.cli.methods import METHODS
from intarsia.cli.out_file import check_out_dir
from intarsia.cli.prepare import Scaling, read_weights, scaling_for
from intarsia.datasets import load
from intarsia.executor import Executor, make_executor, on_first
from intarsia.io import Points
from intarsia.io.writers import to_json


@dataclass(frozen=True)
class _Source:
    """What was read: the points as they are, how they are scaled, and what is clustered."""

    points: Points
    scaling: Scaling
    X: NDArray[Any]
    weights: NDArray[np.float64] | None


def fit_and_report(args: argparse.Namespace) -> int:
    """Run one `intarsia fit`; nothing is written before there is a result."""
    executor = make_executor(args.threads)
    source = on_first(executor, lambda: _read_source(args))
    task = _task(source, args, executor)
    log_to(args.log_dir, go_on=args.resume)  # not before: what cannot be read should leave nothing behind
    if source is not None:  # one copy of the points is enough
        source = replace(source, X=task.X, points=replace(source.points, X=task.X))
    if args.shard is not None:
        return _shard(task, executor)
    started = time.perf_counter()
    outcome = METHODS[args.method].run(task)
    seconds = time.perf_counter() - started
    on_first(executor, lambda: _report(task, source, outcome, seconds))
    return INTERRUPTED if outcome.interrupted else DONE


def _shard(task: FitTask, executor: Executor) -> int:
    path = make_shard(task)
    facts = {"shard": list(task.args.shard), "file": str(path)}
    on_first(executor, lambda: print(json.dumps(to_json(facts)) if task.args.json else f"wrote {path}"))
    return DONE


def _read_source(args: argparse.Namespace) -> _Source:
    check_out_dir(args.out)
    points = _read(args)
    scaling = scaling_for(points.X, args.scale)
    weights = read_weights(args.weights, len(points.X))
    return _Source(points, scaling, _working_copy(points, scaling, args), weights)


def _task(source: _Source | None, args: argparse.Namespace, executor: Executor) -> FitTask:
    X = executor.share(None if source is None else source.X)
    assert X is not None  # rank 0 has read something
    weights = executor.share(None if source is None else source.weights)
    return FitTask(X, weights, args)


def _report(task: FitTask, source: _Source | None, outcome: Outcome, seconds: float) -> None:
    assert source is not None  # rank 0 reports what it has read
    report = make_report(task, source.points, outcome, seconds)
    if task.args.out is not None:
        centers = source.scaling.undo(outcome.centers)
        write_results(task.args.out, report, source.points, outcome.labels, centers)
    print_report(report, task.args)


def _read(args: argparse.Namespace) -> Points:
    if args.label_column is None:
        return load(args.data, data_dir=args.data_dir)
    if args.data.startswith("demo:"):
        raise ValueError(f"--label-column is for files; {args.data} brings its own classes")
    return load(args.data, data_dir=args.data_dir, label_column=args.label_column)


def _working_copy(points: Points, scaling: Scaling, args: argparse.Namespace) -> NDArray[Any]:
    X = points.X if args.scale == "none" else scaling.apply(points.X)
    return np.ascontiguousarray(X, dtype=np.float32 if args.float32 else np.float64)
