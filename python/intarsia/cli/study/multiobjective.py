"""`intarsia study multiobjective`: the data sets of the multiobjective clustering paper."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from intarsia.cli.core.parser import Parser, positive_int
from intarsia.cli.study.common import add_settings, conclude, show
from intarsia.report.terminal import stage_bar

if TYPE_CHECKING:
    from intarsia.executor import Executor
    from intarsia.report.sheet import Sheet
    from intarsia.studies.multiobjective import Study

SUMMARY = "confusion tables of the multiobjective clustering paper"
EXAMPLE = """\
  intarsia study multiobjective --data-dir data
  intarsia study multiobjective --data iris dermatology --data-dir data
  intarsia study multiobjective --quick"""

DATA = ("three", "seven", "iris", "dermatology", "segmentation")
DEFAULT_OUT = Path("study-multiobjective")


def add_options(parser: Parser) -> None:
    """Add the options of `study multiobjective`."""
    parser.add_argument("--data", choices=DATA, nargs="+", default=[], metavar="NAME", help="data sets (all)")
    add_settings(
        parser, "iris.csv, dermatology.csv, segmentation.csv", "generated data, 5 resamples", DEFAULT_OUT
    )
    parser.add_argument("--resamples", type=positive_int, metavar="M", help="resamples (50; 5 if quick)")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep resamples in the folder for results, and go on from those there",
    )


def run(args: argparse.Namespace, executor: Executor) -> None:
    """Run the data sets asked for."""
    from intarsia.studies.multiobjective import (  # here: help must not wait for SciPy
        MultiobjectiveStudySettings,
        Study,
    )

    how = (args.resamples, tuple(args.data), args.resume)
    settings = MultiobjectiveStudySettings(args.data_dir, args.quick, args.seed, *how)
    study = Study(settings, args.out, executor)
    sheets = [sheet for name in settings.cases for sheet in _run(args, study, name)]
    sheets.append(study.summary())
    show(args, sheets[-1])
    conclude(args, sheets, {"resamples": settings.n_resamples})


def _run(args: argparse.Namespace, study: Study, name: str) -> list[Sheet]:
    with stage_bar(name, quiet=args.json) as tell:
        sheets = study.run(name, tell)
    for sheet in sheets:
        show(args, sheet)
    return sheets
