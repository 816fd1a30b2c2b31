"""`Ensemble.generate`: members spread by the executor, then put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.ensemble.generation.member import GenerationTask, make_member
from intarsia.ensemble.generation.selection import median_diversity
from intarsia.ensemble.generation.settings import MemberSettings
from intarsia.executor import Executor

if TYPE_CHECKING:
    from intarsia.arrays import Floats
    from intarsia.ensemble.ensemble import Ensemble


def generate_ensemble(
    X: Floats,
    settings: MemberSettings,
    *,
    n_members: int,
    select: int | None,
    seed: int,
    executor: Executor,
    on_done: Callable[[int], None] | None = None,
) -> Ensemble:
    """Return n_members members of checked points, or the `select` of them nearest to median diversity."""
    members = executor.map(make_member, range(n_members), GenerationTask(X, settings, seed), on_done)
    _check_covered(members)
    if select is None or select == n_members:
        return _together(members, settings.soft)
    chosen = median_diversity(_together(members, settings.soft), select)
    kept = [members[q] for q in chosen]
    _check_covered(kept)
    return _together(kept, settings.soft)


def _together(members: Sequence[NDArray[Any]], soft: bool) -> Ensemble:
    from intarsia.ensemble.ensemble import Ensemble

    return Ensemble.from_memberships(list(members)) if soft else Ensemble.from_labels(list(members))


def _check_covered(members: Sequence[NDArray[Any]]) -> None:
    known = np.zeros(len(members[0]), dtype=bool)
    for member in members:
        known |= member >= 0 if member.ndim == 1 else member.any(axis=1)
    if not known.all():
        left = int((~known).sum())
        raise ValueError(f"{left} points were drawn for no member: raise subsample or n_members.")
