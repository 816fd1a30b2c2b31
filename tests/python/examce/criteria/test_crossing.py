from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from intarsia import Examce
from intarsia._core import Stage
from intarsia.examce.criteria import crossing
from intarsia.examce.criteria.crossing import Crossed, KMeansRun, best_of_crossed
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Stream
from intarsia.executor import SerialExecutor

X, _ = make_blobs(3000, 2, centers=12, cluster_std=1.5, random_state=0)


def cross(costs, child_costs=(), is_late=lambda: False) -> Crossed:
    """Crossing of runs whose costs are given; every run's centres hold its cost."""
    children = iter(child_costs)

    def run(cost: float) -> KMeansRun:
        return KMeansRun(cost, np.full((3, 2), cost))

    rng = np.random.default_rng(0)
    return best_of_crossed(
        lambda number: run(costs[number]), lambda _: run(next(children)), lambda: np.zeros(2), rng, is_late
    )


def test_two_runs_that_agree_are_enough():
    assert cross([5.0, 3.0, 3.0]).n_runs == 3
    assert cross([5.0, 3.0, 3.0]).best[0].centres[0, 0] == 3


def test_runs_that_agree_on_less_than_the_best_are_not_enough():
    with pytest.raises(IndexError):
        cross([3.0, 5.0, 5.0])


def test_a_child_like_the_best_ends_it():
    crossed = cross([9.0, 8.0, 7.0, 6.0, 5.0, 4.0], [8.5, 3.0, 5.5, 3.0, 1.0])
    assert crossed.n_runs == 6 + 4
    assert [run.cost for run in crossed.best] == [3.0, 4.0, 5.0, 5.5, 6.0, 7.0]


def test_of_runs_that_are_hardly_distinct_the_cheapest_stays():
    crossed = cross([9.0, 8.0, 7.0, 6.0, 5.0, 4.0], [4.0001, 3.9999, 5.0001, 3.9999])
    assert [run.cost for run in crossed.best] == [3.9999, 5.0, 6.0, 7.0, 8.0, 9.0]


def test_on_a_sample_runs_of_almost_the_same_cost_are_in_doubt():
    assert [run.cost for run in cross([5.0, 3.0, 3.003, 3.1, 3.0]).in_doubt()] == [3.0, 3.003]


def test_nothing_is_crossed_with_itself():
    costs = [3.0, 3.0001, 3.0002, 3.0003, 3.0004, 3.0005]
    assert cross(costs).n_runs == 6
    assert len(cross(costs).best) == 1


def test_it_ends_without_agreement_too(monkeypatch):
    monkeypatch.setattr(crossing, "_MOST_CROSSINGS", 5)
    assert cross([9.0, 8.0, 7.0, 6.0, 5.0, 4.0], np.arange(20.0, 30.0)).n_runs == 11


def test_the_clock_ends_it():
    assert cross([9.0, 8.0, 7.0], is_late=lambda: True).n_runs == 1


def test_children_have_centres_of_both_and_the_point():
    rng = np.random.default_rng(1)
    first = np.arange(20.0).reshape(10, 2)
    second = first[::-1] + 0.25
    point = np.array([-7.0, -7.0])
    child = crossing._cross(first, second, point, rng)
    whole, shifted = (child % 1 == 0).all(axis=1), (child % 1 == 0.25).all(axis=1)
    assert (whole | shifted).all()
    assert shifted.any()
    assert (child == point).all(axis=1).sum() == 1
    places = np.floor(child[(child != point).any(axis=1)])  # one centre of every pair but the one that moved
    assert len(np.unique(places, axis=0)) == 9


def test_the_best_on_all_points_is_chosen_where_runs_on_a_sample_are_in_doubt(monkeypatch):
    state = Examce(6, random_state=0).start_state(X, None, SerialExecutor())
    criterion = state.criterion
    poor, good = X[:6], KMeans(6, n_init=10, random_state=0).fit(X).cluster_centers_
    monkeypatch.setattr(Mssc, "_first_centres", lambda *_: ([poor, good], 5.0))
    started = criterion.start(6, Stream(0, Stage.SEEDING, 0, 0))
    both = [KMeans(6, n_init=1, init=centres, tol=0).fit(X).inertia_ for centres in (poor, good)]
    assert criterion.partition(started.labels).cost == pytest.approx(min(both))
    assert started.work == 5.0 + 2 * criterion.start_work(6)


def test_large_clusters_fast_are_no_dearer_than_ten_starts_of_scikit_learn():
    best = min(KMeans(6, n_init=10, random_state=seed).fit(X).inertia_ for seed in range(3))
    fast = Examce(6, effort="fast", random_state=0).fit(X)
    assert fast.inertia_ <= best * (1 + 1e-6)
