"""`intarsia ensemble`: many clusterings of a data set, written as one file."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from intarsia.cli.data_options import add_data_options
from intarsia.cli.parser import (
    Parser,
    UsageError,
    non_negative_int,
    number_or_share,
    positive_int,
    whole_range,
)
from intarsia.cli.words import counted

EXAMPLE = """\
  intarsia ensemble demo:iris --out iris.npz
  intarsia ensemble points.csv -k 5-12 --members 50 --features 0.5 --out e.npz
  intarsia ensemble points.csv --hyperplanes 3 --subsample 0.8 --out e.csv"""

BASES = ("kmeans", "hk-means", "gmm", "fcm")


def add_parser(commands: Any) -> Parser:
    """Add `ensemble` to the commands."""
    parser: Parser = commands.add_parser(
        "ensemble",
        help="make many clusterings of a data set",
        description="Cluster a data set many times, each time seeing something else of it.",
        example=EXAMPLE,
    )
    add_data_options(parser)
    _add_members(parser)
    _add_output(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Generate, write, report."""
    from intarsia.cli.lines import print_lines  # imported here: help must not wait for scikit-learn
    from intarsia.cli.out_file import check_out_file
    from intarsia.ensemble.files.formats import WRITERS, check_suffix

    if args.hyperplanes and args.base:
        raise UsageError("--hyperplanes makes members without a base clusterer: leave --base away")
    check_suffix(args.out, WRITERS)
    check_out_file(args.out)
    started = time.perf_counter()
    facts = _generate(args)
    facts["seconds"] = round(time.perf_counter() - started, 6)
    if args.json:
        print(json.dumps(facts))
    elif not args.quiet:
        print_lines(_lines(args, facts))
    return 0


def _generate(args: argparse.Namespace) -> dict[str, Any]:
    from intarsia.cli.prepare import scaling_for
    from intarsia.cli.progress import progress_bar
    from intarsia.datasets import load
    from intarsia.ensemble import Ensemble
    from intarsia.metrics import diversity

    named = {} if args.label_column is None else {"label_column": args.label_column}
    points = load(args.data, data_dir=args.data_dir, **named)
    X = points.X if args.scale == "none" else scaling_for(points.X, args.scale).apply(points.X)
    names = ("features", "projection", "hyperplanes", "bootstrap", "subsample", "soft", "select")
    options = {name: getattr(args, name) for name in names}
    with progress_bar(f"members {_maker(args)}", args.members, quiet=args.quiet or args.json) as advance:
        ensemble = Ensemble.generate(
            X,
            args.base or BASES[0],
            args.members,
            args.clusters,
            random_state=args.seed,
            n_threads=args.threads,
            on_done=advance,
            **options,
        )
    ensemble.save(args.out)
    return {
        "data": points.name,
        "n_samples": ensemble.n_samples,
        "n_members": ensemble.n_members,
        "n_classes": ensemble.n_classes.tolist(),
        "soft": ensemble.is_soft,
        "distinct_rows": ensemble.merged()[0].n_samples,
        "diversity": diversity(ensemble),
        "seed": args.seed,
        "out": str(args.out),
    }


def _maker(args: argparse.Namespace) -> str:
    return f"by {args.hyperplanes} hyperplanes" if args.hyperplanes else f"by {args.base or BASES[0]}"


def _lines(args: argparse.Namespace, facts: dict[str, Any]) -> list[tuple[str, str]]:
    low, high = min(facts["n_classes"]), max(facts["n_classes"])
    kind = "soft" if facts["soft"] else "hard"
    clusters = counted(low, "cluster") if low == high else f"{low} to {high} clusters"
    points = f"{counted(facts['n_samples'], 'point')}, {counted(facts['distinct_rows'], 'distinct row')}"
    return [
        ("data", f"{facts['data']}: {points}"),
        ("members", f"{facts['n_members']} {kind} {_maker(args)}, {clusters}, seed {facts['seed']}"),
        ("diversity", f"{facts['diversity']:.4f} (1 - mean NMI of two members)"),
        ("time", f"{facts['seconds']:.2f} s"),
        ("written", facts["out"]),
    ]


def _add_members(parser: Parser) -> None:
    add = parser.add_argument_group("members (defaults in brackets)").add_argument
    add("--members", type=positive_int, default=20, metavar="R", help="how many to make (20)")
    add("-k", "--clusters", type=whole_range, metavar="K", help="clusters of a member, 5 or 5-12 (2-sqrt n)")
    add("--base", choices=BASES, help="base clusterer (kmeans)")
    add("--features", type=number_or_share, metavar="F", help="random features seen: a number or a share")
    add("--projection", type=positive_int, metavar="P", help="random directions seen; 1 is a line")
    add("--hyperplanes", type=positive_int, metavar="H", help="cut by random hyperplanes, no clustering")
    add("--bootstrap", action="store_true", help="cluster samples with replacement")
    add("--subsample", type=number_or_share, metavar="S", help="cluster so many points; the rest is missing")
    add("--soft", action="store_true", help="memberships instead of labels (gmm, fcm)")
    add("--select", type=positive_int, metavar="M", help="keep M members of about median diversity")
    add("--seed", type=non_negative_int, default=0, metavar="S", help="random seed (0)")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")


def _add_output(parser: Parser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="NPZ, CSV or Parquet, by its suffix"
    )
    group.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    group.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
