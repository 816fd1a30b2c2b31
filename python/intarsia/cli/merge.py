"""`intarsia merge`: the base runs of independent jobs put together, and the search that follows."""

from __future__ import annotations

import argparse
from pathlib import Path

from intarsia.cli.core.files import NAMES as READING
from intarsia.cli.core.files import check_out_dir
from intarsia.cli.core.parser import Parser, UsageError, positive_float, positive_int

DESCRIPTION = "Go on from the base runs of `fit --shard I/N` in a folder, as one fit would."
EXAMPLE = """\
  intarsia fit points.csv -k 50 --shard 1/2 --out shards
  intarsia fit points.csv -k 50 --shard 2/2 --out shards
  intarsia merge shards --out result"""


def add_options(parser: Parser) -> None:
    """Add the options of `merge`."""
    add = parser.add_argument
    add("shards", type=Path, metavar="DIR", help="folder with shard-1-of-N.npz ... shard-N-of-N.npz")
    add("--data", metavar="DATA", help="the data, if it has moved since")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--out", type=Path, metavar="DIR", help="write labels, centers, model, result there")
    add("--force", action="store_true", help="overwrite a result of other settings there")
    add("--checkpoint", type=Path, metavar="DIR", help="keep checkpoints there")
    add(
        "--checkpoint-every", type=positive_float, default=60.0, metavar="S", help="seconds between them (60)"
    )
    add("--resume", action="store_true", help="go on from the newest checkpoint, if any")
    add("--json", action="store_true", help="print one JSON object, nothing else")
    add("--log-dir", type=Path, metavar="DIR", help="a log for each rank: its tasks and times")
    add("--quiet", action="store_true", help="no progress bar and no summary")


def check(args: argparse.Namespace) -> None:
    """Refuse folders that are files."""
    check_out_dir(args.checkpoint)
    check_out_dir(args.log_dir)


def run(args: argparse.Namespace) -> int:
    """Do what the shards were made for."""
    from intarsia.cli.fit.command import fit_with  # imported here: help must not wait for scikit-learn
    from intarsia.examce.checkpoint.shards import find_shards, request_of

    if args.resume and args.checkpoint is None:
        raise UsageError("--resume needs --checkpoint DIR")
    asked = request_of(find_shards(args.shards)[0])
    if not asked:
        raise ValueError(f"{args.shards}: shards made in Python go on by Examce.fit_from_shards.")
    given = {name: value for name, value in vars(args).items() if value is not None}
    paths = {name: Path(asked[name]) for name in ("weights", "data_dir") if asked[name] is not None}
    if isinstance(asked["clusters"], list):  # JSON knows no tuples
        asked["clusters"] = tuple(asked["clusters"])
    unset = dict.fromkeys(("threads", "out", "checkpoint", "log_dir", "shard", "signals", "labels", *READING))
    return fit_with(argparse.Namespace(**{**unset, **asked, **paths, **given}))
