"""The study: run what was asked for, one experiment after the other, writing as results come in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

TABLE_NUMBERS = (2, 3, 4, 5, 6, 7)
FIGURE_NUMBERS = tuple(FIGURES)


def experiments(tables: Sequence[int], figures: Sequence[int]) -> list[Experiment]:
    """Return the experiments of these numbers, tables first, each once."""
    every_table: dict[int, Experiment] = {**TABLES, 5: TimeTable()}
    chosen = [every_table[number] for number in dict.fromkeys(tables)]
    return chosen + [FIGURES[number] for number in dict.fromkeys(figures)]


def all_jobs(chosen: Sequence[Experiment], plan: Plan) -> list[Job]:
    """Return the distinct jobs of all experiments."""
    return list(dict.fromkeys(job for experiment in chosen for job in experiment.jobs(plan)))


def check_data(jobs: Sequence[Job], plan: Plan) -> None:
    """Raise a one-line error if a file is missing, before any run is made."""
    for data in dict.fromkeys(job.data for job in jobs):
        if not data.startswith("demo:"):
            find_data(data, plan.data_dir)


def run_study(
    chosen: Sequence[Experiment], plan: Plan, out: Path, on_done: Callable[..., None] = lambda: None
) -> Iterator[Sheet]:
    """Yield the sheet of each experiment when it is complete, then the tests over tables 2, 3 and 4.

    Parameters
    ----------
    chosen : sequence of Experiment
        See `experiments`.
    plan : Plan
        Data, effort, seed, threads.
    out : Path
        Folder for CSV, Markdown and PNG files; a table is rewritten after each of its instances, so
        that an interrupted study keeps what it has.
    on_done : callable
        Called after each run.
    """
    out.mkdir(parents=True, exist_ok=True)
    lab = Lab(plan, on_done)
    benchmark: list[Outcome] = []
    for experiment in chosen:
        outcomes, sheet = _run(experiment, lab, out)
        yield sheet
        if experiment.name in _BENCHMARKS:
            benchmark += outcomes
    if benchmark:
        tests = benchmark_statistics(benchmark)
        write_sheet(out, tests)
        yield tests


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


_BENCHMARKS = tuple(f"table-{number}" for number in BENCHMARK_TABLES)


def _run(experiment: Experiment, lab: Lab, out: Path) -> tuple[list[Outcome], Sheet]:
    outcomes: list[Outcome] = []
    for _, same_but_seed in groupby(experiment.jobs(lab.plan), key=lambda job: replace(job, seed=0)):
        outcomes += [lab.run(job) for job in same_but_seed]
        sheet = experiment.sheet(outcomes, lab)
        write_sheet(out, sheet)
    if can_draw():
        experiment.draw(sheet, out / f"{experiment.name}.png")
    return outcomes, sheet
