"""`intarsia bench budgets`: one seed, growing time limits: does more time ever hurt?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from intarsia.bench.quality.instances import Instance, instances, measure_each, need_data, with_data
from intarsia.bench.quality.rivals import OURS
from intarsia.bench.quality.run_file import Run
from intarsia.bench.quality.worker import Request, in_fresh_process
from intarsia.report.terminal import print_json, print_table

CASES = instances(
    "u1060:100", "pcb3038:50", "pcb3038:300", "rat575:50", "segmentation:50", "pendigits:50", "gauss100:100",
    "blobs-10000-4:100", "blobs-20000-16:26", "blobs-50000-10-std5:50",
)  # fmt: skip
QUICK = instances("iris:10", "blobs-300-4:5")
BUDGETS, QUICK_BUDGETS = (1.0, 5.0, 20.0, 100.0), (0.05, 0.2)
_SAME = 1e-9  # relative: the order of a sum changes no verdict


@dataclass(frozen=True)
class Course:
    """The cost of one problem after each time limit, shortest first."""

    case: str
    costs: tuple[float, ...]
    cpu_s: tuple[float, ...]

    @property
    def never_rises(self) -> bool:
        """Whether no longer limit ends at a higher cost."""
        return all(later <= sooner * (1 + _SAME) for sooner, later in pairwise(self.costs))


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    cases: Sequence[str] | None = None,
    budgets: Sequence[float] | None = None,
    seed: int = 0,
) -> None:
    """Fit every problem once with every time limit, one thread, each in a process of its own."""
    found, missing = with_data(cases, QUICK if quick else CASES, data_dir)
    limits = tuple(sorted(budgets or (QUICK_BUDGETS if quick else BUDGETS)))
    rows = measure_each("budgets", found, lambda case: measure(case, data_dir, limits, seed))
    if as_json:
        told = [{**asdict(row), "never_rises": row.never_rises} for row in rows]
        print_json({"benchmark": "budgets", "budgets": limits, "cases": told})
        return
    columns = ("case", *(f"{limit:g} s" for limit in limits), "CPU s", "never rises")
    print_table("cost after so many seconds, per cent above the last", columns, [_row(row) for row in rows])
    print(f"more time never hurts: {sum(row.never_rises for row in rows)} of {len(rows)}")
    if missing:
        print(need_data(missing))


def measure(case: Instance, data_dir: Path | None, budgets: Sequence[float], seed: int) -> Course:
    """Fit one problem with each time limit."""
    runs = [_run(case, data_dir, budget, seed) for budget in budgets]
    return Course(case.label, tuple(run.cost for run in runs), tuple(run.cpu_s for run in runs))


def _run(case: Instance, data_dir: Path | None, budget: float, seed: int) -> Run:
    folder = None if data_dir is None else str(data_dir)
    (found,) = in_fresh_process(Request(case.name, case.n_clusters, OURS, seed, (budget,), folder))
    if found.has_failed:
        raise RuntimeError(f"{case.label}: {found.status}")
    return found


def _row(row: Course) -> list[str]:
    last = row.costs[-1]
    above = [f"{100 * (cost / last - 1):+.4f}" for cost in row.costs[:-1]]
    spent = " ".join(f"{seconds:.1f}" for seconds in row.cpu_s)
    return [row.case, *above, f"{last:.10g}", spent, "yes" if row.never_rises else "no"]
