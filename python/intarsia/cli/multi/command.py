"""`intarsia multi`: its options. The work itself is in `run`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from intarsia.base.registry import BASES, base_clusterer
from intarsia.cli.core.files import add_data_options, check_data, check_out_dir
from intarsia.cli.core.parser import (
    Parser,
    UsageError,
    non_negative_float,
    non_negative_int,
    number_or_share,
    positive_float,
    positive_int,
)

DESCRIPTION = "Choose the most stable clusters of several algorithms, each for its part of the points."
EXAMPLE = """\
  intarsia multi demo:seven-shapes --out result
  intarsia multi iris.csv -k 3 --min-size 5 --json
  intarsia multi points.csv --algorithm kmeans:n_clusters=2-6 \\
      --algorithm spectral:n_clusters=3,5:sigma=0.2,0.5"""

SEARCHES = ("auto", "hill", "exact")
OVERLAPS = ("min", "max")


def add_options(parser: Parser) -> None:
    """Add the options of `multi`."""
    add_data_options(parser)
    add = parser.add_argument_group("method (defaults in brackets)").add_argument
    add("-k", "--clusters", type=positive_int, metavar="K", help="number of clusters (by default chosen)")
    add(
        "--algorithm",
        type=algorithm,
        action="append",
        metavar="A:P=V,V",
        help="a base and values of its parameters (kmeans, gmm, single-link, spectral)",
    )
    add("--search", choices=SEARCHES, default="auto", help="for the best choice (auto)")
    add("--assign", action="store_true", help="give points of no cluster to the nearest mean")
    add("--min-size", type=number_or_share, metavar="N", help="least points, or share (at most 0.02)")
    add("--resamples", type=positive_int, default=50, metavar="M", help="resamples of the points (50)")
    add("--subsample", type=positive_float, default=0.9, metavar="X", help="share that each draws (0.9)")
    add("--replace", action="store_true", help="draw with replacement")
    add("--overlap-cost", type=non_negative_float, default=0.4, metavar="X", help="gamma 1 (0.4)")
    add("--uncovered-cost", type=non_negative_float, default=5.0, metavar="X", help="gamma 2 (5)")
    add("--overlap", choices=OVERLAPS, default="min", help="shared points by which cluster of two (min)")
    add("--first-guess", type=positive_int, metavar="K", help="of a free K (from the candidates)")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    _add_output(parser)


def _add_output(parser: Parser) -> None:
    add = parser.add_argument_group("output").add_argument
    add("--out", type=Path, metavar="DIR", help="write labels.csv, clusters.csv, result.json, pictures")
    add("--json", action="store_true", help="print one JSON object, nothing else")
    add("--checkpoint", type=Path, metavar="DIR", help="keep resamples that are done there")
    add("--checkpoint-every", type=positive_float, default=60.0, metavar="S", help="seconds between (60)")
    add("--resume", action="store_true", help="go on from what is there")
    add("--log-dir", type=Path, metavar="DIR", help="a log for each rank: its tasks and times")
    add("--quiet", action="store_true", help="no progress bar and no summary")


def check(args: argparse.Namespace) -> None:
    """Refuse what cannot be before anything takes long."""
    if args.resume and args.checkpoint is None:
        raise UsageError("--resume needs --checkpoint DIR")
    for name, grid in args.algorithm or []:
        _check_parameters(name, grid)
    check_data(args)
    check_out_dir(args.checkpoint)


def _check_parameters(name: str, grid: dict[str, list[Any]]) -> None:
    for parameter, values in grid.items():
        for value in values if parameter != "n_clusters" else []:
            try:
                base_clusterer(name, **{parameter: value})
            except (TypeError, ValueError) as error:  # in the words of the grid, which are not options
                raise UsageError(f"--algorithm {name}: {str(error).removeprefix(f'{name} ')}") from None


def run(args: argparse.Namespace) -> int:
    """Cluster, report, write."""
    from intarsia.cli.multi.run import cluster_and_report  # here: help must not wait for scikit-learn

    return cluster_and_report(args)


def algorithm(text: str) -> tuple[str, dict[str, list[Any]]]:
    """Read `spectral:n_clusters=2-5,8:sigma=0.1,0.3`."""
    name, *parts = text.split(":")
    if name not in BASES:
        raise argparse.ArgumentTypeError(f"needs one of {', '.join(BASES)}, got {name!r}")
    grid: dict[str, list[Any]] = {}
    for part in parts:
        parameter, equals, values = part.partition("=")
        if not (parameter and equals and values):
            raise argparse.ArgumentTypeError(f"needs NAME:PARAMETER=VALUE,VALUE, got {text!r}")
        grid[parameter] = [number for value in values.split(",") for number in _values(value)]
    if "n_clusters" not in grid:
        raise argparse.ArgumentTypeError(f"needs numbers of clusters too (see the examples), got {text!r}")
    if not all(isinstance(k, int) and k >= 1 for k in grid["n_clusters"]):
        raise argparse.ArgumentTypeError(f"needs whole numbers of clusters of at least 1, got {text!r}")
    return name, grid


def _values(text: str) -> list[Any]:
    """Return a number, the whole numbers of a range, or the text itself."""
    low, dash, high = text.partition("-")
    if dash and low.isdecimal() and high.isdecimal():
        if int(high) < int(low):
            raise argparse.ArgumentTypeError(f"needs the smaller number of a range first, got {text!r}")
        return list(range(int(low), int(high) + 1))
    for read in (int, float):
        try:
            return [read(text)]
        except ValueError:
            continue
    return [text]
