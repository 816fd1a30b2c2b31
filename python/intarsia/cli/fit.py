"""`intarsia fit`: its options. The work itself is in `fit_run`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from intarsia.cli.data_options import add_data_options
from intarsia.cli.fit_options import add_options, settle_options
from intarsia.cli.methods import DEFAULT_METHOD, METHODS
from intarsia.cli.parser import Parser, non_negative_int, positive_int

EXAMPLE = """\
  intarsia fit demo:gauss100 -k 100 --out result
  intarsia fit iris.csv -k 3 --label-column class --scale standard
  intarsia fit points.csv -k 20 --effort high --min-size 10 --max-size 80
  intarsia fit points.npy -k 50 --method random-swap --swaps 5000 --json"""

SPREADS = True  # the ranks of an MPI job share the work


def add_parser(commands: Any) -> Parser:
    """Add `fit` to the commands."""
    parser: Parser = commands.add_parser(
        "fit",
        help="cluster a data set",
        description="Cluster a data set and report the sum of squared distances.",
        example=EXAMPLE,
    )
    add_data = add_data_options(parser)
    add_data("--weights", type=Path, metavar="FILE", help="one weight per point, in one column")
    _add_method(parser)
    add_options(parser)
    _add_output(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Cluster, report, write."""
    settle_options(args)
    args.shards = None
    return fit_with(args)


def fit_with(args: argparse.Namespace) -> int:
    """Cluster as settled options say."""
    from intarsia.cli.fit_run import fit_and_report  # imported here: help must not wait for scikit-learn

    return fit_and_report(args)


def _add_method(parser: Parser) -> None:
    group = parser.add_argument_group("method (defaults in brackets)")
    add = group.add_argument
    add("-k", "--clusters", type=int, required=True, metavar="K", help="number of clusters")
    add("--method", choices=tuple(METHODS), default=DEFAULT_METHOD, help=f"how to cluster ({DEFAULT_METHOD})")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")


def _add_output(parser: Parser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--out", type=Path, metavar="DIR", help="write labels.csv, centers.csv, result.json")
    group.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    group.add_argument("--log-dir", type=Path, metavar="DIR", help="a log for each rank: its tasks and times")
    group.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
