"""`intarsia bag`: its options. The work itself is in `run`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.files import check_data
from intarsia.cli.core.parser import Parser
from intarsia.cli.rounds.options import add_method, add_output

if TYPE_CHECKING:
    from intarsia.boosting.fitting import BaggingFit

DESCRIPTION = "Cluster in rounds, each on points drawn with equal weights, and let them vote."
EXAMPLE = """\
  intarsia bag demo:bananas -k 4 --rounds 20 --out result
  intarsia bag points.csv -k 2-8 --base fcm --json
  intarsia bag demo:shapes -k 7 --aggregate eac --rounds 20"""

#: Data that are not there are refused before anything takes long.
check = check_data


def add_options(parser: Parser) -> None:
    """Add the options of `bag`."""
    add_method(parser, 10, "rounds")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Cluster, report, write."""
    from intarsia.cli.rounds.run import cluster_and_report  # here: help must not wait for NumPy

    return cluster_and_report(args, "bag", _model)


def _model(args: argparse.Namespace, **shared: Any) -> BaggingFit:
    from intarsia.boosting.fitting import BaggingFit

    return BaggingFit(n_rounds=args.rounds, **shared)
