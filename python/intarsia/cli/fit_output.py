"""Where the result of `intarsia fit` goes: a summary, one JSON object, or files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from intarsia.cli.fit_outcome import Lines
from intarsia.cli.fit_report import FitReport
from intarsia.cli.lines import print_lines
from intarsia.io import Points, write_centers, write_json, write_labels


def write_results(
    out: Path,
    report: FitReport,
    points: Points,
    labels: NDArray[np.int32],
    centers: NDArray[np.floating],
) -> None:
    """Write labels.csv, centers.csv and, last, result.json: when it is there, all are there."""
    out.mkdir(parents=True, exist_ok=True)
    write_labels(out / "labels.csv", labels)
    write_centers(out / "centers.csv", centers, points.feature_names)
    write_json(out / "result.json", report.facts)


def print_report(report: FitReport, args: argparse.Namespace) -> None:
    """Print JSON or a short summary on stdout."""
    if args.json:
        print(json.dumps(report.facts))
    elif not args.quiet:
        print_lines(_lines(report, args.out))


def _lines(report: FitReport, out: Path | None) -> Lines:
    if out is None:
        return report.lines
    return (*report.lines, ("written", f"{out}: labels.csv, centers.csv, result.json"))
