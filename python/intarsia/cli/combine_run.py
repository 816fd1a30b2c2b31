"""The work of `intarsia combine`: read, combine, write, report."""

from __future__ import annotations

import argparse
import csv
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.cli.lines import print_lines
from intarsia.cli.out_file import check_out_file
from intarsia.cli.parser import UsageError
from intarsia.cli.words import counted
from intarsia.consensus import METHODS, Consensus, KScore, choose_k, combine_all, combine_full
from intarsia.ensemble import Ensemble
from intarsia.io import atomic_write, write_labels
from intarsia.io.writers import to_json
from intarsia.metrics import anmi
from intarsia.validation import check_option


@dataclass(frozen=True)
class Combined:
    """Answers by method, why some methods gave none, and the scores of k where it was chosen."""

    answers: dict[str, Consensus]
    refusals: dict[str, str] = field(default_factory=dict)
    scores: tuple[KScore, ...] = ()


def combine_and_report(args: argparse.Namespace) -> int:
    """Run one `intarsia combine`; nothing is written before there is a result."""
    _check(args)
    ensemble = Ensemble.load(*args.files)
    started = time.perf_counter()
    combined = _combine(args, ensemble)
    facts = _facts(args, ensemble, combined)
    facts["seconds"] = round(time.perf_counter() - started, 6)
    if args.out is not None:
        _write(args.out, args.method, combined)
    if args.json:
        print(json.dumps(to_json(facts)))
    elif not args.quiet:
        print_lines(_lines(args, facts))
    return 0


def _check(args: argparse.Namespace) -> None:
    check_option("--method", args.method, (*METHODS, "all"))
    check_out_file(args.out)
    if args.clusters is not None and args.k_range is not None:
        raise UsageError("-k and --k-range exclude each other")
    if args.method == "all" and args.k_range is not None:
        raise UsageError("--k-range chooses for one method, not for all")
    if args.method == "all" and args.option:
        raise UsageError("--option is for one method, not for all")


def _combine(args: argparse.Namespace, ensemble: Ensemble) -> Combined:
    who = {"random_state": args.seed, "n_threads": args.threads}
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
    return lines if args.out is None else [*lines, ("written", str(args.out))]


def _answer_text(answer: dict[str, Any]) -> str:
    text = f"{counted(answer['n_clusters'], 'cluster')}, average NMI {answer['anmi']:.4f}"
    return f"{text}, {answer['note']}" if answer["note"] else text


def _write(out: Path, method: str, combined: Combined) -> None:
    if method != "all":
        write_labels(out, combined.answers[method].labels)
        return
    columns: list[Labels] = [found.labels for found in combined.answers.values()]
    with atomic_write(out) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(combined.answers)
        writer.writerows(np.column_stack(columns).tolist())
