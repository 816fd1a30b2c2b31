"""Other readings of the paper's text: how members are made, when a change is taken, where a chain starts.

SA-RI on the two drawn data sets. What none of the readings changes much, the form of the data must decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from intarsia.consensus import AS_PRINTED, combine_full
from intarsia.executor import Executor
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.annealing.data import classed_points
from intarsia.studies.annealing.members import box_labels, error_percent, kmeans_members
from intarsia.studies.annealing.published import TABLE_3, TABLE_4, ErrorTable
from intarsia.studies.annealing.runs import N_CHAINS, STARTS, AnnealingStudySettings
from intarsia.studies.annealing.tables import standard_error

N_MEMBERS = 30
COLUMNS = (
    Column("data"), Column("reading"), Column("published", ".1f"), Column("error", ".1f"), Column("±", ".1f"),
    Column("mean corrected Rand index", ".4f"),
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """What differs from our reading: the range of k, how members are made, options of the chain."""

    what: str
    clusters: tuple[int, int]
    members: Mapping[str, Any] = field(default_factory=dict)
    chain: Mapping[str, Any] = field(default_factory=dict)


def readings(table: ErrorTable) -> list[Reading]:
    """Return our reading of a table's text, then what else it could be read as."""
    k = table.member_clusters
    return [
        Reading("as printed", k),
        Reading("one k for all members of an ensemble", k, {"one_k": True}),
        *(Reading(f"k = {one} for all members", (one, one)) for one in range(k[0], k[1] + 1)),
        Reading("members from centres drawn in the box", k, {"one_run": box_labels}),
        Reading("accepted by a drawn number, not by the threshold", k, chain={"acceptance": "metropolis"}),
        Reading("started from QMI", k, chain={"start": "qmi"}),
        Reading(
            "best of twelve chains from three starts",
            k,
            chain={"start": list(STARTS), "start_init": None, "n_chains": N_CHAINS["SA-RI"]},
        ),
    ]


_ALL = [(table, reading) for table in (TABLE_3, TABLE_4) for reading in readings(table)]


def n_readings(quick: bool) -> int:
    """Return how many readings there are to run: two for a quick look."""
    return 2 if quick else len(_ALL)


def readings_sheet(
    settings: AnnealingStudySettings, executor: Executor, on_done: Callable[[int], None]
) -> Sheet:
    """Return error and objective of SA-RI for each reading."""
    rows = tuple(executor.map(_row, range(n_readings(settings.quick)), settings, on_done))
    title = f"Other readings: SA-RI, r = {N_MEMBERS}, mean of {settings.n_runs} runs"
    return Sheet("readings", title, COLUMNS, rows)


def _row(number: int, settings: AnnealingStudySettings) -> tuple[Any, ...]:
    table, reading = _ALL[number]
    points = classed_points(table.data, settings.data_dir)
    options = {name: given for name, given in {**AS_PRINTED["sa-ri"], **reading.chain}.items() if given}
    errors, objectives = [], []
    for run in range(settings.n_runs):
        ensemble = kmeans_members(
            points.X, N_MEMBERS, reading.clusters, settings.seed, run, **reading.members
        )
        seed = settings.seed * 1_000_003 + run
        found = combine_full(ensemble, table.n_clusters, "sa-ri", random_state=seed, n_threads=1, **options)
        errors.append(error_percent(found.labels, points.classes))
        assert found.objective is not None
        objectives.append(found.objective)
    spread = standard_error(np.array(errors))
    published = table.rows[N_MEMBERS]["SA-RI"]
    return (table.data, reading.what, published, float(np.mean(errors)), spread, float(np.mean(objectives)))
