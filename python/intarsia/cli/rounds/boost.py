"""`intarsia boost`: its options. The work itself is in `run`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.files import check_data
from intarsia.cli.core.parser import Parser
from intarsia.cli.rounds.options import add_method, add_output

if TYPE_CHECKING:
    from intarsia.boosting.fitting import BoostFit

DESCRIPTION = "Cluster in rounds, each drawn by what the rounds before did badly, and let them vote."
EXAMPLE = """\
  intarsia boost demo:bananas -k 4 --out result
  intarsia boost points.csv -k 2-8 --base fcm --quality entropy --json
  intarsia boost demo:shapes -k 7 --aggregate eac --rounds 20 --no-stop"""

#: Data that are not there are refused before anything takes long.
check = check_data


def add_options(parser: Parser) -> None:
    """Add the options of `boost`."""
    add = add_method(parser, 20, "most rounds")
    add("--no-stop", action="store_true", help="make all rounds, whatever the pseudoloss does")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Cluster, report, write."""
    from intarsia.cli.rounds.run import cluster_and_report  # here: help must not wait for NumPy

    return cluster_and_report(args, "boost", _model)


def _model(args: argparse.Namespace, **shared: Any) -> BoostFit:
    from intarsia.boosting.fitting import BoostFit

    return BoostFit(max_rounds=args.rounds, stop=not args.no_stop, **shared)
