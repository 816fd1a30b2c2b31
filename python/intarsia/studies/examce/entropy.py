"""Tables 8 and 9, figures 7 and 8: clusters of least entropy beside the true classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.metrics import adjusted_rand_index, error_rate, normalized_mutual_information
from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.examce.entropy_runs import OWN, PRINTED
from intarsia.studies.examce.lab import JobResult, Lab
from intarsia.studies.examce.published import TABLE_8, TABLE_8_OTHER, TABLE_9, TABLE_9_OTHERS
from intarsia.studies.examce.settings import ExamceStudySettings, Job

Score = Callable[[NDArray[Any], NDArray[Any]], float]

_ROUNDING = 1e-9
_KMEANS_RUNS, _QUICK_KMEANS_RUNS = 150, 5
_MARKS = (
    {"color": "#d55e00", "marker": "s", "linestyle": ""},
    {"color": "#0072b2", "marker": "o", "linestyle": ""},
)


def accuracy(classes: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the share of points whose cluster is named after their class, named as well as can be."""
    return 1.0 - error_rate(classes, labels)


def error_percent(classes: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the share of the others, in per cent."""
    return 100.0 * error_rate(classes, labels)


def nmi(classes: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the normalised mutual information, by the geometric mean."""
    return normalized_mutual_information(classes, labels, average="geometric")


@dataclass(frozen=True)
class AgainstClasses:
    """Data sets with classes, clustered as printed and by our default, with several seeds.

    Attributes
    ----------
    name, title
        Stem of the files, and the line above the table.
    instances : tuple of (str, int)
        Data sets and their numbers of clusters.
    score, score_name
        How an answer is compared with the classes.
    published : mapping
        The paper's figure for a data set, where it prints one.
    n_seeds : int
        Runs of each setting.
    notes : tuple of str
        What else the paper prints.
    kmeans : bool
        Whether k-means runs stand beside them.
    """

    name: str
    title: str
    instances: tuple[tuple[str, int], ...]
    score: Score
    score_name: str
    published: Mapping[str, float]
    n_seeds: int
    notes: tuple[str, ...] = ()
    kmeans: bool = False

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return each data set in both settings with each seed."""
        chosen = self.instances[-1:] if settings.quick else self.instances
        seeds = range(settings.seed, settings.seed + (1 if settings.quick else self.n_seeds))
        effort = settings.search_effort()
        return [
            Job(data, k, effort, seed, setting=setting)
            for data, k in chosen
            for setting in (PRINTED, OWN)
            for seed in seeds
        ]

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return the scores and entropies of each data set and setting."""
        groups: dict[tuple[str, str], list[JobResult]] = {}
        for result in results:
            groups.setdefault((result.job.data, result.job.setting), []).append(result)
        rows = [self._cells(group, lab) for group in groups.values()]
        if self.kmeans:
            rows += [self._kmeans_cells(job, lab) for job in {r.job.data: r.job for r in results}.values()]
        above = sum(result.is_above_classes for result in results)
        note = f"J above that of a local search from the classes: {above} of {len(results)} runs"
        return Sheet(self.name, self.title, self._columns(), tuple(rows), (note, *self.notes))

    def _columns(self) -> tuple[Column, ...]:
        digits = ".1f" if self.score is error_percent else ".3f"
        return (
            Column("data"),
            Column("k", "d"),
            Column("setting"),
            Column("runs", "d"),
            Column("published", digits),
            Column(f"{self.score_name} mean", digits),
            Column("least", digits),
            Column("most", digits),
            Column("J mean", ".5f"),
            Column("J from classes", ".5f"),
            Column("runs above it", "d"),
            Column("smallest cluster", "d"),
            Column("s a run", ".1f"),
        )

    def _cells(self, group: Sequence[JobResult], lab: Lab) -> tuple[Any, ...]:
        job, first = group[0].job, group[0]
        scores = [self.score(lab.classes(job.data), result.labels) for result in group]
        return (
            job.data.removeprefix("demo:"),
            job.n_clusters,
            job.setting,
            len(group),
            self.published.get(job.data),
            *_spread(scores),
            float(np.mean([result.entropy for result in group])),
            first.from_classes,
            sum(result.is_above_classes for result in group),
            min(int(np.bincount(result.labels).min()) for result in group),
            float(np.mean([result.seconds for result in group])),
        )

    def _kmeans_cells(self, job: Job, lab: Lab) -> tuple[Any, ...]:
        n = _QUICK_KMEANS_RUNS if lab.settings.quick else _KMEANS_RUNS
        runs = lab.base_labels(job.data, job.n_clusters, n)
        scores = _spread([self.score(lab.classes(job.data), labels) for labels in runs])
        name, smallest = job.data.removeprefix("demo:"), min(int(np.bincount(run).min()) for run in runs)
        return (name, job.n_clusters, "k-means", n, None, *scores, None, None, None, smallest, None)

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw mean, least and most of each setting, one panel a data set; tables are not drawn."""
        if self.name.startswith("figure"):
            draw_panels(path, sheet.title, list(self._panels(sheet)))

    def _panels(self, sheet: Sheet) -> Iterator[Panel]:
        rows = sheet.records()
        for data in dict.fromkeys(row["data"] for row in rows):
            here = [row for row in rows if row["data"] == data]
            names = f"{self.score_name} mean", "least", "most"
            series = [
                Series(row["setting"], [at] * 3, [row[name] for name in names], _MARKS[at % 2])
                for at, row in enumerate(here)
            ]
            yield Panel(data, "setting", f"{self.score_name}: mean, least, most", series)


def _spread(scores: Sequence[float]) -> tuple[float, float, float]:
    return float(np.mean(scores)), min(scores), max(scores)


ENTROPY_TABLES = {
    8: AgainstClasses(
        "table-8",
        "Table 8: clusters of least entropy, adjusted Rand index with the classes",
        (
            ("new_thyroid", 3),
            ("wine", 3),
            ("glass", 6),
            ("ionosphere", 2),
            ("segmentation", 7),
            ("soybean_small", 4),
        ),
        adjusted_rand_index,
        "ARI",
        TABLE_8,
        5,
        (f"k-means ensemble (published): {', '.join(f'{d} {v:g}' for d, v in TABLE_8_OTHER.items())}",),
    ),
    9: AgainstClasses(
        "table-9",
        "Table 9: iris, clusters of least entropy, error in per cent",
        (("iris", 3),),
        error_percent,
        "error %",
        TABLE_9,
        10,
        (f"others (published): {', '.join(f'{m} {v:g}' for m, v in TABLE_9_OTHERS.items())}",),
    ),
}

ENTROPY_FIGURES = {
    7: AgainstClasses(
        "figure-7",
        "Figure 7: 2d2k and 8d5k, clusters of least entropy, accuracy",
        (("demo:2d2k", 2), ("demo:8d5k", 5)),
        accuracy,
        "accuracy",
        {},
        5,
        ("generated here with standard deviation 0.1; the paper prints no figures",),
    ),
    8: AgainstClasses(
        "figure-8",
        "Figure 8: Gauss100, clusters of least entropy and k-means runs, mutual information with the classes",
        (("demo:gauss100", 100),),
        nmi,
        "NMI",
        {},
        1,
        ("generated here; the paper prints no figures",),
        kmeans=True,
    ),
}
