"""`intarsia predict`: the clusters of new points, by a result that was saved."""

from __future__ import annotations

import argparse
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.cli.core.files import (
    RESULT,
    STANDARD_OUTPUT,
    add_reading_options,
    check_inputs,
    check_out_file,
    cluster_sizes,
    left_out,
    of_all_rows,
    reading_options,
    refuse_inputs,
    sizes_text,
)
from intarsia.cli.core.parser import Parser, existing_folder, positive_int

if TYPE_CHECKING:
    from intarsia.arrays import Labels
    from intarsia.io import Points
    from intarsia.io.archive import Model

DESCRIPTION = """\
Label points by a saved result: each has the cluster of its nearest centre, after
the scaling of the fit; size limits are not kept, and mixtures have no such rule.
Columns are found by name where the data have names."""
EXAMPLE = """\
  intarsia fit points.csv -k 8 --scale standard --out result
  intarsia predict result new.csv --out labels.csv
  intarsia predict result - < new.csv | head"""


_OF_A_RESULT = ("labels.csv", "centers.csv", RESULT)


def add_options(parser: Parser) -> None:
    """Add the options of `predict`."""
    add = parser.add_argument
    add("result", type=Path, metavar="RESULT", help="folder of `fit --out`, or a saved model.npz")
    add("data", metavar="DATA", help="the points, as `fit` takes them")
    add_reading_options(add)
    add("--data-dir", type=existing_folder, metavar="D", help="folder to look for named data sets")
    add("--threads", type=positive_int, metavar="T", help="threads (all cores)")
    add("--out", type=Path, default=Path(STANDARD_OUTPUT), metavar="FILE", help="write labels there (stdout)")
    add("--json", action="store_true", help="print one JSON object, nothing else")
    add("--quiet", action="store_true", help="no summary")


def check(args: argparse.Namespace) -> None:
    """Refuse data that are not there."""
    check_inputs([args.data], args.data_dir)


def run(args: argparse.Namespace) -> int:
    """Read the result and the points, write labels."""
    check_out_file(args.out)
    from intarsia.io import write_labels
    from intarsia.io.archive import MODEL_FILE, read_model

    refuse_inputs([args.out], [args.data, args.result, args.result / MODEL_FILE])
    _refuse_files_of_the_result(args)
    model = read_model(args.result)
    for remark in model.facts.get("remarks", ()):
        warnings.warn(remark, stacklevel=2)
    points = _read(args, model)
    labels = of_all_rows(_labels(args, model, points), points)
    if not (args.json and str(args.out) == STANDARD_OUTPUT):
        write_labels(args.out, labels)
    _report(args, points, labels)
    return 0


def _refuse_files_of_the_result(args: argparse.Namespace) -> None:
    folder = args.result if args.result.is_dir() else args.result.parent
    for name in _OF_A_RESULT:
        if (folder / RESULT).exists() and args.out.resolve() == (folder / name).resolve():
            raise ValueError(
                f"{args.out}: belongs to the result and would be overwritten; choose another name"
            )


def _labels(args: argparse.Namespace, model: Model, points: Points) -> Labels:
    import numpy as np

    from intarsia.examce.model import nearest_clusters
    from intarsia.executor import resolve_threads
    from intarsia.validation import check_features

    if not model.rule:
        raise ValueError(f"{args.result}: its method keeps no rule for new points, only centres; see --help")
    check_features(points.X, model.centers.shape[1])
    is_wide = model.facts.get("dtype") == "float64" and model.scaling is None
    X = np.ascontiguousarray(points.X, dtype=np.float64 if is_wide else None)
    return nearest_clusters(model, X, resolve_threads(args.threads))


def _read(args: argparse.Namespace, model: Model) -> Points:
    """Read the points; where both have names, the columns are those of the model."""
    from intarsia.datasets import load
    from intarsia.io import DataError
    from intarsia.io.archive import real_names

    if args.data.startswith("demo:"):
        return load(args.data)
    options = {**model.facts.get("reading", {}), **reading_options(args)}
    if options.get("missing") == "median":
        options["missing"] = model.facts.get("medians", "median")  # those of the fit, if it filled any in
    if not model.feature_names or "columns" in reading_options(args):
        return load(args.data, data_dir=args.data_dir, **options)
    unlabelled = {name: value for name, value in options.items() if name not in ("label_column", "drop")}
    by_name = {**unlabelled, "label_column": "none", "columns": model.feature_names}
    try:
        return load(args.data, data_dir=args.data_dir, **by_name)
    except DataError as error:
        points = None
        with suppress(DataError):  # without names the columns are taken as they stand
            points = load(args.data, data_dir=args.data_dir, **_by_place(options))
        if points is None or real_names(points.feature_names):
            raise error from None
        return points


def _by_place(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options without columns that only names could tell."""
    kept = dict(options)
    if not _is_place(kept.get("label_column", 0)):
        del kept["label_column"]
    if "drop" in kept:
        kept["drop"] = [column for column in kept["drop"] if _is_place(column)]
    return kept


def _is_place(column: Any) -> bool:
    return str(column).removeprefix("-").isdecimal()


def _report(args: argparse.Namespace, points: Points, labels: Labels) -> None:
    from intarsia.report.terminal import counted, print_json, print_lines

    facts: dict[str, Any] = {
        "data": points.name,
        "n_samples": points.n_points,
        "label_column": points.label_name,
        "notes": points.notes,
        "sizes": cluster_sizes(labels),
        "out": args.out,
    }
    if args.json:
        written = {} if str(args.out) != STANDARD_OUTPUT else {"labels": labels}
        print_json({**facts, **written})
    elif not args.quiet and str(args.out) != STANDARD_OUTPUT:
        data = ", ".join([f"{points.name}: {counted(points.n_points, 'point')}", *left_out(facts)])
        print_lines([("data", data), ("sizes", sizes_text(facts["sizes"])), ("written", str(args.out))])
