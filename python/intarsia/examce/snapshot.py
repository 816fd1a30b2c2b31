"""A running search as plain arrays and facts, and back: all that decides how it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia._core import ColumnPool
from intarsia.examce.cover_result import CoverResult
from intarsia.examce.state import ExamceState

_COUNTS = ("n_rounds", "cycle", "stalled", "best_base_cost", "base_done", "n_base_runs", "history")


@dataclass(frozen=True)
class Snapshot:
    """JSON-able facts and arrays; taken in no time, since arrays are views that stay as they are."""

    facts: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def take_snapshot(state: ExamceState) -> Snapshot:
    """Return what the search knows now."""
    facts: dict[str, Any] = {name: getattr(state, name) for name in _COUNTS}
    facts["history"] = list(state.history)
    facts["clock"] = {"seconds": state.clock.seconds(), "stopped_something": state.clock.stopped_something}
    n = len(state.criterion.X)
    arrays: dict[str, NDArray[Any]] = {
        "run_ids": np.array(list(state.runs), dtype=np.int64),
        "run_labels": _rows(list(state.runs.values()), n),
        "islands": _rows(state.islands, n),
    }
    if state.base_done:  # before that the pool is just what the runs make of it
        pool = state.holdings.pool
        arrays |= {"best_labels": state.holdings.incumbent.labels, "pool_offsets": pool.offsets}
        arrays |= {"pool_members": pool.members, "pool_costs": pool.costs, "pool_origins": pool.origins}
    if state.last_cover is not None:
        cover = state.last_cover
        facts["cover"] = {"cost": cover.cost, "bound": cover.bound, "status": cover.status}
        arrays["cover_columns"] = cover.columns
    if state.multipliers is not None:
        arrays["multipliers"] = state.multipliers
    return Snapshot(facts, arrays)


def restore_snapshot(state: ExamceState, snapshot: Snapshot) -> None:
    """Make a fresh state what it was when the snapshot was taken."""
    facts, arrays = snapshot.facts, snapshot.arrays
    for name in _COUNTS:
        setattr(state, name, facts[name])
    state.clock.go_on_from(**facts["clock"])
    state.runs = {
        int(run): labels for run, labels in zip(arrays["run_ids"], arrays["run_labels"], strict=True)
    }
    state.islands = list(arrays["islands"])
    state.multipliers = arrays.get("multipliers")
    if state.base_done:
        _restore_holdings(state, arrays)
    if "cover" in facts:
        state.last_cover = CoverResult(
            columns=arrays["cover_columns"], multipliers=state.multipliers, **facts["cover"]
        )


def _restore_holdings(state: ExamceState, arrays: dict[str, NDArray[Any]]) -> None:
    columns = (arrays[f"pool_{name}"] for name in ("offsets", "members", "costs", "origins"))
    state.holdings.pool = ColumnPool(len(state.criterion.X), *columns)
    state.holdings.best = state.criterion.partition(arrays["best_labels"], state.k)


def _rows(vectors: list[NDArray[np.int32]], n: int) -> NDArray[np.int32]:
    return np.array(vectors, dtype=np.int32).reshape(len(vectors), n)
