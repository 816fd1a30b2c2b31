"""The clock inside base runs: what it ends is whole, and where it ends nothing not a bit changes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from intarsia import _core
from intarsia.base.registry import base_clusterer
from intarsia.base.runs import base_runs, best_of_runs, best_run
from intarsia.cli.core.main import main
from intarsia.executor import ThreadExecutor

X = np.random.default_rng(0).normal(size=(2000, 3))
ALL_ONE = None
LONG = 1e9  # seconds: a clock that is looked at, and never over
METHODS = ("kmeans", "hk-means", "random-swap")


@pytest.mark.parametrize("n_features", [3, 40])  # two kinds of bounds
def test_kmeans_without_time_gives_the_nearest_of_its_centres(n_features):
    points = np.random.default_rng(1).normal(size=(2000, n_features))
    start = np.ascontiguousarray(points[:20])
    labels, centres, inertia, n_iter, converged = _core.kmeans(points, ALL_ONE, start, 1000, 0.0, 2, 0.0)
    distances = cdist(points, centres, "sqeuclidean")
    assert (n_iter, converged) == (1, False)
    np.testing.assert_array_equal(labels, distances.argmin(axis=1))
    assert inertia == pytest.approx(distances.min(axis=1).sum())
    np.testing.assert_array_equal(centres, start)


def test_moves_without_time_move_nothing():
    labels = (np.arange(2000) % 7).astype(np.int32)
    for moved, n_moves in (
        _core.hartigan(X, ALL_ONE, labels, 7, 1, 2000, 0.0),
        _core.random_swap(X, ALL_ONE, labels, 7, 50, 0, 0, 0.0),
    ):
        np.testing.assert_array_equal(moved, labels)
        assert n_moves == 0


@pytest.mark.parametrize("method", METHODS)
def test_a_clock_that_ends_nothing_changes_nothing(method):
    base = base_clusterer(method, prefer={"n_swaps": 30})
    free, timed = base.fit(X, 20, seed=3), base.fit(X, 20, seed=3, seconds=LONG)
    np.testing.assert_array_equal(free.labels, timed.labels)
    assert (free.cost, free.n_iter) == (timed.cost, timed.n_iter)


@pytest.mark.parametrize("method", METHODS)
def test_the_first_run_is_always_made(method):
    best = best_of_runs(X, method, 20, n_runs=9, seed=3, time_limit=1e-9)
    assert best.is_late
    assert len(best.costs) == 1
    assert best.fit.n_iter == 1
    cost = sum(((X[best.fit.labels == c] - best.fit.centers[c]) ** 2).sum() for c in range(20))
    assert best.fit.cost == pytest.approx(cost)


@pytest.mark.parametrize("limit", [None, LONG])
def test_the_best_run_is_that_of_all_runs(limit):
    runs = base_runs(X, "kmeans", 20, n_runs=9, seed=3)
    best = best_of_runs(X, "kmeans", 20, n_runs=9, seed=3, executor=ThreadExecutor(3), time_limit=limit)
    assert best.costs == [run.cost for run in runs]
    np.testing.assert_array_equal(best.fit.labels, best_run(runs).labels)
    assert not best.is_late


def test_the_command_says_that_the_clock_ended_it(capfd):
    words = ["fit", "demo:iris", "-k", "3", "--method", "kmeans", "--time-limit", "1e-9"]
    assert main([*words, "--json"]) == 0
    facts = json.loads(capfd.readouterr().out)
    assert (facts["status"], facts["runs"]) == ("time_limit", 1)
    assert main(words) == 0
    assert "stopped by the time limit: best so far, not reproducible" in capfd.readouterr().out
