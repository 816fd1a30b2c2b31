"""`intarsia combine`: its options. The work itself is in `run`."""

from __future__ import annotations

import argparse
from pathlib import Path

from intarsia.cli.core.files import add_reading_options, check_inputs
from intarsia.cli.core.parser import Parser, named_value, non_negative_int, positive_int, whole_range

DESCRIPTION = "Make one clustering of many, without looking at the data."
EXAMPLE = """\
  intarsia combine ensemble.npz -k 3 --method vote --out labels.csv
  intarsia combine run1.csv run2.csv run3.csv -k 8 --method best
  intarsia combine ensemble.npz --method vote --k-range 2-10 --json
  intarsia combine ensemble.npz -k 3 --method all --out every-method.csv"""

DEFAULT_METHOD = "mcla"


def add_options(parser: Parser) -> None:
    """Add the options of `combine`."""
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", type=Path, help="ensembles or labels: CSV, NPZ, Parquet, -")
    whose = "take these columns only, one a clustering"
    add_reading_options(add, "--header", "--delimiter", "--columns", "--drop", "--key", columns=whose)
    add("-k", "--clusters", type=positive_int, metavar="K", help="number of clusters (by default chosen)")
    add("--k-range", type=whole_range, metavar="A-B", help="choose K among these")
    add("--method", default=DEFAULT_METHOD, metavar="M", help=f"method, best or all ({DEFAULT_METHOD})")
    add(
        "--option",
        type=named_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the method",
    )
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--out", type=Path, metavar="FILE", help="write labels: CSV, NPZ, Parquet by its suffix, or -")
    add("--json", action="store_true", help="print one JSON object, nothing else")
    add("--quiet", action="store_true", help="no summary")


def check(args: argparse.Namespace) -> None:
    """Refuse files that are not there."""
    check_inputs(args.files, named=False)


def run(args: argparse.Namespace) -> int:
    """Combine, report, write."""
    from intarsia.cli.combine.run import combine_and_report  # here: help must not wait for scikit-learn

    return combine_and_report(args)
