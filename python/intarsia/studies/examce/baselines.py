"""The methods that the paper compares with and that we have: our runs beside the published costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intarsia.base.deterministic_annealing import DeterministicAnnealing
from intarsia.base.estimators import VNS, JMeans
from intarsia.base.x_means import XMeans
from intarsia.executor import Executor
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.common import ResultFolder
from intarsia.studies.examce.lab import Lab
from intarsia.studies.examce.published import COST_TABLES, X_MEANS
from intarsia.studies.examce.published_table import PublishedTable
from intarsia.studies.examce.settings import ExamceStudySettings
from intarsia.studies.examce.statistics import gap_percent
from intarsia.studies.examce.tables import own_format, table_rows

#: Tables with a column of a method that we have.
BASELINE_TABLES = (2, 3, 4, 6)
_NEAR = 2.0  # per cent: what counts as the published value
_RUNS, _SHAKES = 5, 1000
_MOST_OF_X_MEANS = 50


@dataclass(frozen=True)
class Baseline:
    """A published column, and our way to it from points, a number of clusters, a seed and threads."""

    column: str
    name: str
    fit: Callable[[Any, int, int, int], float]


def _annealing(X: Any, k: int, seed: int, n_threads: int) -> float:
    return DeterministicAnnealing(k, cooling=0.91, t_min=10.0, n_threads=n_threads).fit(X).inertia_


def _j_means(X: Any, k: int, seed: int, n_threads: int) -> float:
    return JMeans(k, n_init=_RUNS, random_state=seed, n_threads=n_threads).fit(X).inertia_


def _vns(X: Any, k: int, seed: int, n_threads: int) -> float:
    return VNS(k, n_swaps=_SHAKES, random_state=seed, n_threads=n_threads).fit(X).inertia_


BASELINES = (
    Baseline("J-Means", f"J-means, best of {_RUNS}", _j_means),
    Baseline("VNS-HK", f"VNS, {_SHAKES} shakes", _vns),
    Baseline("DA", "deterministic annealing", _annealing),
)


def baselines_of(table: PublishedTable) -> list[Baseline]:
    """Return the methods that have a column in a table."""
    return [baseline for baseline in BASELINES if baseline.column in table.methods]


def run_baselines(
    number: int, settings: ExamceStudySettings, out: Path, executor: Executor, advance: Callable[[int], None]
) -> Sheet:
    """Run what the table of this number compares with, row by row."""
    lab, table, rows = Lab(settings, executor), COST_TABLES[number], list[tuple[Any, ...]]()
    for done, row in enumerate(table_rows(table, settings), start=1):
        X, cells = lab.points(row.data), list[Any]()
        for baseline in baselines_of(table):
            cost = baseline.fit(X, row.n_clusters, settings.seed, executor.n_threads)
            published = row.costs[baseline.column]
            cells += [published, cost, gap_percent(cost, published)]
        rows.append((row.data, row.n_clusters, *cells))
        advance(done)
    notes = (_verdict(rows), *_x_means_notes(rows[0][0], lab, executor.n_threads))
    sheet = Sheet(f"table-{number}-baselines", _title(table, settings), _columns(table), tuple(rows), notes)
    return ResultFolder(out, executor).write(sheet)


def _title(table: PublishedTable, settings: ExamceStudySettings) -> str:
    return f"Table {table.number}: what it compares with on {table.title}, run by us (seed {settings.seed})"


def _columns(table: PublishedTable) -> tuple[Column, ...]:
    columns = [Column("data"), Column("k", "d")]
    for baseline in baselines_of(table):
        columns += [Column(baseline.column, table.format), Column(baseline.name, own_format(table.format))]
        columns.append(Column("gap %", "+.2f"))
    return tuple(columns)


def _verdict(rows: list[tuple[Any, ...]]) -> str:
    gaps = [gap for row in rows for gap in row[4::3]]
    near = sum(gap <= _NEAR for gap in gaps)
    return f"within {_NEAR:g} % of the published value, or better, on {near} of {len(gaps)} cells"


def _x_means_notes(data: str, lab: Lab, n_threads: int) -> list[str]:
    """Return what X-means finds, where its result is published."""
    return [_x_means_note(known, lab, n_threads) for known in X_MEANS if known.data == data]


def _x_means_note(known: Any, lab: Lab, n_threads: int) -> str:
    X, seed = lab.points(known.data), lab.settings.seed
    free = XMeans(_MOST_OF_X_MEANS, random_state=seed, n_threads=n_threads).fit(X)
    capped = XMeans(known.n_clusters, random_state=seed, n_threads=n_threads).fit(X)
    gap = gap_percent(capped.inertia_, known.cost)
    return (
        f"X-means: published {known.n_clusters} clusters, {known.cost:.5E}; ours with at most as many "
        f"{capped.n_clusters_}, {capped.inertia_:.5E} ({gap:+.2f} %); with at most {_MOST_OF_X_MEANS} "
        f"{free.n_clusters_}, {free.inertia_:.5E}"
    )
