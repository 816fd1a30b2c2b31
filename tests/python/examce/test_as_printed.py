"""Effort "paper" and solver "lp" against a plain transcription of the paper, round by round."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from intarsia import Examce
from intarsia.base.registry import base_clusterer
from intarsia.examce.base_runs import bracket_of, spread_runs
from intarsia.examce.cover.problem import CountRange

N, K, N_RUNS, TAU = 48, 5, 7, 4


def points(seed):
    return np.random.default_rng(seed).normal(size=(N, 2))


def base_labels(X, seed):
    low, high = bracket_of(CountRange(K, K), 1, N)
    kmeans = base_clusterer("kmeans")
    return [
        kmeans.fit(X, int(c), seed=seed, task=run).labels
        for run, c in enumerate(spread_runs(N_RUNS, K, low, high))
    ]


def clusters(labels):
    return [frozenset(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels)]


def centre(X, members):
    return X[sorted(members)].mean(axis=0)


def cost(X, members):
    return float(((X[sorted(members)] - centre(X, members)) ** 2).sum())


def program(X, pool):
    holds = np.array([[i in column for column in pool] for i in range(N)], dtype=float)
    return np.array([cost(X, column) for column in pool]), holds


def exact_cover(X, pool):
    costs, holds = program(X, pool)
    limits = [LinearConstraint(holds, 1, np.inf), LinearConstraint(np.ones((1, len(pool))), K, K)]
    found = milp(costs, constraints=limits, integrality=np.ones(len(pool)), bounds=Bounds(0, 1))
    return [pool[j] for j in np.flatnonzero(found.x > 0.5)], found.fun


def without_duplicates(X, chosen):
    """In the order of points: a point stays where the centre is nearest, centres move with each removal."""
    left = [set(column) for column in chosen]
    for i in range(N):
        holders = [c for c, column in enumerate(left) if i in column]
        if len(holders) > 1:
            distances = [((X[i] - centre(X, left[c])) ** 2).sum() for c in holders]
            for c in holders:
                if c != holders[int(np.argmin(distances))]:
                    left[c].discard(i)
    labels = np.full(N, -1)
    for c, column in enumerate(left):
        labels[sorted(column)] = c
    centres = np.array([centre(X, column) for column in left])
    for i in np.flatnonzero(labels < 0):  # LPMCE leaves some uncovered
        labels[i] = ((X[i] - centres) ** 2).sum(axis=1).argmin()
    return labels


def hk_means(X, labels):
    """Lloyd to convergence, then single moves with the exact change of both centroids."""
    while True:
        centres = np.array([X[labels == c].mean(axis=0) for c in range(K)])
        nearest = ((X[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
    moved = True
    while moved:
        moved = False
        for i in range(N):
            sizes = np.bincount(labels, minlength=K)
            if sizes[labels[i]] == 1:
                continue
            distances = [((X[i] - X[labels == c].mean(axis=0)) ** 2).sum() for c in range(K)]
            joins = sizes / (sizes + 1) * distances
            gains = sizes[labels[i]] / (sizes[labels[i]] - 1) * distances[labels[i]] - joins
            gains[labels[i]] = -np.inf
            if gains.max() > 1e-11:
                labels[i], moved = int(gains.argmax()), True
    return labels


def expanded(X, labels):
    columns = []
    for members in clusters(labels):
        distances = ((X - centre(X, members)) ** 2).sum(axis=1)
        by_distance = np.argsort(distances, kind="stable").tolist()
        outside = [i for i in by_distance if i not in members]
        inside = [i for i in reversed(by_distance) if i in members]
        columns += [members | frozenset(outside[: t + 1]) for t in range(TAU)]
        columns += [members - frozenset(inside[: t + 1]) for t in range(min(TAU, len(members) - 1))]
    return columns


def pooled(*groups):
    return list(dict.fromkeys(column for group in groups for column in group))


def paper_loop(X, seed):
    """Steps 2.0 to 2.7, while the cost improves: what each round found, and the last partition."""
    runs = base_labels(X, seed)
    pool = pooled(*map(clusters, runs))
    best = min(sum(cost(X, c) for c in clusters(labels)) for labels in runs if len(clusters(labels)) == K)
    rounds, partition = [], None
    while True:
        chosen, cover_cost = exact_cover(X, pool)
        unique = without_duplicates(X, chosen)
        searched = hk_means(X, unique.copy())
        pool = pooled(pool, clusters(unique), clusters(searched), expanded(X, unique), expanded(X, searched))
        costs = [sum(cost(X, c) for c in clusters(labels)) for labels in (unique, searched)]
        rounds.append((len(pool), cover_cost, *costs))
        if not min(costs) < best * (1 - 1e-12):
            return rounds, best, partition
        best, partition = min(costs), set(clusters(searched))


def fitted(X, seed, solver="auto"):
    model = Examce(
        K,
        effort="paper",
        solver=solver,
        n_base_runs=N_RUNS,
        bracket=1,
        tau=TAU,
        random_state=seed,
        n_threads=1,
    )
    return model.fit(X)


# with seed 4 the order of the single moves, which the paper does not give, decides where they end
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6])
def test_every_round_is_the_papers(seed):
    X = points(seed)
    rounds, best, partition = paper_loop(X, seed)
    model = fitted(X, seed)
    ours = [
        (facts["columns"], facts["cost_cover"], facts["cost_duplicates"], facts["cost_search"])
        for facts in model.history_
    ]
    np.testing.assert_allclose(ours, rounds, rtol=1e-9)
    assert {facts["cover_status"] for facts in model.history_} == {"optimal"}
    assert model.inertia_ == pytest.approx(best)
    assert partition is None or set(clusters(model.labels_)) == partition


def test_some_of_these_cases_gain_in_several_rounds():
    assert max(len(paper_loop(points(seed), seed)[0]) for seed in range(6)) > 2


@pytest.mark.parametrize("seed", range(4))
def test_lpmce_takes_the_largest_values_of_the_relaxation(seed):
    X = points(seed)
    pool = pooled(*map(clusters, base_labels(X, seed)))
    costs, holds = program(X, pool)
    rows, one = np.ones((1, len(pool))), np.ones(N)
    found = linprog(costs, A_ub=-holds, b_ub=-one, A_eq=rows, b_eq=[K], bounds=(0, 1))
    first = fitted(X, seed, solver="lp").history_[0]
    assert first["pool_bound"] == pytest.approx(found.fun)
    values = np.sort(found.x)[::-1]
    if values[K - 1] < values[K] + 1e-9:
        pytest.skip("which of several equal values are the largest is anybody's choice")
    chosen = [pool[j] for j in np.argsort(-found.x)[:K]]
    unique = without_duplicates(X, chosen)
    after = [sum(cost(X, c) for c in clusters(labels)) for labels in (unique, hk_means(X, unique.copy()))]
    assert first["cost_cover"] == pytest.approx(sum(cost(X, column) for column in chosen))
    assert [first["cost_duplicates"], first["cost_search"]] == pytest.approx(after)
