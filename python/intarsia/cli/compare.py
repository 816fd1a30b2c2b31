"""`intarsia compare`: how alike two partitions are, by every measure."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.files import add_reading_options, check_inputs, reading_options
from intarsia.cli.core.parser import Parser, existing_folder

if TYPE_CHECKING:
    from intarsia.arrays import Labels

DESCRIPTION = """\
Measure how alike two partitions are. Points missing in either (-1, NaN,
empty) are left out. Purity and the like take A for the classes."""
EXAMPLE = """\
  intarsia compare classes.csv labels.csv
  intarsia compare demo:iris labels.csv --json"""


def add_options(parser: Parser) -> None:
    """Add the options of `compare`."""
    add = parser.add_argument
    what = "labels (CSV, NPZ, Parquet), or data with a class column"
    add("a", metavar="A", help=what)
    add("b", metavar="B", help="the same")
    classes = "labels of a file with several columns, by name or place"
    add_reading_options(add, "--label-column", "--header", "--delimiter", "--key", label_column=classes)
    add("--data-dir", type=existing_folder, metavar="D", help="folder to look for named data sets")
    add("--json", action="store_true", help="print one JSON object, nothing else")


def check(args: argparse.Namespace) -> None:
    """Refuse files that are not there."""
    check_inputs([args.a, args.b], args.data_dir)


def run(args: argparse.Namespace) -> int:
    """Print every measure."""
    from intarsia.metrics import compare  # imported here: help must not wait for scikit-learn
    from intarsia.report.terminal import print_json, print_lines

    a, b = (_read(source, args) for source in (args.a, args.b))
    if len(a) != len(b):
        hint = " Is the first line of one a name? See --header." if abs(len(a) - len(b)) == 1 else ""
        raise ValueError(
            f"{args.a} has {len(a)} labels, {args.b} has {len(b)}: they should be as many.{hint}"
        )
    n_compared = int(((a >= 0) & (b >= 0)).sum())
    found = compare(a, b)
    if args.json:
        print_json({"a": args.a, "b": args.b, "n_compared": n_compared, **found})
    else:
        lines = [(name.replace("_", " "), f"{value:.6f}") for name, value in found.items()]
        print_lines([("points compared", f"{n_compared:,} of {len(a):,}"), *lines])
    return 0


def _read(source: str, args: argparse.Namespace) -> Labels:
    """Return the class column of a data set, or the only column of a file of labels."""
    from intarsia.ensemble.files.formats import read_members
    from intarsia.io import DataError, ReadOptions

    options = reading_options(args)
    try:
        classes = _classes(source, args.data_dir, options)
    except DataError:  # labels alone, maybe with gaps, are no data set
        if not Path(source).is_file() and source != "-":
            raise
        classes = None
    if classes is not None:
        return classes
    column = options.pop("label_column", None)
    members = read_members(Path(source), ReadOptions(**options))
    if len(members.n_classes) != 1 and column is not None:
        members = read_members(Path(source), ReadOptions(**options, columns=[column]))
    if len(members.n_classes) != 1:
        raise ValueError(
            f"{source}: {len(members.n_classes)} columns; needs one column of labels, or a class column: "
            "name it by --label-column."
        )
    return members.labels[:, 0]


def _classes(source: str, data_dir: Path | None, options: dict[str, Any]) -> Labels | None:
    import warnings

    from intarsia.datasets import load
    from intarsia.io import DataWarning

    with warnings.catch_warnings():  # an ensemble of one member is a file of labels
        warnings.filterwarnings("ignore", ".* taken for points", DataWarning)
        if source.startswith("demo:"):
            return load(source, data_dir=data_dir).labels
        return load(source, data_dir=data_dir, missing="median", **options).labels  # of every point
