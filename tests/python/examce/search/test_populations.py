"""The schedule on small budgets: more work never hurts, and who computes ahead changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from intarsia import Examce
from intarsia._core import Stage
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Data, SizeLimits, Stream, SwapLimits
from intarsia.examce.search import contest, population
from intarsia.examce.search.contest import horizon, most_work
from intarsia.examce.search.population import Population, least_gain, number_in, take_step, thin_out
from intarsia.examce.settings import EFFORTS
from intarsia.executor import SerialExecutor

X = np.random.default_rng(0).uniform(size=(400, 2))


def examce(monkeypatch: pytest.MonkeyPatch, k: int = 40, n_threads: int = 1, **change: Any) -> Examce:
    monkeypatch.setitem(EFFORTS, "high", replace(EFFORTS["high"], **change))
    return Examce(k, effort="high", random_state=1, n_threads=n_threads)


@pytest.mark.parametrize("limit", ["max_steps", "max_work"])
def test_more_work_never_hurts(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    budgets = {"max_steps": (1, 2, 4, 8), "max_work": (5.0, 20.0, 80.0, 320.0)}[limit]
    costs = [examce(monkeypatch, **{limit: budget}).fit(X).inertia_ for budget in budgets]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


def test_work_is_counted_and_kept_to(monkeypatch: pytest.MonkeyPatch) -> None:
    model = examce(monkeypatch, max_work=600.0).fit(X)
    works = [entry["work"] for entry in model.history_]
    assert works == sorted(works)
    assert len(works) > 0
    assert works[-1] <= model.result_.work < 1.1 * 600.0 * 400 * 40


def test_a_search_that_has_agreed_stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    centres = np.repeat(np.eye(5) * 50, 20, axis=0)
    blobs = centres + np.random.default_rng(1).normal(size=centres.shape)
    model = Examce(5, random_state=0, n_threads=1).fit(blobs)
    assert model.status_ == "done"
    assert model.result_.n_base_runs == 4  # the first chain, and three that end where it did
    true_cost = sum(
        ((blobs[i : i + 20] - blobs[i : i + 20].mean(axis=0)) ** 2).sum() for i in range(0, 100, 20)
    )
    assert model.inertia_ == pytest.approx(true_cost)


def test_populations_made_ahead_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    change = {"rest_after": 1, "rest_after_merge": 1, "n_arrivals": 100, "n_merges": 4}
    told: list[list[Any]] = []
    for n_threads in (1, 2, 3):
        model = examce(monkeypatch, k=60, n_threads=n_threads, **change, max_steps=40).fit(X)
        entries = [{n: v for n, v in entry.items() if n != "seconds"} for entry in model.history_]
        told.append([model.labels_.tobytes(), model.n_columns_, model.result_.n_base_runs, entries])
    assert told[0] == told[1] == told[2]
    assert {entry["stage"] for entry in told[0][3]} == {"search", "rival", "merge"}


@pytest.mark.parametrize("is_priced", [True, False])
def test_a_pool_is_thinned_and_keeps_the_best_partition(
    monkeypatch: pytest.MonkeyPatch, is_priced: bool
) -> None:
    state = examce(monkeypatch, k=10).start_state(X, None, SerialExecutor())
    rng = np.random.default_rng(0)
    for run in range(500):
        state.incumbent.offer(rng.permutation(np.arange(400) % 10).astype(np.int32), run)
    thin_out(state.incumbent, np.zeros(400) if is_priced else None)
    assert 2000 <= len(state.incumbent.pool) <= 2010
    n_columns = len(state.incumbent.pool)
    state.incumbent.cover_start()
    assert len(state.incumbent.pool) == n_columns


def test_swaps_keep_to_their_work(monkeypatch: pytest.MonkeyPatch) -> None:
    criterion = examce(monkeypatch).start_state(X, None, SerialExecutor()).criterion
    assert isinstance(criterion, Mssc)
    start = criterion.start(40, Stream(0, Stage.SEARCH, 1, 0)).labels
    few, more = (
        criterion.swap_search(start, SwapLimits(2**62, work), Stream(0, Stage.SEARCH, 1, 0))
        for work in (1e5, 1e6)
    )
    assert few.work < 2e5
    assert 1e6 <= more.work < 1.1e6
    assert criterion.partition(more.labels).cost < criterion.partition(few.labels).cost < few.start_cost


def test_numbers_of_a_range_fill_it() -> None:
    assert {number_in(CountRange(3, 7), place) for place in range(12)} == {3, 4, 5, 6, 7}
    assert {number_in(CountRange(4, 4), place) for place in range(12)} == {4}


def test_default_effort_ends_at_its_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    # uniform points: nothing comes back to the best partition, and rivals would be called for long
    never = {"n_arrivals": 10**6, "n_merges": 10**6, "max_steps": 10**6}
    monkeypatch.setattr(contest, "_ALWAYS", 0.0)
    limited = examce(monkeypatch, has_horizon=True, **never).fit(X).result_
    last = 2 * (limited.work - limited.work_of_best) / limited.n_rounds  # a step is not cut short
    assert limited.work <= 10 * limited.work_of_best + last
    longer = examce(monkeypatch, **(never | {"has_horizon": False, "max_steps": 200})).fit(X).result_
    assert limited.work < longer.work
    assert longer.cost <= limited.cost <= longer.cost * (1 + 1e-3)


def test_the_horizon_is_wider_where_clusters_are_small() -> None:
    limits = SizeLimits(1, 400)
    few, some, many = (horizon(Data(X, None, CountRange(k, k), limits)) for k in (2, 8, 100))
    assert (few, some, many) == (3.0, 6.0, 10.0)


def test_default_effort_has_a_most_which_a_chain_keeps_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "_MOST", 0.0)
    monkeypatch.setattr(contest, "_MOST_PASSES", 30.0)
    result = examce(monkeypatch, has_horizon=True).fit(X).result_
    assert result.n_base_runs == 1  # its chain would have gone on
    assert 30 * 400 * 40 <= result.work < 1.2 * 30 * 400 * 40
    assert result.status == "done"


def test_what_is_spent_at_most_grows_with_points_and_clusters_and_shrinks_with_features() -> None:
    def most(n: int, d: int, k: int) -> float:
        return most_work(Data(np.empty((n, d)), None, CountRange(k, k), SizeLimits(1, n)))

    assert most(1000, 2, 10) == most(2000, 2, 100) == 2e10
    assert most(10**6, 2, 1000) == 10 * most(10**6, 2, 100) == 3e11
    assert most(1000, 2, 10) == 4 * most(1000, 5, 10)


def test_the_first_chain_goes_on_for_longest_where_clusters_are_large() -> None:
    large, small = (Data(X, None, CountRange(k, k), SizeLimits(1, 400)) for k in (8, 100))
    assert least_gain(large, is_first=True) < least_gain(large, is_first=False) / 3
    assert least_gain(small, is_first=True) == least_gain(small, is_first=False)


def test_a_later_chain_takes_no_more_work_than_was_done_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(population, "least_gain", lambda data, is_first: 1e-3 if is_first else 0.0)
    monkeypatch.setattr(population, "_SHORT_CHAIN", 1.0)
    monkeypatch.setattr(population._Working, "_is_cover_due", lambda self: False)
    state = examce(monkeypatch).start_state(X, None, SerialExecutor())
    first = Population(0, state.incumbent)
    for _ in range(2):  # the second would never end by itself
        first.join(take_step(first, state.settings, state.clock, 1e9))
    before, chain = (facts.work for facts in first.course)
    assert before < chain < 1.1 * before  # its start comes on top of it
