"""Figures 3 and 4: do different seeds give the same clusters?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.published_table import PublishedTable
from intarsia.studies.examce.settings import ExamceStudySettings, Job, called

N_SEEDS = 10
QUICK_SEEDS = 3

#: The paper finds the index of its solutions always above this.
PUBLISHED_LEVEL = 0.95


def _columns(own: str) -> tuple[Column, ...]:
    indices = (f"{of} {what}" for of in (f"ARI {own}", "ARI base runs") for what in ("mean", "min"))
    columns = (Column("data"), Column("k", "d"), Column("seeds", "d"))
    return (*columns, *(Column(name, ".4f") for name in indices), Column("cost spread %", ".4f"))


@dataclass(frozen=True)
class Stability:
    """Adjusted Rand index between the results of several seeds, and between base runs.

    Attributes
    ----------
    name : str
        Stem of the files.
    tables : tuple of PublishedTable
        All of their instances are run.
    quick_instance : tuple
        The one instance of --quick.
    """

    name: str
    tables: tuple[PublishedTable, ...]
    quick_instance: tuple[str, int]

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return each instance with each seed."""
        all_instances = [(row.data, row.n_clusters) for table in self.tables for row in table.rows]
        chosen = [self.quick_instance] if settings.quick else all_instances
        n_seeds = settings.seeds or (QUICK_SEEDS if settings.quick else N_SEEDS)
        seeds = range(settings.seed, settings.seed + n_seeds)
        return [Job(data, k, settings.paper_effort(), seed) for data, k in chosen for seed in seeds]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return mean and least index for each instance with at least two results."""
        groups: dict[tuple[str, int], list[JobResult]] = {}
        for result in results:
            groups.setdefault((result.job.data, result.job.n_clusters), []).append(result)
        rows = tuple(_cells(group, lab) for group in groups.values() if len(group) > 1)
        above = sum(row[3] > PUBLISHED_LEVEL for row in rows)
        note = f"mean adjusted Rand index above {PUBLISHED_LEVEL} on {above} of {len(rows)} instances"
        number = self.name.removeprefix("figure-")
        title = f"Figure {number}: adjusted Rand index between seeds (effort {results[0].job.effort})"
        return Sheet(self.name, title, _columns(called(results[0].job.effort)), rows, (note,))

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw one panel for each data set."""
        rows = sheet.records()
        names, own = dict.fromkeys(row["data"] for row in rows), sheet.columns[3].name
        panels = [_panel(name, [r for r in rows if r["data"] == name], own) for name in names]
        draw_panels(path, sheet.title, panels)


def pairwise_ari(partitions: Sequence[NDArray[np.int32]]) -> NDArray[np.float64]:
    """Return the adjusted Rand index of every pair of partitions."""
    return np.array([adjusted_rand_score(a, b) for a, b in combinations(partitions, 2)])


def _cells(group: Sequence[JobResult], lab: Lab) -> tuple[Any, ...]:
    job = group[0].job
    ours = pairwise_ari([result.labels for result in group])
    base = pairwise_ari(lab.base_labels(job.data, job.n_clusters, len(group)))
    costs = [result.cost for result in group]
    spread = 100.0 * (max(costs) - min(costs)) / min(costs)
    indices = (ours.mean(), ours.min(), base.mean(), base.min())
    return (job.data, job.n_clusters, len(group), *map(float, indices), spread)


def _panel(data: str, rows: Sequence[dict[str, float]], own: str) -> Panel:
    ks = [row["k"] for row in rows]
    label = own.removeprefix("ARI ").removesuffix(" mean")
    columns = {label: own, "k-means base runs": "ARI base runs mean"}
    series = [Series(label, ks, [row[column] for row in rows]) for label, column in columns.items()]
    return Panel(data, "number of clusters k", "mean adjusted Rand index", series, level=PUBLISHED_LEVEL)
