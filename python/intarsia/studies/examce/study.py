"""The study: experiments chosen by number, run one after the other, written as results come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from intarsia.datasets import find_data
from intarsia.executor import Executor
from intarsia.report.sheet import Sheet
from intarsia.studies.common import ResultFolder
from intarsia.studies.examce.as_printed import PRINTED_TABLES
from intarsia.studies.examce.entropy import ENTROPY_FIGURES, ENTROPY_TABLES
from intarsia.studies.examce.figures import FIGURES
from intarsia.studies.examce.lab import Experiment, JobResult, Lab
from intarsia.studies.examce.published import BENCHMARK_TABLES, METHOD
from intarsia.studies.examce.settings import ExamceStudySettings, Job
from intarsia.studies.examce.statistics import statistics_sheet, summary_line
from intarsia.studies.examce.store import RunStore
from intarsia.studies.examce.tables import TABLES, examce_gaps, previous_gaps
from intarsia.studies.examce.times import TimeTable
from intarsia.studies.examce.x_means import XMeansRuns

RUNS = "runs"
_BENCHMARKS = tuple(f"table-{number}" for number in BENCHMARK_TABLES)


def experiments(tables: Sequence[int], figures: Sequence[int], printed: bool = False) -> list[Experiment]:
    """Return the experiments of these numbers, tables first, each once.

    With `printed` the tables 2, 3 and 4 are run as printed instead of by our search.
    """
    every_table: dict[int, Experiment] = {
        **TABLES,
        5: TimeTable(),
        **ENTROPY_TABLES,
        **(PRINTED_TABLES if printed else {}),
    }
    every_figure: dict[int, Experiment] = {**FIGURES, **ENTROPY_FIGURES}
    numbers = list(dict.fromkeys(tables))
    chosen = [every_table[number] for number in numbers]
    if {2, 3} <= set(numbers):  # whose data sets X-means was run on
        chosen.append(XMeansRuns(printed))
    return chosen + [every_figure[number] for number in dict.fromkeys(figures)]


def wanted_jobs(experiment: Experiment, settings: ExamceStudySettings) -> list[Job]:
    """Return the jobs of an experiment whose instances are asked for."""
    return [job for job in experiment.jobs(settings) if settings.wants(job)]


def all_jobs(chosen: Sequence[Experiment], settings: ExamceStudySettings) -> list[Job]:
    """Return the distinct jobs of all experiments."""
    return list(dict.fromkeys(job for experiment in chosen for job in wanted_jobs(experiment, settings)))


def check_data(chosen: Sequence[Experiment], settings: ExamceStudySettings) -> None:
    """Raise a one-line error if a file is missing, before any run is made."""
    for data in dict.fromkeys(job.data for job in all_jobs(chosen, settings)):
        if not data.startswith("demo:"):
            find_data(data, settings.data_dir)


class Study:
    """Experiments that share their data and runs.

    Parameters
    ----------
    settings : ExamceStudySettings
        Data, effort, seed.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    executor : Executor, optional
        Who computes; rank 0 alone reads and writes.
    keeps_runs : bool
        Whether runs are kept in `out`, and those that are there are not made again.
    """

    def __init__(
        self,
        settings: ExamceStudySettings,
        out: Path,
        executor: Executor | None = None,
        keeps_runs: bool = False,
    ) -> None:
        self._lab = Lab(settings, executor, RunStore(out / RUNS) if keeps_runs else None)
        self._results = ResultFolder(out, self._lab.executor)
        self._benchmark: list[JobResult] = []

    def run(self, experiment: Experiment, on_done: Callable[[], None] = lambda: None) -> Sheet:
        """Run an experiment, write its files and return its sheet; `on_done` is called after each job.

        The table is rewritten after each of its instances, so that an interrupted study keeps what it has.
        """
        results: list[JobResult] = []
        jobs = wanted_jobs(experiment, self._lab.settings)
        for _, of_instance in groupby(jobs, key=lambda job: replace(job, seed=0)):
            results += [self._run_job(job, on_done) for job in of_instance]
            sheet = self._results.write(experiment.sheet(results, self._lab))
        return self._finish(experiment, sheet, results)

    def collect(self, experiment: Experiment) -> Sheet | None:
        """Write an experiment of the runs that are kept, and return its sheet; None where there are none."""
        jobs = wanted_jobs(experiment, self._lab.settings)
        results = [found for job in jobs if (found := self._lab.known(job)) is not None]
        if not results:
            return None
        return self._finish(experiment, self._results.write(experiment.sheet(results, self._lab)), results)

    def _finish(self, experiment: Experiment, sheet: Sheet, results: list[JobResult]) -> Sheet:
        self._results.draw(experiment.draw, sheet)
        self._benchmark += results if experiment.name in _BENCHMARKS else []
        return sheet

    def statistics(self) -> Sheet | None:
        """Return and write the tests over those of tables 2, 3 and 4 that were run, if any."""
        if not self._benchmark:
            return None
        sheet = benchmark_statistics(self._benchmark)
        return self._results.write(sheet)

    def _run_job(self, job: Job, on_done: Callable[[], None]) -> JobResult:
        result = self._lab.run(job)
        on_done()
        return result


def benchmark_statistics(results: Sequence[JobResult]) -> Sheet:
    """Return the paper's tests on its own gaps and on ours, with a summary of all instances."""
    sheet = statistics_sheet(
        {
            f"{METHOD} (published) to previous best": previous_gaps(results, METHOD),
            "intarsia to previous best": previous_gaps(results),
            f"intarsia to {METHOD} (published)": examce_gaps(results),
        }
    )
    seconds = sum(result.seconds for result in results)
    summary = summary_line(examce_gaps(results), f"the paper's {METHOD}")
    return sheet.with_notes(f"intarsia, all instances: {summary}; {seconds:.1f} s in all")
