"""A time limit only cuts the search off: whoever waits longer gets an answer that is no dearer."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from intarsia import Examce
from intarsia.arrays import Floats
from intarsia.clock import Clock
from intarsia.examce import fitting
from intarsia.examce.criteria import mssc

RNG = np.random.default_rng(0)
UNIFORM = RNG.uniform(size=(300, 2))
BLOBS = RNG.normal(size=(300, 3)) + RNG.uniform(-3, 3, size=(6, 3))[RNG.integers(6, size=300)]
ROUNDING = 1e-12

CASES: dict[str, tuple[Floats, int, dict[str, Any]]] = {
    "chains and covers": (UNIFORM[:200], 30, {}),
    "crossed starts": (BLOBS, 6, {}),
    "starts on samples": (BLOBS, 8, {}),
    "base runs": (UNIFORM, 12, {"n_base_runs": 10}),
    "as published": (UNIFORM, 12, {"n_base_runs": 10, "effort": "paper"}),
    "size limits": (UNIFORM[:120], 8, {"min_size": 10, "max_size": 20}),
    "entropy": (UNIFORM[:150], 8, {"criterion": "entropy", "min_size": 2}),
    "p-median": (UNIFORM[:150], 8, {"criterion": "pmedian"}),
}


class ClockOfQuestions(Clock):
    """Says that time is over from the n-th question on: a time limit that is the same on any machine."""

    def __init__(self, n_questions: float = math.inf) -> None:
        super().__init__()
        self.n_asked, self._n_questions = 0, n_questions

    def remaining(self) -> float:
        self.n_asked += 1
        return math.inf if self.n_asked <= self._n_questions else 0.0


def fit_by(clock: Clock, monkeypatch: pytest.MonkeyPatch, case: str) -> Examce:
    X, k, options = CASES[case]
    if case == "crossed starts":
        monkeypatch.setattr(mssc, "_LARGE_CLUSTERS", 40)
        monkeypatch.setattr(mssc, "_FEWEST_LARGE", 40)
    if case == "starts on samples":
        monkeypatch.setattr(mssc, "_FEWEST_SOME", 100)
        monkeypatch.setattr(mssc, "_SOME_PER_CLUSTER", 10)
    monkeypatch.setattr(fitting, "Clock", lambda *_: clock)
    return Examce(k, random_state=1, time_limit=1e6, **({"n_threads": 1} | options)).fit(X)


@pytest.mark.parametrize("case", CASES)
def test_more_time_never_hurts(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    whole = ClockOfQuestions()
    best = fit_by(whole, monkeypatch, case).inertia_
    budgets = np.unique(np.geomspace(1, whole.n_asked, 12).astype(int))
    costs = [fit_by(ClockOfQuestions(n), monkeypatch, case).inertia_ for n in budgets]
    costs.append(best)
    assert all(later <= sooner + ROUNDING * abs(sooner) for sooner, later in pairwise(costs))
    assert costs[-1] < costs[0]


def test_work_that_would_not_end_in_time_is_left_out() -> None:
    clock = Clock(time_limit=1000.0)
    clock.note_pace(seconds=1.0, work=1.0)
    assert clock.has_time_for(1.0)
    assert not clock.has_time_for(1e6)
    assert clock.is_over()  # nothing shorter takes its place: that would be another search
