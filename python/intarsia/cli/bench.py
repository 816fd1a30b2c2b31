"""`intarsia bench NAME`: run one benchmark of `intarsia.bench`."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Any

from intarsia.cli.parser import Parser, positive_int

EXAMPLE = """\
  intarsia bench kmeans --quick
  intarsia bench hk-means --data-dir data --json"""

# name on the command line -> (module of intarsia.bench, one line of help)
BENCHMARKS: dict[str, tuple[str, str]] = {
    "kmeans": ("kmeans", "k-means against scikit-learn: five cases, one thread"),
    "hk-means": ("hk_means", "150 HK-means runs and random swap on u1060, k = 100"),
}


def add_parser(commands: Any) -> Parser:
    """Add `bench` and one subcommand per benchmark."""
    parser: Parser = commands.add_parser(
        "bench",
        help="measure speed and quality",
        description="Measure against scikit-learn on this machine, in one process, one thread.",
        example=EXAMPLE,
    )
    names = parser.add_subparsers(title="benchmarks", metavar="NAME", dest="benchmark", required=True)
    for name, (_, summary) in BENCHMARKS.items():
        example = f"  intarsia bench {name} --quick"
        _add_options(names.add_parser(name, help=summary, description=summary, example=example))
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the benchmark that was named."""
    module = import_module(f"intarsia.bench.{BENCHMARKS[args.benchmark][0]}")
    module.run(data_dir=args.data_dir, quick=args.quick, repeats=args.repeats, as_json=args.json)
    return 0


def _add_options(parser: Parser) -> None:
    parser.add_argument("--data-dir", type=Path, metavar="D", help="folder with tsplib/u1060.tsp and so on")
    parser.add_argument("--quick", action="store_true", help="smaller and fewer: a look, not a measurement")
    parser.add_argument("--repeats", type=positive_int, default=5, metavar="N", help="timings (default: 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
