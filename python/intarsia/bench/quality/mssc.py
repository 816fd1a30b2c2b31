"""`intarsia bench mssc`: quality at equal CPU time against other libraries, one thread each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from intarsia.bench.quality import mssc_report
from intarsia.bench.quality.instances import Instance, instances, with_data
from intarsia.bench.quality.rivals import PEERS, RIVALS
from intarsia.bench.quality.run_file import Run, RunFile
from intarsia.bench.quality.worker import Request, run_all
from intarsia.report.terminal import progress_bar

CASES = instances(
    "u1060:30", "u1060:100", "u1060:150",
    "pcb3038:50", "pcb3038:100", "pcb3038:300", "pcb3038:500",
    "rat575:30", "rat575:50", "rat575:100",
    "segmentation:50", "pendigits:50", "pendigits:200", "gauss100:100",
)  # fmt: skip
QUICK_CASES = instances("iris:10", "wine:10")
RUNS_FILE = "mssc_runs.csv"


@dataclass(frozen=True)
class Grid:
    """What is measured: every case within every budget, from every seed, by every method."""

    cases: tuple[Instance, ...]
    budgets: tuple[float, ...]
    n_seeds: int
    methods: tuple[str, ...]


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    budgets: Sequence[float] | None = None,
    seeds: int | None = None,
    cases: Sequence[str] | None = None,
    peers: Sequence[str] | None = None,
    resume: Path | None = None,
    jobs: int = 1,
    out: Path | None = None,
) -> None:
    """Measure what is not yet in the file of runs, and print and write the table."""
    found, missing = with_data(cases, QUICK_CASES if quick else CASES, data_dir)
    grid = Grid(
        found,
        tuple(sorted(set(budgets or ((0.1, 0.5) if quick else (0.5, 2.0, 10.0))))),
        seeds or (2 if quick else 10),
        chosen_methods(peers),
    )
    run_file = RunFile(runs_file(resume, out))
    _measure(grid, run_file, data_dir, jobs)
    report = mssc_report.Report(grid.methods, _runs_of(grid, run_file), tuple(case.label for case in missing))
    mssc_report.show(report, as_json)
    if out is not None:
        mssc_report.write_comparisons(report, out / "mssc_cells.csv")


def chosen_methods(peers: Sequence[str] | None) -> tuple[str, ...]:
    """Return our method, the peers asked for (all by default) and the internal reference."""
    names = PEERS if peers is None else tuple(peers)
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        raise ValueError(f"peer {unknown[0]!r} should be one of {', '.join(PEERS)}.")
    return tuple(name for name in RIVALS if name in names or not RIVALS[name].is_peer)


def runs_file(resume: Path | None, out: Path | None) -> Path | None:
    """Return where runs are kept: the file to resume, or a new one in the output folder."""
    if resume is not None or out is None:
        return resume
    if (out / RUNS_FILE).exists():
        raise ValueError(
            f"{out / RUNS_FILE} exists: go on with --resume {out / RUNS_FILE}, or choose another --out."
        )
    return out / RUNS_FILE


def make_requests(grid: Grid, run_file: RunFile, data_dir: Path | None) -> list[Request]:
    """Return what is left to measure: seeds outermost, so that an early look sees all cases."""
    folder = None if data_dir is None else str(data_dir)
    return [
        Request(case.name, case.n_clusters, method, seed, budgets, folder)
        for seed in range(grid.n_seeds)
        for case in grid.cases
        for method in grid.methods
        if RIVALS[method].is_installed
        for budgets in _budgets_left(grid, run_file, (case.name, case.n_clusters, method, seed))
    ]


def _budgets_left(grid: Grid, run_file: RunFile, who: tuple[str, int, str, int]) -> list[tuple[float, ...]]:
    left = tuple(budget for budget in grid.budgets if (*who, budget) not in run_file.runs)
    if not left:
        return []
    # one process serves all budgets of a method whose course does not depend on them
    return [left] if RIVALS[who[2]].one_process else [(budget,) for budget in left]


def _measure(grid: Grid, run_file: RunFile, data_dir: Path | None, jobs: int) -> None:
    requests = make_requests(grid, run_file, data_dir)
    with progress_bar("bench mssc", len(requests)) as step:
        for runs in run_all(requests, jobs):
            run_file.add(runs)
            step()


def _runs_of(grid: Grid, run_file: RunFile) -> list[Run]:
    keys = [
        (case.name, case.n_clusters, method, seed, budget)
        for case in grid.cases
        for method in grid.methods
        for seed in range(grid.n_seeds)
        for budget in grid.budgets
    ]
    return [run_file.runs[key] for key in keys if key in run_file.runs]
