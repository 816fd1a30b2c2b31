"""`intarsia study soft`: the tables and figures of the paper on soft ensembles."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.parser import Parser, positive_int
from intarsia.cli.study.common import (
    add_numbers,
    add_settings,
    conclude,
    show,
    show_points,
    warn_without_plots,
)
from intarsia.report.terminal import progress_bar

if TYPE_CHECKING:
    from intarsia.executor import Executor
    from intarsia.report.sheet import Sheet
    from intarsia.studies.soft import SoftStudySettings, Study

SUMMARY = "tables 1.7-1.13, figures 1.1-1.4 of the soft ensembles paper"
EXAMPLE = """\
  intarsia study soft --data-dir data
  intarsia study soft --table 1.7 1.9 --figure 1.1 --out results
  intarsia study soft --quick"""

TABLES = ("1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13")
FIGURES = ("1.1", "1.2", "1.3", "1.4")
DATA = ("8d5k", "vowel", "pendigits", "glass", "yeast", "vehicle")
DEFAULT_OUT = Path("study-soft")


def add_options(parser: Parser) -> None:
    """Add the options of `study soft`."""
    add_numbers(parser, "--table", TABLES, "tables to make, of 1.7-1.13 (default: all)", str)
    add_numbers(parser, "--figure", FIGURES, "figures to make, of 1.1-1.4", str)
    add_settings(parser, "vowel.csv and so on", "a few ensembles of small data sets", DEFAULT_OUT)
    parser.add_argument(
        "--defaults", action="store_true", help="choose our defaults on half of the data sets"
    )
    count: dict[str, Any] = {"type": positive_int, "metavar": "N"}
    parser.add_argument("--ensembles", help="ensembles a setting (3; 1 if quick)", **count)
    parser.add_argument("--runs", help="runs of a method on each, averaged (2; 1 if quick)", **count)
    parser.add_argument("--data", choices=DATA, nargs="+", default=[], metavar="NAME", help="data sets (all)")
    parser.add_argument("--every", default=1, help="every N-th number of members only (1)", **count)


def run(args: argparse.Namespace, executor: Executor) -> None:
    """Score the ensembles that the tables and figures asked for need; the data are looked for first."""
    from intarsia.studies.soft import SoftStudySettings, Study  # here: help must not wait for SciPy

    tables, figures = _chosen(args)
    warn_without_plots(figures)
    how = (args.ensembles, args.runs, args.every, tuple(args.data))
    settings = SoftStudySettings(args.data_dir, args.quick, args.seed, *how)
    study = Study(settings, args.out, tables, figures, executor)
    if args.defaults:
        conclude(args, [_defaults(args, study, settings)], {})
        return
    with progress_bar("scores", study.n_steps, quiet=args.json) as advance:
        sheets = study.run(advance)
    for sheet in sheets:
        (show_points if sheet.name.startswith("figure") else show)(args, sheet)
    conclusions = study.conclusions()
    conclude(args, sheets, {"conclusions": conclusions}, [*conclusions, ""])


def _defaults(args: argparse.Namespace, study: Study, settings: SoftStudySettings) -> Sheet:
    from intarsia.studies.soft.defaults import n_steps

    with progress_bar("defaults", n_steps(settings), quiet=args.json) as advance:
        sheet = study.defaults(advance)
    show(args, sheet)
    return sheet


def _chosen(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    tables = args.table or (() if args.figure or args.defaults else TABLES)
    return list(dict.fromkeys(tables)), list(dict.fromkeys(args.figure))
