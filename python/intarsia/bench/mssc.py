"""`intarsia bench mssc`: quality at equal CPU time against other libraries, one thread each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from intarsia.bench import mssc_report
from intarsia.bench.ledger import Ledger, Run
from intarsia.bench.problems import Problem, need_data, parse_problem, problems, split_by_data
from intarsia.bench.rivals import PEERS, RIVALS
from intarsia.bench.worker import Request, run_all
from intarsia.cli.progress import progress_bar

CASES = problems(
    "u1060:30", "u1060:100", "u1060:150",
    "pcb3038:50", "pcb3038:100", "pcb3038:300", "pcb3038:500",
    "rat575:30", "rat575:50", "rat575:100",
    "segmentation:50", "pendigits:50", "pendigits:200", "gauss100:100",
)  # fmt: skip
QUICK_CASES = problems("iris:10", "wine:10")
RUNS_FILE = "mssc_runs.csv"


@dataclass(frozen=True)
class Plan:
    """What is measured."""

    cases: tuple[Problem, ...]
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
    wanted = tuple(map(parse_problem, cases)) if cases else QUICK_CASES if quick else CASES
    found, missing = split_by_data(wanted, data_dir)
    if not found:
        raise ValueError(need_data(missing))
    plan = Plan(
        found,
        tuple(sorted(set(budgets or ((0.1, 0.5) if quick else (0.5, 2.0, 10.0))))),
        seeds or (2 if quick else 10),
        chosen_methods(peers),
    )
    ledger = Ledger(runs_file(resume, out))
    _measure(plan, ledger, data_dir, jobs)
    report = mssc_report.Report(plan.methods, _runs_of(plan, ledger), tuple(case.label for case in missing))
    mssc_report.show(report, as_json)
    if out is not None:
        mssc_report.write_cells(report, out / "mssc_cells.csv")


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


def make_requests(plan: Plan, ledger: Ledger, data_dir: Path | None) -> list[Request]:
    """Return what is left to measure: seeds outermost, so that an early look sees all cases."""
    folder = None if data_dir is None else str(data_dir)
    return [
        Request(case.name, case.n_clusters, method, seed, budgets, folder)
        for seed in range(plan.n_seeds)
        for case in plan.cases
        for method in plan.methods
        if RIVALS[method].is_installed
        for budgets in _budgets_left(plan, ledger, (case.name, case.n_clusters, method, seed))
    ]


def _budgets_left(plan: Plan, ledger: Ledger, who: tuple[str, int, str, int]) -> list[tuple[float, ...]]:
    left = tuple(budget for budget in plan.budgets if (*who, budget) not in ledger.runs)
    if not left:
        return []
    # one process serves all budgets of a method whose course does not depend on them
    return [left] if RIVALS[who[2]].one_process else [(budget,) for budget in left]


def _measure(plan: Plan, ledger: Ledger, data_dir: Path | None, jobs: int) -> None:
    requests = make_requests(plan, ledger, data_dir)
    with progress_bar("bench mssc", len(requests)) as step:
        for runs in run_all(requests, jobs):
            ledger.add(runs)
            step()


def _runs_of(plan: Plan, ledger: Ledger) -> list[Run]:
    keys = [
        (case.name, case.n_clusters, method, seed, budget)
        for case in plan.cases
        for method in plan.methods
        for seed in range(plan.n_seeds)
        for budget in plan.budgets
    ]
    return [ledger.runs[key] for key in keys if key in ledger.runs]
