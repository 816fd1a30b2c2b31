"""J-means and VNS: jumps against brute force, whole runs never worse than HK-means from the same start."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intarsia import VNS, HKMeans, JMeans, _core

pytestmark = pytest.mark.kernels


def cost(X: np.ndarray, w: np.ndarray, centres: np.ndarray) -> float:
    return float((w * ((X[:, None] - centres) ** 2).sum(axis=2).min(axis=1)).sum())


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 14), k=st.integers(1, 6), weighted=st.booleans())
def test_the_best_jump_is_the_best_of_all(seed: int, n: int, k: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 2)).astype(float) if seed % 2 else rng.normal(size=(n, 2))
    w = rng.uniform(0.5, 2, n) if weighted else None
    plain = np.ones(n) if w is None else w
    centres = np.ascontiguousarray(rng.normal(size=(k, 2)))
    point, centre, change = _core.best_jump(X, w, centres, 1)
    if k == 1:
        assert point == -1
        return
    before, changes = cost(X, plain, centres), []
    for i in range(n):
        for c in range(k):
            moved = centres.copy()
            moved[c] = X[i]
            changes.append(cost(X, plain, moved) - before)
    assert change == pytest.approx(min(changes), rel=1e-9, abs=1e-9)
    moved = centres.copy()
    moved[centre] = X[point]
    assert cost(X, plain, moved) - before == pytest.approx(change, rel=1e-9, abs=1e-9)


def test_where_all_points_lie_on_centres_there_is_no_jump() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert _core.best_jump(X, None, X.copy(), 1)[0] == -1


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_jumps_are_the_same_for_any_threads(threads: int) -> None:
    X = np.random.default_rng(0).normal(size=(1200, 3))
    centres = X[:40].copy() + 0.01
    assert _core.best_jump(X, None, centres, threads) == _core.best_jump(X, None, centres, 1)


@pytest.mark.parametrize("method", [JMeans, VNS])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_no_worse_than_hk_means_from_the_same_start(method: type, seed: int) -> None:
    X = np.random.default_rng(seed).uniform(size=(300, 2))
    options = {"n_swaps": 50} if method is VNS else {}
    found = method(20, random_state=seed, **options).fit(X)
    plain = HKMeans(20, random_state=seed).fit(X)
    assert found.inertia_ <= plain.inertia_ * (1 + 1e-12)
    assert len(np.unique(found.labels_)) == 20
    again = method(20, random_state=seed, n_threads=2, **options).fit(X)
    assert again.labels_.tobytes() == found.labels_.tobytes()


def test_no_jump_and_hk_means_is_left_after_j_means() -> None:
    X = np.random.default_rng(5).uniform(size=(200, 2))
    found = JMeans(12, random_state=0).fit(X)
    point, centre, _ = _core.best_jump(X, None, found.cluster_centers_, 1)
    moved = found.cluster_centers_.copy()
    moved[centre] = X[point]
    assert HKMeans(12, init=moved).fit(X).inertia_ >= found.inertia_ * (1 - 1e-9)
