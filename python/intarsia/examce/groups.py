"""Base runs fused in fixed groups, each by a cover of its own, so that nobody waits for the cover of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from intarsia._core import ColumnPool
from intarsia.arrays import Labels
from intarsia.examce.cover_result import Clock, CoverLimits
from intarsia.examce.criteria import Mssc
from intarsia.examce.holdings import Holdings
from intarsia.examce.rounds import Round, RoundTask, run_round
from intarsia.examce.settings import ExamceSettings
from intarsia.examce.state import ExamceState

_LEAST_RUNS = 8  # of a group: fewer have too little to recombine
_GROUP_LIMITS = CoverLimits(n_rounds=1, n_roundings=6, use_highs=False)


@dataclass(frozen=True)
class _Shared:
    criterion: Mssc
    settings: ExamceSettings
    runs: Sequence[Labels]
    n_groups: int
    clock: Clock


def fuse_groups(state: ExamceState, runs: Sequence[Labels]) -> list[Labels]:
    """Return the best partition of each group; what the groups made joins the pool."""
    n_groups = min(state.settings.effort.n_islands, len(runs) // _LEAST_RUNS)
    if n_groups < 2:
        return []
    shared = _Shared(state.criterion, state.settings, runs, n_groups, state.clock)
    fused = state.executor.map(_fuse, range(n_groups), shared)
    for round_ in fused:
        if round_ is not None:
            state.join_columns(round_)
    return [round_.best.labels for round_ in fused if round_ is not None]


def _fuse(group: int, shared: _Shared) -> Round | None:
    own = Holdings(shared.criterion, shared.settings.n_clusters, ColumnPool(len(shared.criterion.X)))
    for run in range(group, len(shared.runs), shared.n_groups):
        own.add_run(shared.runs[run], run)
    if own.best is None:  # none of its runs gave k clusters within the size limits
        return None
    return run_round(RoundTask(group, "group", _GROUP_LIMITS), own, None, shared.settings, shared.clock)
