"""The options of each benchmark on the command line."""

from __future__ import annotations

from pathlib import Path

from intarsia.cli.core.parser import Parser, existing_folder, non_negative_int, positive_float, positive_int


def add_common_options(parser: Parser) -> None:
    """Add what every benchmark understands."""
    parser.add_argument("--quick", action="store_true", help="smaller and fewer: a look, not a measurement")
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help="print one JSON object, nothing else"
    )


def add_data_folder(parser: Parser) -> None:
    """Add the option of the benchmarks that can read published data."""
    hint = "folder with tsplib/u1060.tsp and so on"
    parser.add_argument("--data-dir", type=existing_folder, metavar="D", help=hint)


def add_repeats(parser: Parser) -> None:
    """Add the options of the kernel benchmarks."""
    parser.add_argument("--repeats", type=positive_int, default=5, metavar="N", help="timings (default: 5)")


def add_mssc(parser: Parser) -> None:
    """Add the options of `bench mssc`."""
    _add_cases(parser)
    parser.add_argument(
        "--budgets", type=positive_float, nargs="+", metavar="S", help="CPU seconds (0.5 2 10)"
    )
    parser.add_argument("--seeds", type=positive_int, metavar="N", help="seeds 0 ... N-1 (default: 10)")
    parser.add_argument("--peers", nargs="+", metavar="P", help="some of sklearn, bkmeans, hgmeans")
    _add_resume(parser)
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=1, help="processes side by side")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write mssc_runs.csv and mssc_cells.csv there"
    )


def add_cover(parser: Parser) -> None:
    """Add the options of `bench cover`."""
    _add_cases(parser)
    parser.add_argument("--runs", type=positive_int, metavar="N", help="k-means runs a pool (default: 150)")
    parser.add_argument("--seconds", type=positive_float, metavar="S", help="limit of the hard cases (60)")
    _add_seed(parser)


def add_scale(parser: Parser) -> None:
    """Add the options of `bench scale`."""
    _add_cases(parser)
    parser.add_argument("--threads", type=positive_int, default=2, metavar="N", help="ours (default: 2)")
    peers = ("sklearn", "bkmeans")
    parser.add_argument("--peers", nargs="+", choices=peers, default=peers, help="(default: both)")
    _add_seed(parser)
    _add_resume(parser)


def add_fast(parser: Parser) -> None:
    """Add the options of `bench fast` and `bench defaults`."""
    _add_cases(parser)
    parser.add_argument("--seeds", type=positive_int, metavar="N", help="seeds 0 ... N-1 (default: 10)")


def add_budgets(parser: Parser) -> None:
    """Add the options of `bench budgets`."""
    _add_cases(parser)
    parser.add_argument(
        "--budgets", type=positive_float, nargs="+", metavar="S", help="time limits (1 5 20 100)"
    )
    _add_seed(parser)


def add_stop(parser: Parser) -> None:
    """Add the options of `bench stop`."""
    add_fast(parser)
    parser.add_argument(
        "--effort", choices=("fast", "default", "high"), default="default", help="(default: default)"
    )


def add_mpi(parser: Parser) -> None:
    """Add the options of `bench mpi`."""
    parser.add_argument("--ranks", type=positive_int, default=2, metavar="N", help="against one (default: 2)")
    parser.add_argument("--repeats", type=positive_int, default=3, metavar="N", help="timings (default: 3)")


def add_memory(parser: Parser) -> None:
    """Add the options of `bench memory`."""
    add = parser.add_argument
    add("--ranks", type=positive_int, default=1, metavar="N", help="ranks too, beside one process (1: none)")
    add("--works", nargs="+", choices=("kmeans", "paper"), metavar="W", help="instead of all: kmeans, paper")


def add_scaling(parser: Parser) -> None:
    """Add the options of `bench scaling`."""
    add = parser.add_argument
    add("--base-runs", type=positive_int, metavar="N", help="base runs of the fit (150)")
    add("--gigabits", type=positive_float, default=10.0, metavar="G", help="network, Gbit/s (10)")
    add("--micros", type=positive_float, default=5.0, metavar="U", help="latency, microseconds (5)")


def add_consensus(parser: Parser) -> None:
    """Add the options of `bench consensus`."""
    parser.add_argument("--sizes", type=positive_int, nargs="+", metavar="N", help="numbers of points")
    parser.add_argument("--methods", nargs="+", metavar="M", help="instead of all, e.g. plain-mcla mcla")
    parser.add_argument("--threads", type=positive_int, default=2, metavar="N", help="ours (default: 2)")
    parser.add_argument(
        "--limit", type=positive_float, default=600.0, metavar="S", help="seconds a run may take (600)"
    )
    _add_seed(parser)


def _add_cases(parser: Parser) -> None:
    parser.add_argument("--cases", nargs="+", metavar="NAME:K", help="instead of all, e.g. u1060:100 iris:3")


def _add_resume(parser: Parser) -> None:
    hint = "keep the runs there and skip those it has"
    parser.add_argument("--resume", type=Path, metavar="FILE.csv", help=hint)


def _add_seed(parser: Parser) -> None:
    parser.add_argument("--seed", type=non_negative_int, default=0, metavar="N", help="(default: 0)")
