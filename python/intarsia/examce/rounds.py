"""One round of the paper: cover, remove duplicates, local search, expand."""

from __future__ import annotations

import math

from intarsia.arrays import Ids
from intarsia.examce.cover import CoverLimits, solve_cover
from intarsia.examce.cover_result import CoverResult
from intarsia.examce.pool import Improved, cost_of
from intarsia.examce.state import ExamceState


def cover_round(state: ExamceState, stage: str, limits: CoverLimits) -> bool:
    """Run steps 2-5 once; return whether the best partition got better."""
    before = state.incumbent.cost
    cover = _solve(state, limits)
    criterion, k, tau = state.criterion, state.k, state.settings.tau
    unique = criterion.remove_duplicates(state.pool, cover.columns)
    searched = criterion.local_search(unique, k)
    after_duplicates = state.offer(unique, state.n_rounds)
    after_search = state.offer(searched, state.n_rounds)
    for labels in (unique, searched, state.incumbent.labels):
        criterion.expand(state.pool, labels, k, tau, state.n_rounds)
    state.last_cover = cover
    state.clock.stopped_something |= not cover.reproducible
    state.multipliers = cover.multipliers
    state.n_rounds += 1
    state.history.append(
        {
            "stage": stage,
            "columns": len(state.pool),
            "pool_bound": cover.bound,
            "cover_status": cover.status,
            "cost_cover": cover.cost,
            "cost_duplicates": math.inf if after_duplicates is None else after_duplicates.cost,
            "cost_search": math.inf if after_search is None else after_search.cost,
            "cost": state.incumbent.cost,
            "seconds": state.clock.seconds(),
        }
    )
    return state.incumbent.cost < before


def _solve(state: ExamceState, limits: CoverLimits) -> CoverResult:
    settings = state.settings
    remaining = state.clock.remaining()
    return solve_cover(
        state.pool,
        state.k,
        solver=settings.solver,
        incumbent=None if settings.solver == "lp" else state.cover_start(),
        improve=lambda columns: _improve(state, columns),
        multipliers=state.multipliers,
        limits=limits,
        time_limit=None if math.isinf(remaining) else remaining,
        seed=settings.seed,
        task=state.n_rounds,
        n_threads=state.criterion.n_threads,
    )


def _improve(state: ExamceState, columns: Ids) -> Improved | None:
    criterion = state.criterion
    labels = criterion.local_search(criterion.remove_duplicates(state.pool, columns), state.k)
    if state.offer(labels, state.n_rounds) is None:
        return None
    ids = criterion.add_clusters(state.pool, labels, state.k, state.n_rounds)
    return Improved(ids, labels, cost_of(state.pool, ids))
