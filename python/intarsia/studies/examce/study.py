"""The study: experiments chosen by number, run one after the other, written as results come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from intarsia.io import find_data
from intarsia.studies.examce.experiment import Experiment
from intarsia.studies.examce.figures import FIGURES
from intarsia.studies.examce.gaps import summary_line
from intarsia.studies.examce.lab import Lab, Outcome
from intarsia.studies.examce.plan import Job, Plan
from intarsia.studies.examce.plots import can_draw
from intarsia.studies.examce.statistics import statistics_sheet
from intarsia.studies.examce.tables import TABLES, examce_gaps, previous_gaps
from intarsia.studies.examce.times import TimeTable
from intarsia.studies.published.examce import BENCHMARK_TABLES, METHOD
from intarsia.studies.sheet import Sheet, write_sheet

_BENCHMARKS = tuple(f"table-{number}" for number in BENCHMARK_TABLES)


def experiments(tables: Sequence[int], figures: Sequence[int]) -> list[Experiment]:
    """Return the experiments of these numbers, tables first, each once."""
    every_table: dict[int, Experiment] = {**TABLES, 5: TimeTable()}
    chosen = [every_table[number] for number in dict.fromkeys(tables)]
    return chosen + [FIGURES[number] for number in dict.fromkeys(figures)]


def all_jobs(chosen: Sequence[Experiment], plan: Plan) -> list[Job]:
    """Return the distinct jobs of all experiments."""
    return list(dict.fromkeys(job for experiment in chosen for job in experiment.jobs(plan)))


def check_data(chosen: Sequence[Experiment], plan: Plan) -> None:
    """Raise a one-line error if a file is missing, before any run is made."""
    for data in dict.fromkeys(job.data for job in all_jobs(chosen, plan)):
        if not data.startswith("demo:"):
            find_data(data, plan.data_dir)


class Study:
    """Experiments that share their data and runs.

    Parameters
    ----------
    plan : Plan
        Data, effort, seed, threads.
    out : Path
        Folder for CSV, Markdown and PNG files; made if it is not there.
    """

    def __init__(self, plan: Plan, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self._out = out
        self._lab = Lab(plan)
        self._benchmark: list[Outcome] = []

    def run(self, experiment: Experiment, on_done: Callable[[], None] = lambda: None) -> Sheet:
        """Run an experiment, write its files and return its sheet; `on_done` is called after each job.

        The table is rewritten after each of its instances, so that an interrupted study keeps what it has.
        """
        outcomes: list[Outcome] = []
        for _, jobs in groupby(experiment.jobs(self._lab.plan), key=lambda job: replace(job, seed=0)):
            outcomes += [self._run_job(job, on_done) for job in jobs]
            sheet = experiment.sheet(outcomes, self._lab)
            write_sheet(self._out, sheet)
        if can_draw():
            experiment.draw(sheet, self._out / f"{experiment.name}.png")
        self._benchmark += outcomes if experiment.name in _BENCHMARKS else []
        return sheet

    def statistics(self) -> Sheet | None:
        """Return and write the tests over those of tables 2, 3 and 4 that were run, if any."""
        if not self._benchmark:
            return None
        sheet = benchmark_statistics(self._benchmark)
        write_sheet(self._out, sheet)
        return sheet

    def _run_job(self, job: Job, on_done: Callable[[], None]) -> Outcome:
        outcome = self._lab.run(job)
        on_done()
        return outcome


def benchmark_statistics(outcomes: Sequence[Outcome]) -> Sheet:
    """Return the paper's tests on its own gaps and on ours, with a summary of all instances."""
    sheet = statistics_sheet(
        {
            f"{METHOD} (published) to previous best": previous_gaps(outcomes, METHOD),
            "intarsia to previous best": previous_gaps(outcomes),
            f"intarsia to {METHOD} (published)": examce_gaps(outcomes),
        }
    )
    seconds = sum(outcome.seconds for outcome in outcomes)
    summary = summary_line(examce_gaps(outcomes), f"the paper's {METHOD}")
    return sheet.with_notes(f"intarsia, all instances: {summary}; {seconds:.1f} s in all")
