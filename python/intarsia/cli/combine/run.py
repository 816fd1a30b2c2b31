"""The work of `intarsia combine`: read, combine, write, report."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.cli.core.files import STANDARD_OUTPUT, check_out_file, refuse_inputs, table_options
from intarsia.cli.core.parser import UsageError
from intarsia.consensus import METHODS, Consensus, KScore, choose_k, combine_all, combine_full
from intarsia.ensemble import Ensemble
from intarsia.ensemble.files.formats import WRITERS, load_ensemble, save_ensemble
from intarsia.executor import Executor, make_executor, on_rank_zero
from intarsia.io import atomic_write, write_labels
from intarsia.metrics import anmi
from intarsia.report.terminal import counted, print_json, print_lines
from intarsia.validation import check_option

_NOT_WRITTEN = (".npy", ".h5", ".hdf5", ".tsp", ".gz")  # other suffixes are text


@dataclass(frozen=True)
class Combined:
    """Answers by method, why some methods gave none, and the scores of k where it was chosen."""

    answers: dict[str, Consensus]
    refusals: dict[str, str] = field(default_factory=dict)
    scores: tuple[KScore, ...] = ()


def combine_and_report(args: argparse.Namespace) -> int:
    """Run one `intarsia combine`; nothing is written before there is a result."""
    executor = make_executor(args.threads)
    ensemble = executor.agree(on_rank_zero(executor, lambda: _read(args)))
    assert ensemble is not None  # rank 0 has read something
    started = time.perf_counter()
    combined = _combine(args, ensemble, executor)
    seconds = time.perf_counter() - started
    on_rank_zero(executor, lambda: _report(args, ensemble, combined, seconds))
    return 0


def _read(args: argparse.Namespace) -> Ensemble:
    _check(args)
    return load_ensemble(args.files, table_options(args))


def _report(args: argparse.Namespace, ensemble: Ensemble, combined: Combined, seconds: float) -> None:
    facts = {**_facts(args, ensemble, combined), "seconds": round(seconds, 6)}
    if args.out is not None:
        _write(args.out, args.method, combined)
    if args.json:
        print_json(facts)
    elif not args.quiet:
        with redirect_stdout(sys.stderr) if str(args.out) == STANDARD_OUTPUT else nullcontext():
            print_lines(_lines(args, facts))


def _check_suffix(out: Path | None) -> None:
    """Refuse a file that would be taken for something else than it is."""
    if out is not None and out.suffix.lower() in _NOT_WRITTEN:
        known = f"known suffixes are {', '.join(WRITERS)}"
        raise ValueError(f"{out}: labels are not written as {out.suffix}; {known}")


def _check(args: argparse.Namespace) -> None:
    check_option("--method", args.method, (*METHODS, "all"))
    check_out_file(args.out)
    _check_suffix(args.out)
    refuse_inputs([args.out], args.files)
    if args.json and str(args.out) == STANDARD_OUTPUT:
        raise UsageError("--json and labels on standard output exclude each other")
    if args.clusters is not None and args.k_range is not None:
        raise UsageError("-k and --k-range exclude each other")
    if args.method == "all" and args.k_range is not None:
        raise UsageError("--k-range chooses for one method, not for all")
    if args.method == "all" and args.option:
        raise UsageError("--option is for one method, not for all")


def _combine(args: argparse.Namespace, ensemble: Ensemble, executor: Executor) -> Combined:
    who: dict[str, Any] = {"random_state": args.seed, "executor": executor}
    if args.method == "all":
        found = combine_all(ensemble, args.clusters, **who)
        return Combined(found.answers, found.refusals)
    options = {**dict(args.option), **who}
    if args.clusters is not None:
        return Combined({args.method: combine_full(ensemble, args.clusters, args.method, **options)})
    choice = choose_k(ensemble, args.method, k_range=args.k_range, **options)
    return Combined({args.method: choice.consensus}, scores=choice.scores)


def _facts(args: argparse.Namespace, ensemble: Ensemble, combined: Combined) -> dict[str, Any]:
    n_rows = ensemble.merged()[0].n_samples
    return {
        "files": [str(path) for path in args.files],
        "n_samples": ensemble.n_samples,
        "n_members": ensemble.n_members,
        "soft": ensemble.is_soft,
        "distinct_rows": n_rows,
        "reduction": ensemble.n_samples / n_rows,
        "seed": args.seed,
        "methods": {name: _of_answer(found, ensemble) for name, found in combined.answers.items()},
        "refused": combined.refusals,
        "k_scores": [vars(score) for score in combined.scores],
    }


def _of_answer(found: Consensus, ensemble: Ensemble) -> dict[str, Any]:
    sizes = np.bincount(found.labels)
    return {
        "n_clusters": len(sizes),
        "anmi": anmi(found.labels, ensemble),
        "sizes": sizes,
        "objective": found.objective,
        "note": found.note,
    }


def _lines(args: argparse.Namespace, facts: dict[str, Any]) -> list[tuple[str, str]]:
    kind = "soft" if facts["soft"] else "hard"
    members = counted(facts["n_members"], f"{kind} member")
    points = f"{counted(facts['n_samples'], 'point')}, {counted(facts['distinct_rows'], 'distinct row')}"
    lines = [("ensemble", f"{members}, {points} ({facts['reduction']:.1f} to 1)")]
    for score in facts["k_scores"]:
        text = f"average NMI {score['anmi']:.4f}, PAC {score['pac']:.4f}"
        lines.append((f"k = {score['n_clusters']}", text))
    for name, answer in facts["methods"].items():
        lines.append((name, _answer_text(answer)))
    lines += [(name, f"refused: {why}") for name, why in facts["refused"].items()]
    lines.append(("time", f"{facts['seconds']:.2f} s, seed {facts['seed']}"))
    quiet = args.out is None or str(args.out) == STANDARD_OUTPUT
    return lines if quiet else [*lines, ("written", str(args.out))]


def _answer_text(answer: dict[str, Any]) -> str:
    text = f"{counted(answer['n_clusters'], 'cluster')}, average NMI {answer['anmi']:.4f}"
    return f"{text}, {answer['note']}" if answer["note"] else text


def _write(out: Path, method: str, combined: Combined) -> None:
    columns: list[Labels] = [found.labels for found in combined.answers.values()]
    if out.suffix.lower() in WRITERS and out.suffix.lower() != ".csv":
        save_ensemble(out, Ensemble.from_labels(columns))
    elif method != "all":
        write_labels(out, combined.answers[method].labels)
    else:
        with nullcontext(sys.stdout) if str(out) == STANDARD_OUTPUT else atomic_write(out) as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(combined.answers)
            writer.writerows(np.column_stack(columns).tolist())
