"""`intarsia study NAME`: run a paper's experiments again, published figures beside ours."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli import study_annealing
from intarsia.cli.parser import Parser, non_negative_int, positive_int
from intarsia.cli.progress import progress_bar

if TYPE_CHECKING:
    from intarsia.studies.examce import Plan
    from intarsia.studies.examce.experiment import Experiment
    from intarsia.studies.sheet import Sheet

EXAMPLE = """\
  intarsia study examce --data-dir data
  intarsia study examce --table 7 --figure 3 4 --out results
  intarsia study examce --quick"""

TABLES = (2, 3, 4, 5, 6, 7)
FIGURES = (2, 3, 4, 5, 6)
DEFAULT_TABLES = (2, 3, 4)
EFFORTS = ("paper", "default", "high")
DEFAULT_OUT = Path("study-examce")


def add_parser(commands: Any) -> Parser:
    """Add `study` and one subcommand per paper."""
    parser: Parser = commands.add_parser(
        "study",
        help="run a paper's experiments",
        description="Run a paper's experiments again and print its figures beside ours.",
        example=EXAMPLE,
    )
    papers = parser.add_subparsers(title="papers", metavar="NAME", dest="paper", required=True)
    summary = "tables 2-7 and figures 2-6 of the EXAMCE paper"
    _add_options(papers.add_parser("examce", help=summary, description=summary, example=EXAMPLE))
    study_annealing.add_paper(papers)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the study of the paper that was named."""
    return study_annealing.run(args) if args.paper == "annealing" else _run_examce(args)


def _run_examce(args: argparse.Namespace) -> int:
    """Run the tables and figures asked for; the data are looked for before the first run."""
    from intarsia.studies.examce import Plan, experiments  # here: help must not wait for scikit-learn
    from intarsia.studies.examce.study import check_data

    plan = Plan(args.data_dir, args.quick, args.effort, args.seed, args.threads)
    tables = args.table or (() if args.figure else DEFAULT_TABLES)
    chosen = experiments(tables, args.figure)
    check_data(chosen, plan)
    _warn_without_plots(args)
    sheets = _run_all(args, plan, chosen)
    _conclude(args, sheets)
    return 0


def _run_all(args: argparse.Namespace, plan: Plan, chosen: Sequence[Experiment]) -> list[Sheet]:
    from intarsia.studies.examce import Study

    study = Study(plan, args.out)
    sheets = []
    for experiment in chosen:
        with progress_bar(experiment.name, len(experiment.jobs(plan)), quiet=args.json) as advance:
            sheet = study.run(experiment, advance)
        _show(args, sheet)  # after the bar: on a terminal a live bar would take stdout with it
        sheets.append(sheet)
    if (tests := study.statistics()) is not None:
        _show(args, tests)
        sheets.append(tests)
    return sheets


def _show(args: argparse.Namespace, sheet: Sheet) -> None:
    from intarsia.studies.sheet import print_sheet

    if not args.json:
        print_sheet(sheet)


def _conclude(args: argparse.Namespace, sheets: Sequence[Sheet]) -> None:
    from intarsia.io.writers import to_json

    if not args.json:
        print(f"CSV, Markdown and figures are in {args.out}")
        return
    settings = {"effort": args.effort, "seed": args.seed, "quick": args.quick}
    result = {"study": args.paper, **settings, "sheets": [sheet.as_json() for sheet in sheets]}
    print(json.dumps(to_json(result)))


def _warn_without_plots(args: argparse.Namespace) -> None:
    from intarsia.studies.examce.plots import NO_MATPLOTLIB, can_draw

    if args.figure and not can_draw():
        print(f"intarsia: {NO_MATPLOTLIB}", file=sys.stderr)


def _add_options(parser: Parser) -> None:
    add = parser.add_argument
    # one list for `--table 2 3` and for `--table 2 --table 3`
    numbers: dict[str, Any] = {"type": int, "nargs": "+", "action": "extend", "default": [], "metavar": "N"}
    add("--table", choices=TABLES, help="tables to run, of 2-7 (default: 2 3 4)", **numbers)
    add("--figure", choices=FIGURES, help="figures to make, of 2-6", **numbers)
    add("--data-dir", type=Path, metavar="D", help="folder with tsplib/u1060.tsp, iris.csv and so on")
    add("--quick", action="store_true", help="a few small instances: a look, not a measurement")
    add("--effort", choices=EFFORTS, help="of every run (default: default; table 5, figures 3-6: paper)")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--out", type=Path, default=DEFAULT_OUT, metavar="DIR", help=f"folder for results ({DEFAULT_OUT})")
    add("--json", action="store_true", help="print one JSON object, nothing else")
