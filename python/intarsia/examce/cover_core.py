"""Branch and bound on a core: climb and fix once more, then give HiGHS what is left."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Ids
from intarsia.examce.cover_highs import MipOutcome, solve_mip
from intarsia.examce.pool import ColumnPool


@dataclass(frozen=True)
class BranchSettings:
    """What HiGHS is told besides the columns."""

    equality: bool
    max_nodes: int
    time_limit: float
    seed: int


def branch_core(
    pool: ColumnPool,
    core: Ids,
    k: int,
    multipliers: Floats,
    ascent: _core.AscentOptions,
    known: Ids | None,
    settings: BranchSettings,
) -> tuple[MipOutcome, int]:
    """Best cover from the core within `ascent.upper_bound`: the outcome in pool ids, and HiGHS's columns.

    `known` is a cover to start from; it is used when all of its columns are in what is left.
    """
    cutoff = ascent.upper_bound
    if len(core) < k:
        return MipOutcome("infeasible", None, float("inf")), len(core)
    sub = pool.subset(core)
    bound, _, reduced, _ = _core.ascend(sub, k, multipliers, ascent)
    if bound > cutoff + 1e-9 * abs(cutoff):
        return MipOutcome("infeasible", None, bound), 0
    fixed = _core.fix_columns(reduced, bound, cutoff, k)
    kept = np.flatnonzero(fixed >= 0)
    ids = core[kept]
    outcome = solve_mip(
        sub.subset(kept),
        k,
        equality=settings.equality,
        cutoff=cutoff,
        start=_positions(known, ids),
        fixed_in=np.flatnonzero(fixed[kept] > 0),
        max_nodes=settings.max_nodes,
        time_limit=settings.time_limit,
        seed=settings.seed,
    )
    return (outcome if outcome.columns is None else replace(outcome, columns=ids[outcome.columns])), len(ids)


def _positions(known: Ids | None, ids: Ids) -> Ids | None:
    if known is None or not np.isin(known, ids).all():
        return None
    return np.searchsorted(ids, known)
