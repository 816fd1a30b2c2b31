"""`intarsia study pmedian`: p-medians beside FasterPAM at equal CPU time."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from intarsia.cli.core.parser import Parser, positive_float, positive_int
from intarsia.cli.study.common import add_settings, conclude, show

if TYPE_CHECKING:
    from intarsia.executor import Executor

SUMMARY = "p-medians of u1060 and pcb3038 beside FasterPAM at equal CPU time"
EXAMPLE = """\
  intarsia study pmedian --data-dir data
  intarsia study pmedian --data u1060 --medians 10 100 --seeds 1 --seconds 1 5"""

DATA = ("u1060", "pcb3038")
DEFAULT_OUT = Path("study-pmedian")


def add_options(parser: Parser) -> None:
    """Add the options of `study pmedian`."""
    add = parser.add_argument
    add("--data", nargs="+", choices=DATA, default=list(DATA), metavar="NAME", help="u1060, pcb3038 (both)")
    add("--medians", nargs="+", type=positive_int, metavar="P", help="numbers of medians (10 ... 500)")
    add("--seeds", type=positive_int, default=5, metavar="N", help="seeds of each cell, from --seed on (5)")
    add("--seconds", nargs="+", type=positive_float, metavar="S", help="CPU seconds (1 5 20)")
    add_settings(parser, "tsplib/u1060.tsp and pcb3038.tsp", "one seed, one second", DEFAULT_OUT)


def run(args: argparse.Namespace, executor: Executor) -> None:
    """Run on one thread, one instance after the other: CPU time is what is compared."""
    from intarsia.bench.quality.pmedian import BUDGETS, PEER, PMedianSettings, has_peer
    from intarsia.bench.quality.pmedian import run as run_study
    from intarsia.report.sheet import Sheet, write_sheet
    from intarsia.report.terminal import progress_bar
    from intarsia.studies.common import ResultFolder, read_by_rank_zero

    settings = PMedianSettings(
        args.data_dir,
        None if args.medians is None else tuple(args.medians),
        tuple(args.data),
        tuple(range(args.seed, args.seed + (1 if args.quick else args.seeds))),
        (1.0,) if args.quick else tuple(args.seconds or BUDGETS),
    )
    if not has_peer():
        print(f"intarsia: FasterPAM is not run: pip install {PEER}", file=sys.stderr)
    ResultFolder(args.out, executor)
    with progress_bar("p-medians", len(settings.instances()), quiet=args.json) as advance:

        def keep(n_done: int, so_far: Sheet) -> None:
            write_sheet(args.out, so_far)  # an interrupted study keeps what it has
            advance(n_done)

        sheet = read_by_rank_zero(executor, lambda: run_study(settings, keep))
    show(args, sheet)
    conclude(args, [sheet], {"seeds": len(settings.seeds), "seconds": list(settings.budgets)})
