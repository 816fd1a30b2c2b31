"""The options that `intarsia boost` and `intarsia bag` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from intarsia.base.registry import BASES
from intarsia.cli.core.files import add_data_options
from intarsia.cli.core.parser import (
    Parser,
    named_value,
    non_negative_int,
    positive_float,
    positive_int,
    whole_range,
)

QUALITIES = ("minmax", "entropy")
VOTES = ("beta", "equal")


def add_method(parser: Parser, default_rounds: int, rounds: str) -> Callable[..., Any]:
    """Add data and method; return what adds more to the method. `rounds` describes --rounds."""
    add_data_options(parser)
    add = parser.add_argument_group("method (defaults in brackets)").add_argument
    add(
        "-k",
        "--clusters",
        type=whole_range,
        required=True,
        metavar="C",
        help="number of clusters; A-B takes the most stable of a range",
    )
    add("--base", choices=tuple(BASES), default="kmeans", metavar="B", help=f"{', '.join(BASES)} (kmeans)")
    add("--quality", choices=QUALITIES, default="minmax", help="what is wrong with a point (minmax)")
    add(
        "--rounds",
        type=positive_int,
        default=default_rounds,
        metavar="T",
        help=f"{rounds} ({default_rounds})",
    )
    add(
        "--log-base", type=positive_float, metavar="B", help="of the entropy's logarithm (number of clusters)"
    )
    add("--votes", choices=VOTES, default="beta", help="weight of a round: log beta, or equal (beta)")
    add("--aggregate", default="vote", metavar="M", help="vote, or a consensus function such as eac (vote)")
    add(
        "--option",
        type=named_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the consensus function",
    )
    add("--round-clusters", type=int, metavar="N", help="clusters of a round, not for vote (root of n)")
    add("--repeats", type=positive_int, default=5, metavar="R", help="runs compared for each of -k A-B (5)")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    return add


def add_output(parser: Parser) -> None:
    """Add where results go."""
    add = parser.add_argument_group("output").add_argument
    add("--out", type=Path, metavar="DIR", help="write labels.csv, rounds.csv, result.json, pictures")
    add("--json", action="store_true", help="print one JSON object, nothing else")
    add("--log-dir", type=Path, metavar="DIR", help="a log for each rank: its tasks and times")
    add("--quiet", action="store_true", help="no progress bar and no summary")
