"""`intarsia bench consensus`: time, memory and NMI of every consensus function as n grows."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from intarsia.bench.consensus.cases import EnsembleCase, cases_of, make_ensemble
from intarsia.bench.consensus.plain import PLAIN
from intarsia.bench.consensus.worker import MethodRun, measure
from intarsia.consensus import METHODS
from intarsia.report.terminal import print_json, print_table, progress_bar
from intarsia.validation import check_option

COLUMNS = ("method", "n", "r", "k", "CPU s", "seconds", "peak MB", "NMI", "note")
QUICK_METHODS = ("plain-mcla", "mcla", "plain-hbgf", "hbgf", "eac")


def run(
    *,
    quick: bool = False,
    as_json: bool = False,
    sizes: Sequence[int] | None = None,
    methods: Sequence[str] | None = None,
    threads: int = 2,
    seed: int = 0,
    limit: float = 600.0,
) -> None:
    """Measure each method on each ensemble in a process of its own."""
    known = (*PLAIN, *METHODS)
    for name in methods or ():
        check_option("methods", name, known)
    wanted = tuple(methods) if methods else QUICK_METHODS if quick else known
    cases = cases_of(sizes, quick)
    runs: list[MethodRun] = []
    with progress_bar("bench consensus", len(cases) * len(wanted)) as step:
        for case in cases:
            runs += _measure_case(case, wanted, threads, seed, limit, step)
    _show(runs, threads, as_json)


def _measure_case(
    case: EnsembleCase,
    methods: Sequence[str],
    threads: int,
    seed: int,
    limit: float,
    step: Callable[..., None],
) -> list[MethodRun]:
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "ensemble.npz")
        labels, truth = make_ensemble(case, seed)
        np.savez(path, labels=labels, truth=truth)
        for method in methods:
            asked = MethodRun(case.n_samples, case.n_members, case.n_clusters, method)
            runs.append(measure(path, asked, threads, seed, limit))
            step()
    return runs


def _show(runs: Sequence[MethodRun], threads: int, as_json: bool) -> None:
    if as_json:
        facts = {"benchmark": "consensus", "n_threads": threads}
        print_json({**facts, "runs": [asdict(run) for run in runs]})
        return
    title = f"ensembles of k-means on 4 of 8 features, {threads} threads; plain: NumPy, SciPy and pymetis"
    print_table(title, COLUMNS, [_row(run) for run in runs])


def _row(run: MethodRun) -> list[str]:
    figures = (run.cpu_s, run.wall_s, run.peak_mb, run.nmi)
    formats = (".2f", ".2f", ".0f", ".3f")
    shown = ["-" if x is None else format(x, how) for x, how in zip(figures, formats, strict=True)]
    sizes = [str(run.n_samples), str(run.n_members), str(run.n_clusters)]
    return [run.method, *sizes, *shown, run.note]
