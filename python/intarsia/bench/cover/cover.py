"""`intarsia bench cover`: our cover solver against plain HiGHS on the same pools, one thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from intarsia.bench.cover.pools import PooledInstance, bracket_pool
from intarsia.bench.cover.report import Proof, Race, show
from intarsia.bench.measure import cpu_ms, one_thread
from intarsia.bench.quality.instances import (
    Instance,
    instance_points,
    instances,
    need_data,
    with_data,
)
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CoverResult, CoverSolution, InfeasibleCoverError
from intarsia.examce.cover.solve import solve_cover
from intarsia.report.terminal import progress_bar

CASES = instances("u1060:100", "u1060:150", "pcb3038:500", "rat575:100")
HARD_CASES = instances("rat575:30", "pcb3038:50", "pcb3038:100")  # plain HiGHS does not end within minutes
QUICK_CASES = instances("iris:20")
SAME_COST = 1e-7


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    cases: Sequence[str] | None = None,
    runs: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
) -> None:
    """Measure and print both tables."""
    found, missing = with_data(cases, QUICK_CASES if quick else CASES + HARD_CASES, data_dir)
    n_runs, limit = runs or (20 if quick else 150), seconds or (1.0 if quick else 60.0)
    proofs = [case for case in found if case not in HARD_CASES]
    races = [case for case in found if case in HARD_CASES or quick]
    with one_thread(), progress_bar("bench cover", len(proofs) + len(races)) as step:
        proved = _each(proofs, data_dir, n_runs, seed, prove, step)
        raced = _each(races, data_dir, n_runs, seed, lambda pooled: race(pooled, limit), step)
    show(proved, raced, n_runs, as_json)
    if missing and not as_json:
        print(need_data(missing))


def prove(pooled: PooledInstance) -> Proof:
    """Solve the pool with both and compare."""
    ours_ms, ours = cpu_ms(lambda: _auto(pooled))
    highs_ms, highs = cpu_ms(lambda: solve_cover(pooled.copy_pool(), pooled.k, solver="highs"))
    return Proof(
        case=pooled.label,
        n_columns=len(pooled.pool),
        highs_cost=highs.cost,
        ours_cost=ours.cost,
        same=abs(ours.cost - highs.cost) <= SAME_COST * highs.cost,
        highs_s=highs_ms / 1e3,
        ours_s=ours_ms / 1e3,
        ratio=highs_ms / ours_ms,
        status=ours.status,
    )


def race(pooled: PooledInstance, seconds: float) -> Race:
    """Give both the same seconds."""
    ours_ms, ours_cost = cpu_ms(lambda: improve_for(pooled, seconds))
    highs_ms, highs_cost = cpu_ms(lambda: _highs_incumbent(pooled, seconds))
    better = None if math.isinf(highs_cost) else 100.0 * (1.0 - ours_cost / highs_cost)
    return Race(
        case=pooled.label,
        n_columns=len(pooled.pool),
        seconds=seconds,
        highs_cost=None if math.isinf(highs_cost) else highs_cost,
        ours_cost=ours_cost,
        highs_s=highs_ms / 1e3,
        ours_s=ours_ms / 1e3,
        better_percent=better,
    )


def improve_for(pooled: PooledInstance, seconds: float, patience: int = 3) -> float:
    """Call the solver with improvement, each time from the last result, until it gains nothing more."""
    pool, clock, stale, task = pooled.copy_pool(), Clock(), 0, 0
    improve = pooled.improver(pool)
    found: CoverResult | None = None
    while stale < patience and clock.seconds() < seconds:
        last = found
        found = solve_cover(
            pool,
            pooled.k,
            improve=improve,
            incumbent=None if last is None else CoverSolution(last.columns, last.cost),
            multipliers=None if last is None else last.multipliers,
            time_limit=seconds - clock.seconds(),
            task=task,
        )
        stale = stale + 1 if last is not None and found.cost >= last.cost else 0
        task += 1
    return math.inf if found is None else found.cost


def _auto(pooled: PooledInstance) -> CoverResult:
    return solve_cover(pooled.copy_pool(), pooled.k, solver="auto")


def _highs_incumbent(pooled: PooledInstance, seconds: float) -> float:
    try:
        return solve_cover(pooled.copy_pool(), pooled.k, solver="highs", time_limit=seconds).cost
    except InfeasibleCoverError:
        return math.inf  # no cover in that time


def _each(
    cases: Sequence[Instance],
    data_dir: Path | None,
    n_runs: int,
    seed: int,
    measure: Callable[[PooledInstance], Any],
    step: Callable[..., None],
) -> list[Any]:
    results = []
    for case in cases:
        results.append(measure(bracket_pool(case, instance_points(case, data_dir), n_runs, seed)))
        step()
    return results
