"""One run of a table's cell: an ensemble, every consensus function on it, errors and objectives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.consensus import METHODS, combine, mean_agreement
from intarsia.ensemble import Ensemble
from intarsia.studies.annealing.data import ClassedPoints
from intarsia.studies.annealing.members import error_percent, kmeans_members
from intarsia.studies.published.annealing import ErrorTable

#: The paper's columns: our names of the methods.
ANNEALED = {"SA-RI": "sa-ri", "SA-JI": "sa-ji", "SA-WI": "sa-wi"}
OTHERS = {"k-modes": "kmodes", "EM": "mixmns", "QMI": "qmi", "MCLA": "mcla"}
#: The paper's functions "have the local convergence problem": one start each, without what ours add to it.
ONE_START: Mapping[str, dict[str, Any]] = {
    "kmodes": {"n_init": 1, "n_swaps": 0},
    "mixmns": {"n_init": 1},
    "qmi": {"n_init": 1},
}
MEASURE_OF = {"SA-RI": "corrected-rand", "SA-JI": "jaccard", "SA-WI": "wallace"}
#: Columns whose answers are where chains start; random labels where none of them is registered.
STARTS = ("k-modes", "MCLA", "QMI")
#: Chains from each start; the best is kept.
N_CHAINS = 4


@dataclass(frozen=True)
class Cell:
    """A row of a table: the data, the number of members, and the seed."""

    table: ErrorTable
    points: ClassedPoints
    n_members: int
    seed: int


@dataclass(frozen=True)
class RunOutcome:
    """Errors of every column, and for each annealed one how far it is above the others in its own measure."""

    errors: Mapping[str, float]
    margins: Mapping[str, float]


def available(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the columns whose methods are registered."""
    return {column: method for column, method in columns.items() if method in METHODS}


def run_cell(run: int, cell: Cell) -> RunOutcome:
    """Run every column on one ensemble."""
    table, points = cell.table, cell.points
    ensemble = kmeans_members(points.X, cell.n_members, table.member_clusters, cell.seed, run)
    k, seed = table.n_clusters, cell.seed * 1_000_003 + run
    others = {
        column: combine(ensemble, k, method, random_state=seed, n_threads=1, **ONE_START.get(method, {}))
        for column, method in available(OTHERS).items()
    }
    starts = start_labels(others)
    annealed = {
        column: combine(ensemble, k, method, random_state=seed, n_threads=1, start=starts, n_chains=N_CHAINS)
        for column, method in ANNEALED.items()
    }
    errors = {
        column: error_percent(labels, points.classes) for column, labels in {**annealed, **others}.items()
    }
    return RunOutcome(errors, {c: _margin(ensemble, c, labels, others) for c, labels in annealed.items()})


def start_labels(others: Mapping[str, Labels]) -> str | Sequence[Labels]:
    """Return where chains start."""
    return [others[column] for column in STARTS if column in others] or "random"


def _margin(ensemble: Ensemble, column: str, labels: Labels, others: Mapping[str, Labels]) -> float:
    measure = MEASURE_OF[column]
    value = mean_agreement(ensemble, labels, measure)
    rivals = [mean_agreement(ensemble, other, measure) for other in others.values()]
    return value - max(rivals, default=-np.inf)
