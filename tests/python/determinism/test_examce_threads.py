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
        (500, 45, False, {}),
        (400, 20, True, {}),
        (150, 8, True, {"min_size": 12, "max_size": 30}),
    ],
    ids=["plain", "weights", "sizes"],
)
def test_threads(
    monkeypatch: pytest.MonkeyPatch, n: int, k: int, weighted: bool, bounds: dict[str, int]
) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], rest_after=2, max_steps=12))
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, 3))
    w = rng.uniform(0.1, 3, n) if weighted else None
    prints = [
        fingerprint(Examce(k, n_base_runs=24, random_state=3, n_threads=t, **bounds).fit(X, sample_weight=w))
        for t in (1, 2, 3)
    ]
    assert prints[0] == prints[1] == prints[2]
    assert prints[0][6] == "done"
    assert {entry["stage"] for entry in prints[0][7]} >= {"recombine", "search"}


def test_threads_inside_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    # Only large data have them; here they are forced on data of several chunks.
    X = np.random.default_rng(1).uniform(size=(1300, 3))
    prints = []
    for n_threads in (1, 2, 3):
        monkeypatch.setattr("intarsia.examce.fitting.kernel_threads", lambda *_, t=n_threads: t)
        model = Examce(10, effort="paper", n_base_runs=4, random_state=0, n_threads=1)
        prints.append(fingerprint(model.fit(X)))
    assert prints[0] == prints[1] == prints[2]
