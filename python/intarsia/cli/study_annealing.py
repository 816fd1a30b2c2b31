"""`intarsia study annealing`: the tables and the figure of the annealing paper."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.parser import Parser, non_negative_int, positive_int
from intarsia.cli.progress import progress_bar

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
    add = parser.add_argument
    numbers: dict[str, Any] = {"type": int, "nargs": "+", "action": "extend", "default": [], "metavar": "N"}
    add("--table", choices=TABLES, help="tables to run, of 2-6 (default: all)", **numbers)
    add("--figure", choices=FIGURES, help="the figure to make: 2", **numbers)
    add("--data-dir", type=Path, metavar="D", help="folder with iris.csv and wine.csv")
    add("--quick", action="store_true", help="3 runs of two ensemble sizes: a look, not a measurement")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--out", type=Path, default=DEFAULT_OUT, metavar="DIR", help=f"folder for results ({DEFAULT_OUT})")
    add("--json", action="store_true", help="print one JSON object, nothing else")


def run(args: argparse.Namespace) -> int:
    """Run the tables and figures asked for."""
    from intarsia.studies.annealing import Plan, Study  # here: help must not wait for SciPy
    from intarsia.studies.annealing.study import chosen

    tables, figures = chosen(args.table, args.figure)
    _warn_without_plots(figures)
    study = Study(Plan(args.data_dir, args.quick, args.seed, args.threads), args.out)
    sheets = [_table(args, study, number) for number in tables]
    sheets += [_figure(args, study) for _ in figures]
    _conclude(args, study, sheets)
    return 0


def _table(args: argparse.Namespace, study: Study, number: int) -> Sheet:
    from intarsia.studies.sheet import print_sheet

    with progress_bar(f"table {number}", study.n_steps(number), quiet=args.json) as advance:
        sheet = study.table(number, advance)
    if not args.json:
        print_sheet(sheet)
    return sheet


def _figure(args: argparse.Namespace, study: Study) -> Sheet:
    with progress_bar("figure 2", study.n_figure_steps, quiet=args.json) as advance:
        sheet = study.figure(advance)
    if not args.json:
        print(f"{sheet.title}: {len(sheet.rows)} points in {args.out}\n")
    return sheet


def _conclude(args: argparse.Namespace, study: Study, sheets: list[Sheet]) -> None:
    from intarsia.io.writers import to_json

    if args.json:
        result = {"study": args.paper, "seed": args.seed, "quick": args.quick, "summary": study.summary()}
        print(json.dumps(to_json({**result, "sheets": [sheet.as_json() for sheet in sheets]})))
        return
    if (summary := study.summary()) is not None:
        print(f"All tables: {summary}")
    print(f"CSV, Markdown and figures are in {args.out}")


def _warn_without_plots(figures: list[int]) -> None:
    from intarsia.studies.examce.plots import NO_MATPLOTLIB, can_draw

    if figures and not can_draw():
        print(f"intarsia: {NO_MATPLOTLIB}", file=sys.stderr)
