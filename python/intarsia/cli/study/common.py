"""What the studies' commands share: their options, a warning without matplotlib, and their JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.parser import Parser, existing_folder, non_negative_int, positive_int
from intarsia.launch import launched_rank

if TYPE_CHECKING:
    from intarsia.report.sheet import Sheet


def add_numbers(
    parser: Parser, name: str, choices: Sequence[Any], help: str, kind: Callable[[str], Any] = int
) -> None:
    """Add `--table` or `--figure`: one list for `--table 2 3` and for `--table 2 --table 3`."""
    parser.add_argument(
        name, type=kind, choices=choices, nargs="+", action="extend", default=[], metavar="N", help=help
    )


def add_settings(parser: Parser, data: str, quick: str, out: Path) -> None:
    """Add the options of every study; `data` names its files, `quick` says what is left."""
    add = parser.add_argument
    add("--data-dir", type=existing_folder, metavar="D", help=f"folder with {data}")
    add("--quick", action="store_true", help=f"{quick}: a look, not a measurement")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--out", type=Path, default=out, metavar="DIR", help=f"folder for results ({out})")
    add("--json", action="store_true", help="print one JSON object, nothing else")


def warn_without_plots(figures: Sequence[object]) -> None:
    """Say on stderr that there will be no pictures, if there were to be some."""
    from intarsia.report.plots import NO_MATPLOTLIB, can_draw

    if figures and launched_rank() == 0 and not can_draw():
        print(f"intarsia: {NO_MATPLOTLIB}", file=sys.stderr)


def show(args: argparse.Namespace, sheet: Sheet) -> None:
    """Print a table, unless the output is JSON."""
    from intarsia.report.sheet import print_sheet

    if not args.json:
        print_sheet(sheet)


def show_points(args: argparse.Namespace, sheet: Sheet) -> None:
    """Say where the points of a figure are, unless the output is JSON."""
    if not args.json:
        print(f"{sheet.title}: {len(sheet.rows)} points in {args.out}\n")


def conclude(
    args: argparse.Namespace, sheets: Sequence[Sheet], settings: Mapping[str, Any], lines: Sequence[str] = ()
) -> None:
    """Print the last lines and where the files are, or everything as JSON."""
    from intarsia.report.terminal import print_json

    if not args.json:
        print(*lines, f"CSV, Markdown and figures are in {args.out}", sep="\n")
        return
    given = {"study": args.paper, "seed": args.seed, "quick": args.quick, **settings}
    print_json({**given, "sheets": [sheet.as_json() for sheet in sheets]})
