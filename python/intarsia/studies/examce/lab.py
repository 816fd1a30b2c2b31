"""Where the jobs are run: data read once, equal jobs run once; and what an experiment is to the study."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from intarsia.base.runs import base_runs
from intarsia.datasets import load
from intarsia.examce.estimator import Examce
from intarsia.executor import Executor, make_executor, on_rank_zero
from intarsia.io import DataError
from intarsia.report.sheet import Sheet
from intarsia.studies.common import read_by_rank_zero
from intarsia.studies.examce.published import N_POINTS
from intarsia.studies.examce.settings import ExamceStudySettings, Job

if TYPE_CHECKING:
    from intarsia.studies.examce.store import RunStore

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class JobResult:
    """What one job gave; `all_proved` where every cover of the paper's rounds was proved optimal."""

    job: Job
    cost: float
    best_base_cost: float
    seconds: float
    status: str
    labels: NDArray[np.int32]
    n_rounds: int = 0
    all_proved: bool = False
    cpu_seconds: float = 0.0
    entropy: float = 0.0
    from_classes: float = math.inf

    @property
    def is_above_classes(self) -> bool:
        """Whether its entropy is above that of a local search from the true classes."""
        return self.entropy > self.from_classes + _ROUNDING


class Lab:
    """Runs jobs and remembers their results.

    Parameters
    ----------
    settings : ExamceStudySettings
        Where the data are, and the seed.
    executor : Executor, optional
        Who computes.
    store : RunStore, optional
        Where runs are kept, and taken from if they are there.
    """

    def __init__(
        self,
        settings: ExamceStudySettings,
        executor: Executor | None = None,
        store: RunStore | None = None,
    ) -> None:
        self.settings = settings
        self.executor = executor or make_executor()
        self._store = store
        self._points: dict[str, NDArray[Any]] = {}
        self._classes: dict[str, NDArray[Any]] = {}
        self._results: dict[Job, JobResult] = {}
        self._base_labels: dict[tuple[str, int, int], list[NDArray[np.int32]]] = {}

    def points(self, data: str) -> NDArray[Any]:
        """Return the points of a data set; classes are left out."""
        if data not in self._points:
            folder = self.settings.data_dir
            self._points[data] = read_by_rank_zero(self.executor, lambda: load(data, data_dir=folder).X)
        return self._points[data]

    def classes(self, data: str) -> NDArray[Any]:
        """Return the true class of each point, numbered."""
        if data not in self._classes:
            folder = self.settings.data_dir
            found = read_by_rank_zero(self.executor, lambda: load(data, data_dir=folder).labels)
            if found is None:
                raise DataError(f"{data} has no column of classes.")
            self._classes[data] = np.unique(found, return_inverse=True)[1]
        return self._classes[data]

    def size_note(self, data: str) -> str | None:
        """Return a warning if a file of this name is not the paper's data set."""
        found, needed = len(self.points(data)), N_POINTS.get(data)
        if needed is None or found == needed:
            return None
        return f"{data} here has {found} points, the paper's {needed}: the published figures do not compare."

    def run(self, job: Job) -> JobResult:
        """Return the result of a job, running it if no equal job has been."""
        found = self.known(job)
        if found is None:
            X, n_threads = self.points(job.data), self.executor.n_threads
            if job.setting:
                found = _entropy_fit(job, X, self.classes(job.data), n_threads)
            else:
                found = _fit(job, X, n_threads)
            self._keep(found)
        return found

    def known(self, job: Job) -> JobResult | None:
        """Return the result of a job that was run here or is in the store, otherwise None."""
        if job not in self._results and (store := self._store) is not None:
            stored = read_by_rank_zero(self.executor, lambda: store.read(job))
            if stored is not None:
                self._results[job] = stored
        return self._results.get(job)

    def _keep(self, result: JobResult) -> None:
        self._results[result.job] = result
        if (store := self._store) is not None:
            on_rank_zero(self.executor, lambda: store.write(result))

    def base_labels(self, data: str, n_clusters: int, n_runs: int) -> list[NDArray[np.int32]]:
        """Return the labels of k-means runs from random points."""
        key = (data, n_clusters, n_runs)
        if key not in self._base_labels:
            X, seed = self.points(data), self.settings.seed
            runs = base_runs(X, "kmeans", n_clusters, n_runs=n_runs, seed=seed, executor=self.executor)
            self._base_labels[key] = [run.labels for run in runs]
        return self._base_labels[key]


class Experiment(Protocol):
    """A table or figure: the jobs it needs, and the sheet made of their results."""

    @property
    def name(self) -> str:
        """Stem of its files, such as `table-2`."""
        ...

    def jobs(self, settings: ExamceStudySettings) -> list[Job]:
        """Return the runs, in order."""
        ...

    def sheet(self, results: Sequence[JobResult], lab: Lab) -> Sheet:
        """Return the table of the results so far (at least one)."""
        ...

    def draw(self, sheet: Sheet, path: Path) -> None:
        """Draw the sheet, if this is a figure."""
        ...


def _fit(job: Job, X: NDArray[Any], n_threads: int) -> JobResult:
    model = Examce(
        job.n_clusters,
        effort=job.effort,
        solver=job.solver,
        n_base_runs=job.n_base_runs,
        bracket=job.bracket,
        random_state=job.seed,
        n_threads=n_threads,
    )
    return _run(job, model, X)


def _entropy_fit(job: Job, X: NDArray[Any], classes: NDArray[Any], n_threads: int) -> JobResult:
    from intarsia.studies.examce.entropy_runs import entropy_from_classes, entropy_model, without_remarks

    model = entropy_model(job, X, n_threads)
    with without_remarks():
        result = _run(job, model, X)
    best = entropy_from_classes(model, X, classes)
    return replace(result, entropy=model.entropy_, from_classes=best)


def _run(job: Job, model: Examce, X: NDArray[Any]) -> JobResult:
    started, cpu_started = time.perf_counter(), time.process_time()
    model.fit(X)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    if model.status_ == "interrupted":  # the estimator keeps its best so far; a study must not go on
        raise KeyboardInterrupt
    covers = [facts["cover_status"] for facts in model.history_ if facts["stage"] == "recombine"]
    labels, proved = np.asarray(model.labels_), all(status == "optimal" for status in covers)
    costs = (model.inertia_, model.best_base_inertia_)
    return JobResult(job, *costs, seconds, model.status_, labels, len(covers), proved, cpu_seconds)
