"""`intarsia study boosting`: the tables and figures of the boost-clustering paper."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from intarsia.cli.core.parser import Parser, positive_int
from intarsia.cli.study.common import add_numbers, add_settings, conclude, show, warn_without_plots
from intarsia.report.terminal import progress_bar

if TYPE_CHECKING:
    from intarsia.executor import Executor
    from intarsia.report.sheet import Sheet
    from intarsia.studies.boosting import Study

SUMMARY = "tables 2-5 and figures 3-10 of the boost-clustering paper"
EXAMPLE = """\
  intarsia study boosting --data-dir data
  intarsia study boosting --figure weights shapes --data-dir data
  intarsia study boosting --table 4 --figure 9-10 --quick"""

TABLES = (2, 3, 4, 5)
FIGURES = ("3-4", "5", "6-7", "8", "9-10", "weights", "shapes")
DEFAULT_OUT = Path("study-boosting")


def add_options(parser: Parser) -> None:
    """Add the options of `study boosting`."""
    add_numbers(parser, "--table", TABLES, "tables to run, of 2-5 (default: all)")
    add_numbers(parser, "--figure", FIGURES, f"figures to make, of {' '.join(FIGURES)}", str)
    add_settings(
        parser, "clouds.csv, phoneme.csv, page_blocks.csv", "two splits of generated data", DEFAULT_OUT
    )
    parser.add_argument("--splits", type=positive_int, metavar="N", help="random splits (6; 2 if quick)")


def run(args: argparse.Namespace, executor: Executor) -> None:
    """Run the tables and figures asked for."""
    from intarsia.studies.boosting import BoostingStudySettings, Study  # here: help must not wait for SciPy
    from intarsia.studies.boosting.study import chosen

    tables, figures = chosen(args.table, args.figure)
    warn_without_plots(figures)
    settings = BoostingStudySettings(args.data_dir, args.quick, args.seed, args.splits)
    study = Study(settings, args.out, executor)
    sheets = [sheet for number in tables for sheet in _table(args, study, number)]
    sheets += [_figure(args, study, name) for name in figures]
    conclusions = study.conclusions()
    conclude(args, sheets, {"conclusions": conclusions}, [*conclusions, ""])


def _table(args: argparse.Namespace, study: Study, number: int) -> list[Sheet]:
    with progress_bar(f"table {number}", study.n_steps(number), quiet=args.json) as advance:
        sheets = study.table(number, advance)
    for sheet in sheets:
        show(args, sheet)
    return sheets


def _figure(args: argparse.Namespace, study: Study, name: str) -> Sheet:
    with progress_bar(f"figure {name}", study.n_steps(name), quiet=args.json) as advance:
        sheet = study.figure(name, advance)
    show(args, sheet)
    return sheet
