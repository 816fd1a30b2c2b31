"""Theorem 1: no partition built from the initial pool is better. Oracle: every k disjoint columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intarsia import Examce
from intarsia.base.registry import base_clusterer
from intarsia.examce.base_runs import bracket_of, spread_runs
from intarsia.examce.cover.problem import CountRange

N_RUNS = 6
Column = frozenset[int]


def sse(X: np.ndarray, w: np.ndarray, members: list[int]) -> float:
    mean = np.average(X[members], axis=0, weights=w[members])
    return float((w[members] * ((X[members] - mean) ** 2).sum(axis=1)).sum())


def cost(X: np.ndarray, w: np.ndarray, labels: np.ndarray) -> float:
    return sum(sse(X, w, np.flatnonzero(labels == c).tolist()) for c in np.unique(labels))


def columns_of(labels: np.ndarray) -> set[Column]:
    return {frozenset(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels[labels >= 0])}


def base_labels(X: np.ndarray, w: np.ndarray | None, k: int, bracket: int, seed: int) -> list[np.ndarray]:
    low, high = bracket_of(CountRange(k, k), bracket, len(np.unique(X, axis=0)))
    kmeans = base_clusterer("kmeans")
    return [
        kmeans.fit(X, int(c), weights=w, seed=seed, task=run).labels
        for run, c in enumerate(spread_runs(N_RUNS, k, low, high))
    ]


def best_partition(X: np.ndarray, w: np.ndarray, pool: set[Column], k: int) -> float:
    best = np.inf
    costs = {column: sse(X, w, sorted(column)) for column in pool}
    for chosen in combinations(pool, k):
        if sum(map(len, chosen)) == len(X) and len(frozenset().union(*chosen)) == len(X):
            best = min(best, sum(costs[column] for column in chosen))
    return best


def best_single_move(X: np.ndarray, w: np.ndarray, labels: np.ndarray, k: int) -> float:
    best = np.inf
    for i in range(len(X)):
        for c in range(k):
            if c != labels[i] and (labels == labels[i]).sum() > 1:
                moved = labels.copy()
                moved[i] = c
                best = min(best, cost(X, w, moved))
    return best


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 9),
    k=st.integers(1, 4),
    d=st.integers(1, 3),
    bracket=st.integers(0, 2),
    weighted=st.booleans(),
    n_own=st.integers(0, 3),
    solver=st.sampled_from(["auto", "highs"]),
)
def test_no_partition_of_the_pool_is_better(
    seed: int, n: int, k: int, d: int, bracket: int, weighted: bool, n_own: int, solver: str
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    w = rng.uniform(0.1, 5, n) if weighted else None
    drawn = [rng.integers(-1, k + 1, n) for _ in range(n_own)]
    own = [labels for labels in drawn if labels.max() >= 0]  # one without any label is refused
    model = Examce(
        k,
        effort="paper",
        n_base_runs=N_RUNS,
        bracket=bracket,
        solver=solver,
        init_partitions=own,
        random_state=seed,
        n_threads=1,
    ).fit(X, sample_weight=w)
    mass = np.ones(n) if w is None else w
    runs = base_labels(X, w, k, bracket, seed)
    pool = set().union(*map(columns_of, runs), *map(columns_of, own))
    slack = 1e-9 * (1 + model.inertia_)

    assert sorted(np.unique(model.labels_)) == list(range(k))
    assert model.inertia_ == pytest.approx(cost(X, mass, model.labels_), rel=1e-9, abs=1e-12)
    assert model.inertia_ <= best_partition(X, mass, pool, k) + slack
    best_run = min(cost(X, mass, labels) for labels in runs if len(np.unique(labels)) == k)
    assert model.best_base_inertia_ == pytest.approx(best_run, rel=1e-9, abs=1e-12)
    assert model.inertia_ <= model.best_base_inertia_
    assert model.inertia_ <= best_single_move(X, mass, model.labels_, k) + slack


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(2, 4), weighted=st.booleans())
def test_disjoint_halves_of_two_given_partitions_are_found(seed: int, k: int, weighted: bool) -> None:
    # Each given partition is right on one side only; the pool holds a partition that is right on both.
    rng = np.random.default_rng(seed)
    n = 12
    X = rng.normal(scale=0.1, size=(n, 2)) + np.repeat([[0.0, 0.0], [100.0, 0.0]], n // 2, axis=0)
    w = rng.uniform(0.5, 2, n) if weighted else None
    left, right = rng.integers(0, k, (2, n // 2)), rng.integers(k, 2 * k, (2, n // 2))
    own = [np.concatenate([left[0], right[0]]), np.concatenate([left[1], right[1]])]
    model = Examce(2 * k, effort="paper", n_base_runs=1, bracket=0, init_partitions=own, random_state=0)
    model.fit(X, sample_weight=w)
    pool = columns_of(own[0]) | columns_of(own[1])
    assert model.inertia_ <= best_partition(X, np.ones(n) if w is None else w, pool, 2 * k) + 1e-9
