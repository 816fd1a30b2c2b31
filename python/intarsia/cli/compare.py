"""`intarsia compare`: how alike two partitions are, by every measure."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.parser import Parser, existing_folder

if TYPE_CHECKING:
    from intarsia.arrays import Labels

EXAMPLE = """\
  intarsia compare classes.csv labels.csv
  intarsia compare demo:iris labels.csv --json"""


def add_parser(commands: Any) -> Parser:
    """Add `compare` to the commands."""
    parser: Parser = commands.add_parser(
        "compare",
        help="measure how alike two partitions are",
        description="Measure how alike two partitions are. Points missing in either (-1, NaN,\n"
        "empty) are left out. Purity and the like take A for the classes.",
        example=EXAMPLE,
    )
    add = parser.add_argument
    what = "labels (CSV, NPZ, Parquet), or data with a class column"
    add("a", metavar="A", help=what)
    add("b", metavar="B", help="the same")
    add("--data-dir", type=existing_folder, metavar="D", help="folder to look for named data sets")
    add("--json", action="store_true", help="print one JSON object, nothing else")
    return parser


def run(args: argparse.Namespace) -> int:
    """Print every measure."""
    from intarsia.cli.lines import print_lines  # imported here: help must not wait for scikit-learn
    from intarsia.io.writers import to_json
    from intarsia.metrics import compare

    a, b = (_read(source, args.data_dir) for source in (args.a, args.b))
    if len(a) != len(b):
        raise ValueError(f"{args.a} has {len(a)} labels, {args.b} has {len(b)}: they should be as many.")
    n_compared = int(((a >= 0) & (b >= 0)).sum())
    found = compare(a, b)
    if args.json:
        print(json.dumps(to_json({"a": args.a, "b": args.b, "n_compared": n_compared, **found})))
    else:
        lines = [(name.replace("_", " "), f"{value:.6f}") for name, value in found.items()]
        print_lines([("points compared", f"{n_compared:,} of {len(a):,}"), *lines])
    return 0


def _read(source: str, data_dir: Path | None) -> Labels:
    """Return the class column of a data set, or the only column of a file of labels."""
    from intarsia.datasets import load
    from intarsia.ensemble.files.formats import read_members
    from intarsia.io import DataError

    try:
        classes = load(source, data_dir=data_dir).labels
    except DataError:  # labels alone, maybe with gaps, are no data set
        if not Path(source).is_file():
            raise
        classes = None
    if classes is not None:
        return classes
    members = read_members(Path(source))
    if len(members.n_classes) != 1:
        raise ValueError(
            f"{source}: {len(members.n_classes)} columns; needs one column of labels, or a class column."
        )
    return members.labels[:, 0]
