"""`intarsia study soft`: the tables and figures of the paper on soft ensembles."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from intarsia.cli.parser import Parser, positive_int
from intarsia.cli.progress import progress_bar
from intarsia.cli.study_parts import (
    add_numbers,
    add_settings,
    conclude,
    show,
    show_points,
    warn_without_plots,
)

EXAMPLE = """\
  intarsia study soft --data-dir data
  intarsia study soft --table 1.7 1.9 --figure 1.1 --out results
  intarsia study soft --quick"""

TABLES = ("1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13")
FIGURES = ("1.1", "1.2", "1.3", "1.4")
DEFAULT_OUT = Path("study-soft")


def add_paper(papers: Any) -> None:
    """Add `study soft`."""
    summary = "tables 1.7-1.13, figures 1.1-1.4 of the soft ensembles paper"
    parser: Parser = papers.add_parser("soft", help=summary, description=summary, example=EXAMPLE)
    add_numbers(parser, "--table", TABLES, "tables to make, of 1.7-1.13 (default: all)", str)
    add_numbers(parser, "--figure", FIGURES, "figures to make, of 1.1-1.4", str)
    add_settings(parser, "vowel.csv and so on", "a few ensembles of small data sets", DEFAULT_OUT)
    count: dict[str, Any] = {"type": positive_int, "metavar": "N"}
    parser.add_argument("--ensembles", help="ensembles a setting (3; 1 if quick)", **count)
    parser.add_argument("--runs", help="runs of a method on each, averaged (2; 1 if quick)", **count)


def run(args: argparse.Namespace) -> int:
    """Score the ensembles that the tables and figures asked for need; the data are looked for first."""
    from intarsia.studies.soft import Plan, Study  # here: help must not wait for SciPy

    tables, figures = _chosen(args)
    warn_without_plots(figures)
    plan = Plan(args.data_dir, args.quick, args.seed, args.threads, args.ensembles, args.runs)
    study = Study(plan, args.out, tables, figures)
    with progress_bar("ensembles", study.n_steps, quiet=args.json) as advance:
        sheets = study.run(advance)
    for sheet in sheets:
        (show_points if sheet.name.startswith("figure") else show)(args, sheet)
    conclusions = study.conclusions()
    conclude(args, sheets, {"conclusions": conclusions}, [*conclusions, ""])
    return 0


def _chosen(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    tables = args.table or (() if args.figure else TABLES)
    return list(dict.fromkeys(tables)), list(dict.fromkeys(args.figure))
