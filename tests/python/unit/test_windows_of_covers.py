"""Covers of windows and groups of base runs: they only ever improve, and windows see the right columns."""

from __future__ import annotations

import numpy as np
import pytest

from intarsia._core import ColumnPool
from intarsia.examce.cover_result import Clock
from intarsia.examce.cover_windows import columns_within, recombine_windows, window_tasks
from intarsia.examce.criteria import Mssc
from intarsia.examce.groups import fuse_groups
from intarsia.examce.settings import EFFORTS, ExamceSettings
from intarsia.examce.sizes import SizeLimits
from intarsia.examce.state import ExamceState
from intarsia.executor import SerialExecutor

K = 50


def settings() -> ExamceSettings:
    return ExamceSettings(K, EFFORTS["default"], None, None, "kmeans", "auto", 10, None, 5)


@pytest.fixture
def state() -> ExamceState:
    X = np.random.default_rng(0).uniform(size=(400, 2))
    criterion = Mssc(X, None, SizeLimits(1, 400))
    made = ExamceState(criterion, settings(), SerialExecutor(), Clock())
    for run, labels in enumerate(random_runs(criterion, 24)):
        made.holdings.add_run(labels, run)
    return made


def random_runs(criterion: Mssc, n: int) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    starts = [rng.permutation(np.arange(400) % K).astype(np.int32) for _ in range(n)]
    return [criterion.local_search(labels, K) for labels in starts]


def test_columns_within_are_those_that_hold_no_other_point() -> None:
    rng = np.random.default_rng(2)
    pool = ColumnPool(30)
    for cost in range(200):
        pool.add(np.unique(rng.integers(0, 30, rng.integers(1, 5))).astype(np.int32), float(cost), cost % 7)
    points = np.flatnonzero(rng.random(30) < 0.6)
    inside = columns_within(pool, points)
    columns = np.split(pool.members, pool.offsets[1:-1])
    wanted = [(tuple(c), cost) for c, cost in zip(columns, pool.costs, strict=True) if set(c) <= set(points)]
    got = np.split(inside.members, inside.offsets[1:-1])
    assert [(tuple(points[c]), cost) for c, cost in zip(got, inside.costs, strict=True)] == wanted
    assert 0 < len(wanted) < len(pool)


def test_windows_hold_every_cluster_once(state: ExamceState) -> None:
    for turn in range(5):
        clusters = np.concatenate([task.clusters for task in window_tasks(state, turn)])
        np.testing.assert_array_equal(np.sort(clusters), np.arange(K))


def test_recombined_windows_are_better_and_a_partition(state: ExamceState) -> None:
    before = state.cost
    recombine_windows(state)
    best = state.holdings.incumbent
    assert best.cost < before
    assert np.unique(best.labels).size == K
    X = state.criterion.X
    means = np.array([X[best.labels == c].mean(axis=0) for c in range(K)])
    assert best.cost == pytest.approx(((X - means[best.labels]) ** 2).sum(), rel=1e-12)


def test_groups_return_one_partition_each_no_worse_than_their_runs(state: ExamceState) -> None:
    runs = random_runs(state.criterion, 24)
    fused = fuse_groups(state, runs)
    assert len(fused) == 3
    for group, labels in enumerate(fused):
        costs = [state.criterion.partition(run, K).cost for run in runs[group::3]]
        assert state.criterion.partition(labels, K).cost <= min(costs)


def test_too_few_runs_make_no_groups(state: ExamceState) -> None:
    assert fuse_groups(state, random_runs(state.criterion, 9)) == []
