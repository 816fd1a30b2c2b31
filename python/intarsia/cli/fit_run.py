"""The work of `intarsia fit`: read, cluster by the chosen method, report, write."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.cli.exit_codes import DONE, INTERRUPTED
from intarsia.cli.fit_outcome import FitTask
from intarsia.cli.fit_output import check_out_dir, print_report, write_results
from intarsia.cli.fit_report import make_report
from intarsia.cli.methods import METHODS
from intarsia.cli.prepare import Scaling, read_weights, scaling_for
from intarsia.datasets import load
from intarsia.io import Points


def fit_and_report(args: argparse.Namespace) -> int:
    """Run one `intarsia fit`; nothing is written before there is a result."""
    check_out_dir(args.out)
    points = _read(args)
    scaling = scaling_for(points.X, args.scale)
    weights = read_weights(args.weights, len(points.X))
    task = FitTask(_working_copy(points, scaling, args), weights, args)
    started = time.perf_counter()
    outcome = METHODS[args.method].run(task)
    report = make_report(task, points, outcome, time.perf_counter() - started)
    if args.out is not None:
        write_results(args.out, report, points, outcome.labels, scaling.undo(outcome.centers))
    print_report(report, args)
    return INTERRUPTED if outcome.interrupted else DONE


def _read(args: argparse.Namespace) -> Points:
    if args.label_column is None:
        return load(args.data, data_dir=args.data_dir)
    if args.data.startswith("demo:"):
        raise ValueError(f"--label-column is for files; {args.data} brings its own classes")
    return load(args.data, data_dir=args.data_dir, label_column=args.label_column)


def _working_copy(points: Points, scaling: Scaling, args: argparse.Namespace) -> NDArray[Any]:
    X = points.X if args.scale == "none" else scaling.apply(points.X)
    return np.ascontiguousarray(X, dtype=np.float32 if args.float32 else np.float64)
