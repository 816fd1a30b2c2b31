"""p-medians beside FasterPAM: what counts within a budget, and courses that only improve."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from intarsia import Examce
from intarsia.bench.quality import pmedian
from intarsia.bench.quality.pmedian import Found, PMedianSettings, best_within, faster_pam, ours

X = np.random.default_rng(0).uniform(size=(60, 2))


def test_the_last_within_the_budget_counts_and_the_first_always() -> None:
    course = [Found(0.5, 9.0), Found(1.0, 7.0), Found(3.0, 5.0)]
    assert [best_within(course, budget).cost for budget in (0.1, 0.5, 2.0, 9.0)] == [9.0, 9.0, 7.0, 5.0]


def test_ours_is_what_some_medians_cost_and_repeats_where_the_budget_does_not_end_it() -> None:
    found = ours(X, 4, 0, 60.0)
    same = Examce(4, criterion="pmedian", effort="high", random_state=0, n_threads=1).fit(X)
    assert found.cost == same.inertia_
    assert ours(X, 4, 0, 1e-9).cost >= found.cost


def test_the_sheet_says_who_is_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pmedian, "load", lambda name, data_dir: SimpleNamespace(X=X))
    monkeypatch.setattr(pmedian, "has_peer", lambda: True)
    monkeypatch.setattr(pmedian, "faster_pam", lambda X, p, seed, seconds: [Found(0.0, 1e9)])
    monkeypatch.setattr(pmedian, "ours", lambda X, p, seed, seconds: Found(seconds * p / 3, 1.0))
    kept: list[tuple[int, int]] = []
    sheet = pmedian.run(
        PMedianSettings(Path(), (3, 5), ("u1060",), (0, 1), (0.01, 0.02)),
        lambda n_done, so_far: kept.append((n_done, len(so_far.rows))),
    )
    assert kept == [(1, 2), (2, 4)]
    assert [row[:3] for row in sheet.rows] == [
        ("u1060", p, budget) for p in (3, 5) for budget in (0.01, 0.02)
    ]
    # with five medians the budget was not kept, which counts for nothing
    assert sheet.notes == ("at or below FasterPAM on 2 of 4 cells (50 %)",)
    monkeypatch.setattr(pmedian, "has_peer", lambda: False)
    alone = pmedian.run(PMedianSettings(Path(), (3,), ("u1060",), (0,), (0.01,)))
    assert alone.notes == ("FasterPAM was not run: pip install kmedoids",)


def test_fasterpam_runs_until_the_budget_is_used() -> None:
    pytest.importorskip("kmedoids")
    course = faster_pam(X, 4, 0, 0.02)
    assert course[-1].cpu_s >= 0.02
    assert course[-1].cost <= course[0].cost
