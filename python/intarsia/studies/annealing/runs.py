"""What to run, and one run: an ensemble, every consensus function on it, errors and objectives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from intarsia.consensus import AS_PRINTED, combine
from intarsia.studies.annealing.data import ClassedPoints
from intarsia.studies.annealing.members import error_percent, kmeans_members
from intarsia.studies.annealing.published import N_RUNS, ErrorTable
from intarsia.studies.common import StudySettings

QUICK_RUNS = 3
QUICK_MEMBERS = (10, 30)

#: The paper's columns: our names of the methods.
ANNEALED = {"SA-RI": "sa-ri", "SA-JI": "sa-ji", "SA-WI": "sa-wi"}
OTHERS = {"k-modes": "kmodes", "EM": "mixmns", "QMI": "qmi", "MCLA": "mcla"}
#: Where our chains start, and how many from each; the best is kept: of twelve for SA-RI, of three else.
STARTS, N_CHAINS = ("kmodes", "mcla", "qmi"), {"SA-RI": 4, "SA-JI": 1, "SA-WI": 1}
#: What may explain a published column that one plain start does not: the column, and other options.
TRIED: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "QMI, best of 3": ("QMI", {"n_init": 3}),
    "EM, best of 3": ("EM", {"n_init": 3}),
    "k-modes, random labels": ("k-modes", {"init": "partition"}),
    "MCLA, equal counts": ("MCLA", {"balance": "count"}),
}


class AnnealingStudySettings(StudySettings):
    """Settings of the study; without a data folder, scikit-learn's copies of iris and wine will do.

    --quick makes three runs of two ensemble sizes.
    """

    @property
    def n_runs(self) -> int:
        """Runs that an average is taken over."""
        return QUICK_RUNS if self.quick else N_RUNS

    def sizes(self, published: tuple[int, ...]) -> tuple[int, ...]:
        """Return the ensemble sizes to run, of the published ones."""
        return tuple(r for r in published if not self.quick or r in QUICK_MEMBERS)


class EnsembleRun(NamedTuple):
    """One ensemble of a table: its number of members, and which of the runs that are averaged."""

    n_members: int
    run: int


@dataclass(frozen=True)
class TableData:
    """What the runs of a table share."""

    table: ErrorTable
    points: ClassedPoints
    seed: int


@dataclass(frozen=True)
class RunErrors:
    """Errors of every column, as printed and ours."""

    printed: Mapping[str, float]
    ours: Mapping[str, float]


def run_ensemble(asked: EnsembleRun, data: TableData) -> RunErrors:
    """Run every column on one ensemble, as the papers print it and as intarsia does it."""
    table, points, (n_members, run) = data.table, data.points, asked
    ensemble = kmeans_members(points.X, n_members, table.member_clusters, data.seed, run)
    k, seed = table.n_clusters, data.seed * 1_000_003 + run

    def error(method: str, **options: Any) -> float:
        labels = combine(ensemble, k, method, random_state=seed, n_threads=1, **options)
        return error_percent(labels, points.classes)

    columns = {**ANNEALED, **OTHERS}
    printed = {column: error(method, **AS_PRINTED[method]) for column, method in columns.items()}
    for name, (column, other) in TRIED.items():
        printed[name] = error(columns[column], **{**AS_PRINTED[columns[column]], **other})
    ours = {column: error(method, **_our_chains(column)) for column, method in columns.items()}
    return RunErrors(printed, ours)


def _our_chains(column: str) -> dict[str, Any]:
    return {"start": list(STARTS), "n_chains": N_CHAINS[column]} if column in ANNEALED else {}
