"""The work of `intarsia multi`: read, cluster, report, write."""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia import __version__, _core
from intarsia.cli.core.files import (
    agreement,
    check_out_dir,
    fitted_scaler,
    left_out,
    log_to,
    of_all_rows,
    read_data,
    refuse_inputs,
)
from intarsia.cli.core.signals import DONE
from intarsia.executor import Executor, make_executor, on_rank_zero
from intarsia.io import Points, atomic_write, write_json, write_labels, write_together
from intarsia.report.plots import can_draw
from intarsia.report.scatter import Cloud, Plane, draw_clouds, some_rows
from intarsia.report.terminal import Lines, counted, print_json, print_lines, print_table, stage_bar

if TYPE_CHECKING:
    from intarsia.multiobjective.fitting import MultiobjectiveFit

Facts = dict[str, Any]

PICTURE = "clusters.png"
FILES = ("labels.csv", "clusters.csv", PICTURE, "result.json")
COLUMNS = ("cluster", "algorithm", "parameters", "points", "goodness")


def cluster_and_report(args: argparse.Namespace) -> int:
    """Run the command; nothing is written before there is a result."""
    executor = make_executor(args.threads)
    points = on_rank_zero(executor, lambda: _read(args))
    X = executor.share(None if points is None else np.ascontiguousarray(points.X, dtype=np.float64))
    assert X is not None  # rank 0 has read something
    log_to(args.log_dir, go_on=args.resume)
    model = _model(args, executor)
    started = time.perf_counter()
    title = "multi" if args.clusters is None else f"multi, k = {args.clusters}"
    with stage_bar(title, quiet=args.quiet or args.json) as show:
        model.callback = show
        if args.signals is not None:
            args.signals.save = model.save_checkpoint
        model.fit(X)
    seconds = time.perf_counter() - started
    on_rank_zero(executor, lambda: _report(args, points, X, model, seconds, executor))
    return DONE


def _read(args: argparse.Namespace) -> Points:
    check_out_dir(args.out)
    refuse_inputs([] if args.out is None else [args.out / name for name in FILES], [args.data])
    points = read_data(args)
    scaler = fitted_scaler(args.scale, points.X)
    return points if scaler is None else replace(points, X=scaler.transform(points.X))


def _model(args: argparse.Namespace, executor: Executor) -> MultiobjectiveFit:
    from intarsia.multiobjective.fitting import MultiobjectiveFit  # here: data are read first

    return MultiobjectiveFit(
        args.clusters,
        algorithms=args.algorithm,
        search=args.search,
        assign=args.assign,
        overlap_cost=args.overlap_cost,
        uncovered_cost=args.uncovered_cost,
        overlap=args.overlap,
        min_size=args.min_size,
        n_resamples=args.resamples,
        subsample=args.subsample,
        replace=args.replace,
        first_guess=args.first_guess,
        random_state=args.seed,
        n_threads=args.threads,
        executor=executor,
        checkpoint=args.checkpoint,
        checkpoint_every=args.checkpoint_every,
        resume=args.resume,
    )


def _report(
    args: argparse.Namespace,
    points: Points | None,
    X: NDArray[Any],
    model: MultiobjectiveFit,
    seconds: float,
    executor: Executor,
) -> None:
    assert points is not None  # rank 0 reports what it has read
    facts = {**_facts(args, points, model), **_of_the_machine(seconds, executor)}
    written = [] if args.out is None else _write(args.out, facts, points, X, model)
    if args.json:
        print_json(facts)
    elif not args.quiet:
        lines = _lines(facts)
        print_lines((*lines, ("written", f"{args.out}: {', '.join(written)}")) if written else lines)
        print_table("", COLUMNS, _rows(facts))


def _facts(args: argparse.Namespace, points: Points, model: MultiobjectiveFit) -> Facts:
    asked = ("search", "assign", "resamples", "subsample", "replace", "overlap_cost", "uncovered_cost")
    found = ("objective", "lower_bound", "proven", "n_candidates", "n_failures")
    return {
        "data": points.name,
        "label_column": points.label_name,
        "notes": points.notes,
        "n_samples": int(points.X.shape[0]),
        "n_features": int(points.X.shape[1]),
        "n_clusters": model.n_clusters_,
        "is_free": args.clusters is None,
        "scale": args.scale,
        "seed": args.seed,
        **{name: getattr(args, name) for name in asked},
        "clusters": [_cluster(cluster) for cluster in model.clusters_],
        "sizes": np.bincount(model.labels_[model.labels_ >= 0], minlength=model.n_clusters_),
        "n_unassigned": len(model.unassigned_),
        "n_conflicting": len(model.conflicting_),
        **{name: getattr(model, f"{name}_") for name in found},
        "adjusted_rand_index": agreement(points, model.labels_),
    }


def _of_the_machine(seconds: float, executor: Executor) -> Facts:
    return {
        "seconds": round(seconds, 6),
        "ranks": executor.n_ranks,
        "threads": executor.n_threads,
        "simd": _core.simd_level(),
        "version": __version__,
    }


def _cluster(cluster: Any) -> Facts:
    return {
        "algorithm": cluster.algorithm,
        "parameters": dict(cluster.parameters),
        "size": cluster.size,
        "goodness": cluster.goodness,
    }


def _lines(facts: Facts) -> Lines:
    size = f"{counted(facts['n_samples'], 'point')}, {counted(facts['n_features'], 'feature')}"
    how = "free" if facts["is_free"] else "given"
    lines = [
        ("data", ", ".join([f"{facts['data']}: {size}", *left_out(facts)])),
        ("clusters", f"{facts['n_clusters']} ({how}) of {counted(facts['n_candidates'], 'candidate')}"),
        ("objective", f"{facts['objective']:.6f}, {_proof(facts)}"),
        ("points", f"{facts['n_unassigned']:,} in no cluster, {facts['n_conflicting']:,} in several"),
    ]
    if facts["n_failures"]:
        lines.append(("failures", f"{counted(facts['n_failures'], 'fit')} made anew"))
    if facts["adjusted_rand_index"] is not None:
        lines.append(("ARI", f"{facts['adjusted_rand_index']:.4f} against the class column"))
    ranks = f"{facts['ranks']} ranks x " if facts["ranks"] > 1 else ""
    time_used = f"{facts['seconds']:.2f} s, {ranks}{counted(facts['threads'], 'thread')}, {facts['simd']}"
    return [*lines, ("time", time_used)]


def _proof(facts: Facts) -> str:
    if facts["proven"]:
        return "proved best of all choices"
    if not np.isfinite(facts["lower_bound"]):
        return "by hill climbing"
    return f"at most {facts['objective'] - facts['lower_bound']:.2g} above the best choice"


def _rows(facts: Facts) -> list[list[str]]:
    return [
        [
            str(number),
            cluster["algorithm"],
            ", ".join(f"{name}={_short(value)}" for name, value in cluster["parameters"].items()),
            f"{cluster['size']:,}",
            f"{cluster['goodness']:.4f}",
        ]
        for number, cluster in enumerate(facts["clusters"])
    ]


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _write(out: Path, facts: Facts, points: Points, X: NDArray[Any], model: MultiobjectiveFit) -> list[str]:
    """Write all files and return their names; result.json is the last: when it is there, all are there."""
    out.mkdir(parents=True, exist_ok=True)
    writers = {
        "labels.csv": lambda path: write_labels(path, of_all_rows(model.labels_, points)),
        "clusters.csv": lambda path: _write_clusters(path, facts),
        PICTURE: lambda path: _draw(path, X, model),
        "result.json": lambda path: write_json(path, facts),
    }
    if not can_draw():
        del writers[PICTURE]
    write_together(out, writers)
    return list(writers)


def _write_clusters(path: Path, facts: Facts) -> None:
    with atomic_write(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_rows(facts))


def _draw(path: Path, X: NDArray[Any], model: MultiobjectiveFit) -> None:
    """Draw the clusters, and beside them who found them; points of no cluster are apart."""
    plane, rows = Plane.of(X), some_rows(len(X))
    places, labels = plane.place(X[rows]), model.labels_[rows]
    names = list(dict.fromkeys(cluster.algorithm for cluster in model.clusters_))
    found_by = np.array([names.index(cluster.algorithm) for cluster in model.clusters_])
    inside = labels >= 0
    clouds = [Cloud(f"{model.n_clusters_} clusters", places[inside], labels[inside])]
    clouds += [Cloud(f"by {', '.join(names)}", places[inside], found_by[labels[inside]])]
    if not inside.all():
        clouds += [Cloud("in no cluster", places[~inside])]
    draw_clouds(path, "The chosen clusters, and which algorithms they come from", clouds, plane.names)
