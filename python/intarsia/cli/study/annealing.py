"""`intarsia study annealing`: the tables and the figure of the annealing paper."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from intarsia.cli.core.parser import Parser
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
    from intarsia.studies.annealing import Study

SUMMARY = "tables 2-6 and figure 2 of the annealing paper"
EXAMPLE = """\
  intarsia study annealing --data-dir data
  intarsia study annealing --table 5 6 --figure 2 --quick"""

TABLES = (2, 3, 4, 5, 6)
FIGURES = (2,)
DEFAULT_OUT = Path("study-annealing")


def add_options(parser: Parser) -> None:
    """Add the options of `study annealing`."""
    add_numbers(parser, "--table", TABLES, "tables to run, of 2-6 (default: all)")
    add_numbers(parser, "--figure", FIGURES, "the figure to make: 2")
    parser.add_argument(
        "--forms", action="store_true", help="other forms of 2-spirals and half-rings that fit table 2"
    )
    parser.add_argument("--readings", action="store_true", help="other readings of the paper's text, on them")
    add_settings(parser, "iris.csv and wine.csv", "3 runs of two ensemble sizes", DEFAULT_OUT)


def run(args: argparse.Namespace, executor: Executor) -> None:
    """Run the tables and figures asked for."""
    from intarsia.studies.annealing import AnnealingStudySettings, Study  # here: help must not wait for SciPy
    from intarsia.studies.annealing.study import chosen

    asked = args.table or args.figure or not (args.forms or args.readings)
    tables, figures = chosen(args.table, args.figure) if asked else ([], [])
    warn_without_plots(figures)
    study = Study(AnnealingStudySettings(args.data_dir, args.quick, args.seed), args.out, executor)
    sheets = [_table(args, study, number) for number in tables]
    sheets += [_figure(args, study) for _ in figures]
    sheets += [_forms(args, study)] if args.forms else []
    sheets += [_readings(args, study)] if args.readings else []
    summary = study.summary()
    conclude(args, sheets, {"summary": summary}, [f"All tables: {line}" for line in summary])


def _table(args: argparse.Namespace, study: Study, number: int) -> Sheet:
    with progress_bar(f"table {number}", study.n_steps(number), quiet=args.json) as advance:
        sheet = study.table(number, advance)
    show(args, sheet)
    return sheet


def _figure(args: argparse.Namespace, study: Study) -> Sheet:
    with progress_bar("figure 2", study.n_figure_steps, quiet=args.json) as advance:
        sheet = study.figure(advance)
    show_points(args, sheet)
    return sheet


def _forms(args: argparse.Namespace, study: Study) -> Sheet:
    from intarsia.studies.annealing.forms import n_families

    with progress_bar("forms", n_families(args.quick), quiet=args.json) as advance:
        sheet = study.forms(advance)
    show(args, sheet)
    return sheet


def _readings(args: argparse.Namespace, study: Study) -> Sheet:
    from intarsia.studies.annealing.readings import n_readings

    with progress_bar("readings", n_readings(args.quick), quiet=args.json) as advance:
        sheet = study.readings(advance)
    show(args, sheet)
    return sheet
