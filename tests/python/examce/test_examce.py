"""How a run of Examce goes and ends: history, progress, limits, interruption."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from intarsia import Examce
from intarsia.examce import loop
from intarsia.examce.cover.problem import CoverLimits
from intarsia.examce.cover.solve import solve_cover
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import SwapLimits
from intarsia.examce.settings import EFFORTS

X = np.random.default_rng(0).normal(size=(300, 2))
HISTORY_KEYS = {
    "stage",
    "columns",
    "pool_bound",
    "cover_status",
    "cost_cover",
    "cost_duplicates",
    "cost_search",
    "cost",
    "seconds",
}


def examce(k: int = 15, **more: Any) -> Examce:
    return Examce(k, **{"n_base_runs": 10, "random_state": 0, "n_threads": 1, **more})


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], max_steps=4))


def cost_of(labels: np.ndarray) -> float:
    clusters = [X[labels == c] for c in np.unique(labels)]
    return sum(((c - c.mean(axis=0)) ** 2).sum() for c in clusters)


def test_history_tells_every_round_and_the_cost_never_rises() -> None:
    model = examce().fit(X)
    costs = [entry["cost"] for entry in model.history_]
    assert len(costs) == model.n_rounds_
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] >= model.inertia_
    assert costs[0] <= model.best_base_inertia_
    for entry in model.history_:
        assert set(entry) >= HISTORY_KEYS
        assert entry["pool_bound"] <= entry["cost_cover"] * (1 + 1e-9)
        assert entry["cost_search"] <= entry["cost_duplicates"] * (1 + 1e-12)
        assert entry["cost_duplicates"] <= entry["cost_cover"] * (1 + 1e-12)
    assert [entry["seconds"] for entry in model.history_] == sorted(e["seconds"] for e in model.history_)


def test_fitted_attributes_agree() -> None:
    model = examce().fit(X)
    assert model.inertia_ == pytest.approx(cost_of(model.labels_))
    assert model.result_.cost == model.inertia_
    assert model.result_.seed == 0
    assert model.status_ == model.result_.status == "done"
    assert np.array_equal(model.predict(X), model.labels_)
    means = [X[model.labels_ == c].mean(axis=0) for c in range(15)]
    np.testing.assert_allclose(model.cluster_centers_, means)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_callback_hears_of_every_stage(n_threads: int) -> None:
    calls: list[tuple[str, int, int, float]] = []
    model = examce(callback=lambda *call: calls.append(call), n_threads=n_threads).fit(X)
    assert {stage for stage, *_ in calls} == {"base runs", "rounds", "search"}
    assert [done for stage, done, *_ in calls if stage == "base runs"] == list(range(1, 11))
    assert all(total == 10 for stage, _, total, _ in calls if stage == "base runs")
    searched = [(done, total) for stage, done, total, _ in calls if stage == "search"]
    assert [done for done, _ in searched] == list(range(1, len(searched) + 1))
    assert all(done <= total for done, total in searched)
    costs = [cost for *_, cost in calls]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == model.inertia_


def interrupt_at(stage: str) -> Any:
    def callback(now: str, *_: Any) -> None:
        if now == stage:
            raise KeyboardInterrupt

    return callback


@pytest.mark.parametrize("n_threads", [1, 2])
def test_interrupted_search_keeps_the_best_so_far(n_threads: int) -> None:
    model = examce(callback=interrupt_at("search"), n_threads=n_threads)
    with pytest.raises(KeyboardInterrupt):  # whoever loops over fits hears of it too
        model.fit(X)
    assert model.status_ == model.result_.status == "interrupted"
    assert model.inertia_ == pytest.approx(cost_of(model.labels_))
    assert model.inertia_ <= model.best_base_inertia_
    assert len(np.unique(model.labels_)) == 15


@pytest.mark.parametrize("n_threads", [1, 2])
def test_interrupted_before_any_partition(n_threads: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        examce(callback=interrupt_at("base runs"), n_threads=n_threads).fit(X)


def pressed_after(search: Any) -> Any:
    def swap_search(*task: Any) -> Any:
        return search(*task)._replace(interrupt=KeyboardInterrupt())

    return swap_search


def pressed_within(search: Any) -> Any:
    def swap_search(*task: Any) -> Any:
        raise KeyboardInterrupt

    return swap_search


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("pressed", [pressed_after, pressed_within])
def test_interrupted_first_chain_is_kept(
    monkeypatch: pytest.MonkeyPatch, pressed: Any, n_threads: int
) -> None:
    monkeypatch.setattr(Mssc, "swap_search", pressed(Mssc.swap_search))
    model = Examce(15, random_state=0, n_threads=n_threads)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)
    assert model.status_ == "interrupted"
    assert model.inertia_ == pytest.approx(cost_of(model.labels_))
    assert len(np.unique(model.labels_)) == 15


def test_interrupted_base_runs_leave_a_given_partition() -> None:
    own = np.arange(300) % 15
    model = examce(callback=interrupt_at("base runs"), init_partitions=[own])
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)
    assert model.status_ == "interrupted"
    assert model.inertia_ == pytest.approx(cost_of(own))
    assert model.n_rounds_ == 0
    assert model.history_ == []
    assert model.best_base_inertia_ == np.inf


def test_a_callback_ends_the_search_by_true() -> None:
    seen = []
    model = examce(callback=lambda stage, *_: seen.append(stage) or stage == "search").fit(X)
    assert (seen.count("search"), model.status_) == (1, "interrupted")
    assert model.inertia_ == pytest.approx(cost_of(model.labels_))


def test_a_tiny_time_limit_still_gives_a_partition() -> None:
    model = examce(time_limit=1e-9).fit(X)
    assert model.status_ == "time_limit"
    assert len(np.unique(model.labels_)) == 15
    assert model.inertia_ <= model.best_base_inertia_


def test_time_limit_ends_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    # One chain alone would take for ever.
    swap_search = Mssc.swap_search

    def endless(self: Mssc, labels: Any, limits: SwapLimits, stream: Any) -> Any:
        return swap_search(self, labels, SwapLimits(2**60, seconds=limits.seconds), stream)

    monkeypatch.setattr(Mssc, "swap_search", endless)
    points = np.random.default_rng(0).normal(size=(1000, 2))
    start = time.perf_counter()
    model = examce(k=20, effort="high", time_limit=1.0, n_base_runs=2).fit(points)
    assert model.status_ == "time_limit"
    assert time.perf_counter() - start < 60.0


def test_a_generous_time_limit_stops_nothing() -> None:
    first, second = (examce(time_limit=1000.0).fit(X) for _ in range(2))
    assert first.status_ == second.status_ == "done"
    assert np.array_equal(first.labels_, second.labels_)


@pytest.mark.parametrize("solver", ["auto", "highs", "lp"])
def test_a_cover_stopped_by_the_clock_is_told(monkeypatch: pytest.MonkeyPatch, solver: str) -> None:
    def hurried(*args: Any, **more: Any) -> Any:
        return solve_cover(*args, **{**more, "time_limit": 0.0})

    monkeypatch.setattr("intarsia.examce.search.round.solve_cover", hurried)
    model = examce(effort="paper", solver=solver, time_limit=1000.0).fit(X)
    assert model.history_[-1]["cover_status"] == "time_limit"
    assert model.status_ == "time_limit"
    assert model.inertia_ <= model.best_base_inertia_


def test_a_cover_that_hits_its_work_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = CoverLimits(
        cold_iterations=3, warm_iterations=3, n_rounds=0, max_gap=0.0, core_factor=0.0, small_core=0
    )
    monkeypatch.setattr(loop, "_PAPER_LIMITS", nothing)
    model = examce(k=8, effort="paper", bracket=3).fit(X)
    assert model.result_.cover_status in ("gap", "work_limit")
    assert model.result_.cover_gap > 0
    assert model.status_ == "done"
    assert model.pool_bound_ <= model.inertia_ <= model.best_base_inertia_
