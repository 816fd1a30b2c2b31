"""`Ensemble.generate`: members spread by the executor, then put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia.ensemble.ensemble import Ensemble
from intarsia.ensemble.generate.member import GenerationTask, make_member
from intarsia.ensemble.generate.rule import MemberRule
from intarsia.ensemble.generate.settings import member_settings
from intarsia.executor import Executor, use_executor
from intarsia.executor.choose import agreed_seed, check_same_call
from intarsia.validation import check_count, check_points


class Generated(NamedTuple):
    """An ensemble and, where they were to be kept, the rules by which its members label new points."""

    ensemble: Ensemble
    rules: tuple[MemberRule, ...]


def generate_members(
    X: ArrayLike,
    base: Any,
    n_members: int,
    k: Any,
    *,
    select: int | None,
    random_state: Any,
    n_threads: int | None = None,
    executor: Executor | None = None,
    on_done: Callable[[int], None] | None = None,
    keeps_rules: bool = False,
    **views: Any,
) -> Generated:
    """Return n_members members, or `select` of them; see `Ensemble.generate`."""
    points = np.asarray(check_points(X), dtype=np.float64)
    who = use_executor(executor, n_threads)
    call = {"base": base, "n_members": n_members, "k": k, "select": select, **views}
    check_same_call(who, "Ensemble.generate", **call, random_state=random_state, X=points)
    settings = member_settings(points.shape, base=base, k=k, **views)
    check_count("n_members", n_members)
    if select is not None and check_count("select", select) > n_members:
        raise ValueError(f"select={select} should be at most n_members={n_members}.")
    task = GenerationTask(points, settings, agreed_seed(random_state, who), keeps_rules)
    members = who.map(make_member, range(n_members), task, on_done)
    found = [member.found for member in members]
    _check_covered(found)
    made = Ensemble.from_memberships(found) if settings.soft else Ensemble.from_labels(found)
    chosen = np.arange(n_members) if select in (None, n_members) else made.nearest_to_median(select)
    rules = (members[q].rule for q in chosen)
    kept = made if len(chosen) == n_members else made.subset(chosen)
    return Generated(kept, tuple(rule for rule in rules if rule is not None))


def _check_covered(members: Sequence[NDArray[Any]]) -> None:
    known = np.zeros(len(members[0]), dtype=bool)
    for member in members:
        known |= member >= 0 if member.ndim == 1 else member.any(axis=1)
    if not known.all():
        left = int((~known).sum())
        raise ValueError(
            f"{left} points were drawn for no member: larger samples or more members are needed."
        )
