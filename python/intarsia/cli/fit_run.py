"""The work of `intarsia fit`: read, cluster, choose the best run, report, write."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.base import BaseResult, BaseSettings, base_runs, best_run
from intarsia.cli.fit_output import check_out_dir, print_report, write_results
from intarsia.cli.fit_report import FitReport, make_report
from intarsia.cli.prepare import Scaling, read_weights, scaling_for
from intarsia.cli.progress import progress_bar
from intarsia.datasets import load
from intarsia.executor import make_executor, resolve_threads
from intarsia.io import Points


def fit_and_report(args: argparse.Namespace) -> int:
    """Run one `intarsia fit`; nothing is written before everything has succeeded."""
    check_out_dir(args.out)
    points = _read(args)
    scaling = scaling_for(points.X, args.scale)
    weights = read_weights(args.weights, len(points.X))
    started = time.perf_counter()
    results = _cluster(args, _working_copy(points, scaling, args), weights)
    best = best_run(results)
    report = make_report(args, points, results, best, time.perf_counter() - started)
    _publish(args, report, points, best, scaling)
    return 0


def _read(args: argparse.Namespace) -> Points:
    if args.label_column is None:
        return load(args.data, data_dir=args.data_dir)
    if args.data.startswith("demo:"):
        raise ValueError(f"--label-column is for files; {args.data} brings its own classes")
    return load(args.data, data_dir=args.data_dir, label_column=args.label_column)


def _working_copy(points: Points, scaling: Scaling, args: argparse.Namespace) -> NDArray[Any]:
    X = points.X if args.scale == "none" else scaling.apply(points.X)
    return np.ascontiguousarray(X, dtype=np.float32 if args.float32 else np.float64)


def _cluster(args: argparse.Namespace, X: NDArray[Any], weights: NDArray[Any] | None) -> list[BaseResult]:
    settings = BaseSettings(
        method=args.method,
        n_clusters=args.clusters,
        init=args.init,
        n_swaps=args.swaps,
        max_iter=args.max_iter,
        tol=args.tol,
    )
    n_threads = resolve_threads(args.threads)
    many = args.runs >= n_threads  # enough runs for every thread: one thread inside each
    with progress_bar(f"{args.method}, k = {args.clusters}", args.runs, quiet=args.quiet) as advance:
        return base_runs(
            X,
            settings,
            n_runs=args.runs,
            seed=args.seed,
            sample_weight=weights,
            executor=make_executor(n_threads if many else 1),
            n_threads=1 if many else n_threads,
            on_done=advance,
        )


def _publish(
    args: argparse.Namespace, report: FitReport, points: Points, best: BaseResult, scaling: Scaling
) -> None:
    if args.out is not None:
        write_results(args.out, report, points, best.labels, scaling.undo(best.centers))
    print_report(report, args)
