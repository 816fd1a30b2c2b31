"""EXAMCE gives the same bits for any number of threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from intarsia import Examce
from intarsia.examce.settings import EFFORTS


def fingerprint(model: Examce) -> tuple[Any, ...]:
    history = [
        {name: value for name, value in entry.items() if name != "seconds"} for entry in model.history_
    ]
    return (
        model.labels_.tobytes(),
        model.cluster_centers_.tobytes(),
        model.inertia_,
        model.best_base_inertia_,
        model.pool_bound_,
        model.n_columns_,
        model.status_,
        history,
    )


@pytest.mark.parametrize(
    ("n", "k", "weighted", "bounds"),
    [
        (1500, 40, False, {}),
        (1500, 40, True, {}),
        (300, 12, True, {"min_size": 15, "max_size": 40}),
    ],
    ids=["plain", "weights", "sizes"],
)
def test_threads(
    monkeypatch: pytest.MonkeyPatch, n: int, k: int, weighted: bool, bounds: dict[str, int]
) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], n_cycles=1, n_islands=3))
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, 3))
    w = rng.uniform(0.1, 3, n) if weighted else None
    prints = [
        fingerprint(Examce(k, n_base_runs=8, random_state=3, n_threads=t, **bounds).fit(X, sample_weight=w))
        for t in (1, 2, 3)
    ]
    assert prints[0] == prints[1] == prints[2]
    assert prints[0][6] == "done"
    assert {entry["stage"] for entry in prints[0][7]} == {"recombine", "intensify"}
