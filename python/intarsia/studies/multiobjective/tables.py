"""The sheets of the study: a line for each answer, and a confusion table, the paper's beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from intarsia.report.sheet import Column, Sheet
from intarsia.studies.multiobjective.runs import Answer, CaseResult

_SUMMARY = (
    Column("data"), Column("K"), Column("paper"), Column("clusters", "d"), Column("errors", "d"),
    Column("in none", "d"), Column("in several", "d"), Column("objective", ".6f"), Column("gap", ".1e"),
    Column("hill %", ".3f"), Column("from"),
)  # fmt: skip


def summary_sheet(results: Sequence[CaseResult], n_resamples: int, seed: int) -> Sheet:
    """Return a line for each answer."""
    rows = [_line(result, answer) for result in results for answer in result.answers]
    notes = (
        "errors: points not of the commonest class of their cluster, which is the nearest for those in none",
        "gap: objective minus proved bound; hill %: how far hill climbing was from the best found",
        "best single partition: errors with one cluster for each class, all other points wrong",
        "  (in brackets by the commonest class of each cluster, where many small clusters err little)",
        *(note for result in results for note in _notes(result)),
    )
    title = f"Multiobjective clustering, {n_resamples} resamples, seed {seed}"
    return Sheet("summary", title, _SUMMARY, tuple(rows), notes)


def _line(result: CaseResult, answer: Answer) -> tuple[Any, ...]:
    table = answer.confusion
    above = answer.hill_gap / max(abs(answer.objective), 1e-12) * 100
    from_ = ", ".join(f"{n} {name}" for name, n in Counter(c.algorithm for c in answer.clusters).items())
    return (
        result.case.name,
        answer.mode,
        result.case.published[answer.mode],
        len(answer.clusters),
        answer.n_errors,
        int(table[:, -2].sum()),
        int(table[:, -1].sum()),
        answer.objective,
        answer.objective - answer.lower_bound,
        above,
        from_,
    )


def _notes(result: CaseResult) -> list[str]:
    of = result.single_majority
    best = ", ".join(f"{name} {errors} ({of[name]})" for name, errors in result.single.items())
    return [f"{result.case.name}, best single partition of each algorithm: {best}"]


def confusion_sheet(result: CaseResult, answer: Answer) -> Sheet:
    """Return classes by clusters, with the published table beside ours where there is one."""
    case, table = result.case, answer.confusion
    k = table.shape[1] - 2
    columns = [Column("class"), *(Column(str(c + 1), "d") for c in range(k))]
    columns += [Column("none", "d"), Column("several", "d")]
    published = np.array(case.tables[answer.mode]) if answer.mode in case.tables else None
    rows: list[list[Any]] = [
        [name, *row] for name, row in zip(result.class_names, table.tolist(), strict=True)
    ]
    if published is not None:
        order = _matched(table, published)
        columns += [Column(f"paper {c + 1}", "d") for c in range(published.shape[1] - 2)]
        columns += [Column("paper none", "d"), Column("paper several", "d")]
        for row, paper in zip(rows, published[:, order].tolist(), strict=True):
            row += paper
    name = f"{case.name}-{answer.mode}"
    found_by = [f"{c.algorithm} ({_text(c.parameters)}), goodness {c.goodness:.4f}" for c in answer.clusters]
    notes = tuple(f"cluster {c + 1}: {text}" for c, text in enumerate(found_by))
    title = f"{case.name}, K {answer.mode}: classes by clusters"
    return Sheet(name, title, tuple(columns), tuple(map(tuple, rows)), notes)


def _matched(ours: Any, paper: Any) -> list[int]:
    """Return the order of the paper's clusters in which they stand beside those of ours most like them."""
    overlap = np.minimum(ours.T[:-2, None], paper.T[None, :-2]).sum(axis=2)
    rows, columns = linear_sum_assignment(-overlap)
    matched = [int(c) for _, c in sorted(zip(rows, columns, strict=True))]
    left = [c for c in range(paper.shape[1] - 2) if c not in matched]
    return [*matched, *left, paper.shape[1] - 2, paper.shape[1] - 1]


def _text(parameters: Any) -> str:
    shown = {name: value for name, value in parameters.items() if name not in ("tol", "max_iter")}
    return ", ".join(f"{name}={value}" for name, value in shown.items())
