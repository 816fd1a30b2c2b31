"""`intarsia study examce`: the tables and figures of the EXAMCE paper."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import TYPE_CHECKING

from intarsia.cli.core.parser import Parser, UsageError, positive_int
from intarsia.cli.study.common import add_numbers, add_settings, conclude, show, warn_without_plots

if TYPE_CHECKING:
    from intarsia.executor import Executor
    from intarsia.report.sheet import Sheet
    from intarsia.studies.examce import ExamceStudySettings, Study
    from intarsia.studies.examce.lab import Experiment

SUMMARY = "tables 2-9 and figures 2-8 of the EXAMCE paper"
EXAMPLE = """\
  intarsia study examce --data-dir data
  intarsia study examce --table 7 --figure 3 4 --out results
  intarsia study examce --table 4 --printed --resume --only rat575:90,100
  intarsia study examce --table 2 4 --baselines
  intarsia study examce --quick"""

TABLES = (2, 3, 4, 5, 6, 7, 8, 9)
FIGURES = (2, 3, 4, 5, 6, 7, 8)
DEFAULT_TABLES = (2, 3, 4)
EFFORTS = ("fast", "default", "high", "paper")
DEFAULT_OUT = Path("study-examce")


def add_options(parser: Parser) -> None:
    """Add the options of `study examce`."""
    add_numbers(parser, "--table", TABLES, "tables to run, of 2-9 (default: 2 3 4)")
    add_numbers(parser, "--figure", FIGURES, "figures to make, of 2-8")
    add_settings(parser, "tsplib/u1060.tsp, iris.csv and so on", "a few small instances", DEFAULT_OUT)
    parser.add_argument(
        "--printed",
        action="store_true",
        help="tables 2-4 as printed: the paper's loop and LPMCE, several seeds",
    )
    parser.add_argument(
        "--seeds",
        type=positive_int,
        metavar="N",
        help="seeds an instance (figures 3, 4: 10; --printed: EXAMCE 3, LPMCE 5)",
    )
    parser.add_argument(
        "--baselines", action="store_true", help="run what tables 2, 3, 4, 6 compare with instead"
    )
    parser.add_argument(
        "--effort", choices=EFFORTS, help="of every run (default: default; table 5, figures 3-6: paper)"
    )

    parser.add_argument(
        "--only",
        type=_instances,
        nargs="+",
        action="extend",
        metavar="DATA:K",
        help="these instances alone, such as u1060:50,100 rat575:30",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep every run in DIR/runs, and make none again that is there",
    )
    parser.add_argument(
        "--kept", action="store_true", help="tables and figures of the runs in DIR/runs; no run is made"
    )


def _instances(text: str) -> list[tuple[str, int]]:
    data, _, numbers = text.rpartition(":")
    try:
        ks = [int(number) for number in numbers.split(",")]
    except ValueError:
        ks = []
    if not data or not ks:
        raise argparse.ArgumentTypeError(f"{text!r} should be such as u1060:50,100")
    return [(data, k) for k in ks]


def run(args: argparse.Namespace, executor: Executor) -> None:
    """Run the tables and figures asked for; the data are looked for before the first run."""
    from intarsia.executor import on_rank_zero
    from intarsia.studies.examce import ExamceStudySettings, Study, experiments
    from intarsia.studies.examce.study import check_data, wanted_jobs

    only = frozenset(itertools.chain.from_iterable(args.only)) if args.only else None
    settings = ExamceStudySettings(args.data_dir, args.quick, args.seed, args.effort, args.seeds, only)
    if args.baselines:
        _run_baselines(args, settings, executor)
        return
    tables = args.table or (() if args.figure else DEFAULT_TABLES)
    asked = experiments(tables, args.figure, args.printed)
    chosen = [experiment for experiment in asked if wanted_jobs(experiment, settings)]
    if not chosen:
        raise UsageError("--only names no instance of these tables and figures")
    on_rank_zero(executor, lambda: check_data(chosen, settings))
    warn_without_plots(args.figure)
    study = Study(settings, args.out, executor, keeps_runs=args.resume or args.kept)
    found = [_sheet(args, study, experiment, len(wanted_jobs(experiment, settings))) for experiment in chosen]
    sheets = [sheet for sheet in found if sheet is not None]
    if not sheets:
        raise UsageError(
            f"{args.out} has kept no run of these tables and figures; --resume makes and keeps them"
        )
    if (tests := study.statistics()) is not None:
        show(args, tests)
        sheets.append(tests)
    conclude(args, sheets, {"effort": args.effort})


def _sheet(args: argparse.Namespace, study: Study, experiment: Experiment, n_jobs: int) -> Sheet | None:
    from intarsia.report.terminal import progress_bar

    if args.kept:
        sheet = study.collect(experiment)
    else:
        with progress_bar(experiment.name, n_jobs, quiet=args.json) as advance:
            sheet = study.run(experiment, advance)
    if sheet is not None:
        show(args, sheet)  # after the bar: on a terminal a live bar would take stdout with it
    return sheet


def _run_baselines(args: argparse.Namespace, settings: ExamceStudySettings, executor: Executor) -> None:
    from intarsia.executor import on_rank_zero
    from intarsia.report.terminal import progress_bar
    from intarsia.studies.examce import experiments
    from intarsia.studies.examce.baselines import BASELINE_TABLES, run_baselines
    from intarsia.studies.examce.published import COST_TABLES
    from intarsia.studies.examce.study import check_data
    from intarsia.studies.examce.tables import table_rows

    wrong = sorted(set(args.table) - set(BASELINE_TABLES))
    if wrong or args.figure:
        raise UsageError("--baselines is for --table 2, 3, 4 and 6")
    numbers = sorted(set(args.table)) or list(BASELINE_TABLES)
    on_rank_zero(executor, lambda: check_data(experiments(numbers, []), settings))
    sheets = []
    for number in numbers:
        n_rows = len(table_rows(COST_TABLES[number], settings))
        with progress_bar(f"table {number}", n_rows, quiet=args.json) as advance:
            sheets.append(run_baselines(number, settings, args.out, executor, advance))
        show(args, sheets[-1])
    conclude(args, sheets, {})
