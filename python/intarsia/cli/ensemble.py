"""`intarsia ensemble`: many clusterings of a data set, written as one file."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.base.registry import BASES
from intarsia.cli.core.files import (
    add_data_options,
    check_inputs,
    check_out_file,
    fitted_scaler,
    left_out,
    read_data,
    refuse_inputs,
)
from intarsia.cli.core.parser import (
    Parser,
    UsageError,
    non_negative_int,
    number_or_share,
    positive_int,
    whole_range,
)
from intarsia.report.terminal import counted

if TYPE_CHECKING:
    from intarsia.ensemble import Ensemble
    from intarsia.executor import Executor
    from intarsia.io import Points

DESCRIPTION = "Cluster a data set many times, each time seeing something else of it."
EXAMPLE = """\
  intarsia ensemble demo:iris --out iris.npz
  intarsia ensemble points.csv -k 5-12 --members 50 --features 0.5 --out e.npz
  intarsia ensemble points.csv --hyperplanes 3 --subsample 0.8 --out e.csv"""

DEFAULT_BASE = "kmeans"


def add_options(parser: Parser) -> None:
    """Add the options of `ensemble`."""
    add_data_options(parser)
    _add_members(parser)
    _add_output(parser)


def check(args: argparse.Namespace) -> None:
    """Refuse what cannot be together, and data that are not there."""
    if args.hyperplanes and args.base:
        raise UsageError("--hyperplanes makes members without a base clusterer: leave --base away")
    if args.hyperplanes and args.clusters:
        raise UsageError("--hyperplanes decides by its cuts how many clusters there are: leave -k away")
    check_inputs([args.data], args.data_dir)


def run(args: argparse.Namespace) -> int:
    """Generate, write, report."""
    from intarsia.executor import make_executor, on_rank_zero  # here: help must not wait for scikit-learn
    from intarsia.metrics import diversity

    executor = make_executor(args.threads)
    points = on_rank_zero(executor, lambda: _read(args))
    if args.base is not None:
        BASES[args.base].load()  # waiting for scikit-learn is no work
    started = time.perf_counter()
    ensemble = _generate(args, points, executor)
    seconds = time.perf_counter() - started
    diverse = diversity(ensemble, executor)
    on_rank_zero(executor, lambda: _report(args, points, ensemble, diverse, seconds))
    return 0


def _read(args: argparse.Namespace) -> Points:
    from intarsia.ensemble.files.formats import WRITERS, check_suffix

    check_suffix(args.out, WRITERS)
    check_out_file(args.out)
    refuse_inputs([args.out], [args.data])
    points = read_data(args)
    scaler = fitted_scaler(args.scale, points.X)
    return points if scaler is None else replace(points, X=scaler.transform(points.X))


def _generate(args: argparse.Namespace, points: Points | None, executor: Executor) -> Ensemble:
    from intarsia.ensemble import Ensemble
    from intarsia.report.terminal import progress_bar

    X = executor.share(None if points is None else points.X)
    assert X is not None  # rank 0 has read something
    names = ("features", "projection", "hyperplanes", "bootstrap", "subsample", "soft", "select")
    with progress_bar(f"members {_maker(args)}", args.members, quiet=args.quiet or args.json) as advance:
        return Ensemble.generate(
            X,
            args.base or DEFAULT_BASE,
            args.members,
            args.clusters,
            random_state=args.seed,
            executor=executor,
            on_done=advance,
            **{name: getattr(args, name) for name in names},
        )


def _report(
    args: argparse.Namespace, points: Points | None, ensemble: Ensemble, diverse: float, seconds: float
) -> None:
    from intarsia.report.terminal import print_json, print_lines

    assert points is not None  # rank 0 reports what it has read
    ensemble.save(args.out)
    facts = {
        "data": points.name,
        "n_samples": ensemble.n_samples,
        "n_members": ensemble.n_members,
        "n_classes": ensemble.n_classes,
        "label_column": points.label_name,
        "notes": points.notes,
        "soft": ensemble.is_soft,
        "distinct_rows": ensemble.merged()[0].n_samples,
        "diversity": diverse,
        "seed": args.seed,
        "out": args.out,
        "seconds": round(seconds, 6),
    }
    if args.json:
        print_json(facts)
    elif not args.quiet:
        print_lines(_lines(args, facts))


def _maker(args: argparse.Namespace) -> str:
    return f"by {args.hyperplanes} hyperplanes" if args.hyperplanes else f"by {args.base or DEFAULT_BASE}"


def _lines(args: argparse.Namespace, facts: dict[str, Any]) -> list[tuple[str, str]]:
    low, high = min(facts["n_classes"]), max(facts["n_classes"])
    kind = "soft" if facts["soft"] else "hard"
    clusters = counted(low, "cluster") if low == high else f"{low} to {high} clusters"
    points = f"{counted(facts['n_samples'], 'point')}, {counted(facts['distinct_rows'], 'distinct row')}"
    return [
        ("data", ", ".join([f"{facts['data']}: {points}", *left_out(facts)])),
        ("members", f"{facts['n_members']} {kind} {_maker(args)}, {clusters}, seed {facts['seed']}"),
        ("diversity", f"{facts['diversity']:.4f} (1 - mean NMI of two members)"),
        ("time", f"{facts['seconds']:.2f} s"),
        ("written", str(facts["out"])),
    ]


def _add_members(parser: Parser) -> None:
    add = parser.add_argument_group("members (defaults in brackets)").add_argument
    add("--members", type=positive_int, default=20, metavar="R", help="how many to make (20)")
    add("-k", "--clusters", type=whole_range, metavar="K", help="clusters of a member, 5 or 5-12 (2-sqrt n)")
    add("--base", choices=tuple(BASES), metavar="B", help=f"{', '.join(BASES)} (kmeans)")
    add("--features", type=number_or_share, metavar="F", help="random features seen: a number or a share")
    add("--projection", type=positive_int, metavar="P", help="random directions seen; 1 is a line")
    add("--hyperplanes", type=positive_int, metavar="H", help="cut by random hyperplanes, no clustering")
    add("--bootstrap", action="store_true", help="cluster samples with replacement")
    add("--subsample", type=number_or_share, metavar="S", help="cluster so many points; the rest is missing")
    soft = ", ".join(name for name, row in BASES.items() if row.is_soft)
    add("--soft", action="store_true", help=f"memberships instead of labels ({soft})")
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
