"""`intarsia study NAME`: run a paper's experiments again, published figures beside ours."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli import study_annealing, study_soft
from intarsia.cli.out_file import check_out_dir
from intarsia.cli.parser import Parser
from intarsia.cli.progress import progress_bar
from intarsia.cli.study_parts import add_numbers, add_settings, conclude, show, warn_without_plots

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
OTHER_PAPERS = {"annealing": study_annealing, "soft": study_soft}


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
    for module in OTHER_PAPERS.values():
        module.add_paper(papers)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the study of the paper that was named, once its results have somewhere to go."""
    check_out_dir(args.out)
    return OTHER_PAPERS[args.paper].run(args) if args.paper in OTHER_PAPERS else _run_examce(args)


def _run_examce(args: argparse.Namespace) -> int:
    """Run the tables and figures asked for; the data are looked for before the first run."""
    from intarsia.studies.examce import Plan, experiments  # here: help must not wait for scikit-learn
    from intarsia.studies.examce.study import check_data

    plan = Plan(args.data_dir, args.quick, args.effort, args.seed, args.threads)
    tables = args.table or (() if args.figure else DEFAULT_TABLES)
    chosen = experiments(tables, args.figure)
    check_data(chosen, plan)
    warn_without_plots(args.figure)
    sheets = _run_all(args, plan, chosen)
    conclude(args, sheets, {"effort": args.effort})
    return 0


def _run_all(args: argparse.Namespace, plan: Plan, chosen: Sequence[Experiment]) -> list[Sheet]:
    from intarsia.studies.examce import Study

    study = Study(plan, args.out)
    sheets = []
    for experiment in chosen:
        with progress_bar(experiment.name, len(experiment.jobs(plan)), quiet=args.json) as advance:
            sheet = study.run(experiment, advance)
        show(args, sheet)  # after the bar: on a terminal a live bar would take stdout with it
        sheets.append(sheet)
    if (tests := study.statistics()) is not None:
        show(args, tests)
        sheets.append(tests)
    return sheets


def _add_options(parser: Parser) -> None:
    add_numbers(parser, "--table", TABLES, "tables to run, of 2-7 (default: 2 3 4)")
    add_numbers(parser, "--figure", FIGURES, "figures to make, of 2-6")
    add_settings(parser, "tsplib/u1060.tsp, iris.csv and so on", "a few small instances", DEFAULT_OUT)
    parser.add_argument(
        "--effort", choices=EFFORTS, help="of every run (default: default; table 5, figures 3-6: paper)"
    )
