"""Where the jobs are run: data read once, equal jobs run once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.base import BaseSettings, base_runs
from intarsia.datasets import load
from intarsia.examce import Examce
from intarsia.executor import make_executor
from intarsia.studies.examce.plan import Job, Plan
from intarsia.studies.published.examce import N_POINTS


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one job gave."""

    job: Job
    cost: float
    best_base_cost: float
    seconds: float
    status: str
    labels: NDArray[np.int32]


class Lab:
    """Runs jobs and remembers their outcomes.

    Parameters
    ----------
    plan : Plan
        Where the data are and how many threads to use.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._points: dict[str, NDArray[Any]] = {}
        self._outcomes: dict[Job, Outcome] = {}
        self._base_labels: dict[tuple[str, int, int], list[NDArray[np.int32]]] = {}

    def points(self, data: str) -> NDArray[Any]:
        """Return the points of a data set; classes are left out."""
        if data not in self._points:
            self._points[data] = load(data, data_dir=self.plan.data_dir).X
        return self._points[data]

    def size_note(self, data: str) -> str | None:
        """Return a warning if a file of this name is not the paper's data set."""
        found, needed = len(self.points(data)), N_POINTS.get(data)
        if needed is None or found == needed:
            return None
        return f"{data} here has {found} points, the paper's {needed}: the published figures do not compare."

    def run(self, job: Job) -> Outcome:
        """Return the outcome of a job, running it if no equal job has been."""
        if job not in self._outcomes:
            self._outcomes[job] = _fit(job, self.points(job.data), self.plan.n_threads)
        return self._outcomes[job]

    def base_labels(self, data: str, n_clusters: int, n_runs: int) -> list[NDArray[np.int32]]:
        """Return the labels of k-means runs from random points."""
        key = (data, n_clusters, n_runs)
        if key not in self._base_labels:
            settings, executor = BaseSettings("kmeans", n_clusters), make_executor(self.plan.n_threads)
            X, seed = self.points(data), self.plan.seed
            runs = base_runs(X, settings, n_runs=n_runs, seed=seed, executor=executor)
            self._base_labels[key] = [run.labels for run in runs]
        return self._base_labels[key]


def _fit(job: Job, X: NDArray[Any], n_threads: int | None) -> Outcome:
    model = Examce(
        job.n_clusters,
        effort=job.effort,
        solver=job.solver,
        n_base_runs=job.n_base_runs,
        bracket=job.bracket,
        random_state=job.seed,
        n_threads=n_threads,
    )
    started = time.perf_counter()
    model.fit(X)
    seconds = time.perf_counter() - started
    if model.status_ == "interrupted":  # the estimator keeps its best so far; a study must not go on
        raise KeyboardInterrupt
    return Outcome(
        job, model.inertia_, model.best_base_inertia_, seconds, model.status_, np.asarray(model.labels_)
    )
