"""`intarsia study annealing`: the tables and the figure of the annealing paper."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.parser import Parser
from intarsia.cli.progress import progress_bar
from intarsia.cli.study_parts import (
    add_numbers,
    add_settings,
    conclude,
    show,
    show_points,
    warn_without_plots,
)

if TYPE_CHECKING:
    from intarsia.studies.annealing import Study
    from intarsia.studies.sheet import Sheet

EXAMPLE = """\
  intarsia study annealing --data-dir data
  intarsia study annealing --table 5 6 --figure 2 --quick"""

TABLES = (2, 3, 4, 5, 6)
FIGURES = (2,)
DEFAULT_OUT = Path("study-annealing")


def add_paper(papers: Any) -> None:
    """Add `study annealing`."""
    summary = "tables 2-6 and figure 2 of the annealing paper"
    parser: Parser = papers.add_parser("annealing", help=summary, description=summary, example=EXAMPLE)
    add_numbers(parser, "--table", TABLES, "tables to run, of 2-6 (default: all)")
    add_numbers(parser, "--figure", FIGURES, "the figure to make: 2")
    add_settings(parser, "iris.csv and wine.csv", "3 runs of two ensemble sizes", DEFAULT_OUT)


def run(args: argparse.Namespace) -> int:
    """Run the tables and figures asked for."""
    from intarsia.studies.annealing import Plan, Study  # here: help must not wait for SciPy
    from intarsia.studies.annealing.study import chosen

    tables, figures = chosen(args.table, args.figure)
    warn_without_plots(figures)
    study = Study(Plan(args.data_dir, args.quick, args.seed, args.threads), args.out)
    sheets = [_table(args, study, number) for number in tables]
    sheets += [_figure(args, study) for _ in figures]
    summary = study.summary()
    conclude(args, sheets, {"summary": summary}, [f"All tables: {summary}"] if summary else [])
    return 0


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
