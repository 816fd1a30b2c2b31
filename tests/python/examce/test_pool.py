"""The pool against Python sets; its kernels against slow NumPy oracles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from intarsia import _core
from intarsia._core import ColumnPool

pytestmark = pytest.mark.kernels


def column(pool: _core.ColumnPool, j: int) -> frozenset[int]:
    return frozenset(pool.members[pool.offsets[j] : pool.offsets[j + 1]].tolist())


def columns(pool: _core.ColumnPool) -> list[frozenset[int]]:
    return [column(pool, j) for j in range(len(pool))]


def sse(x: np.ndarray, w: np.ndarray, members: list[int]) -> float:
    if not members:
        return 0.0
    centre = np.average(x[members], axis=0, weights=w[members])
    return float((w[members] * ((x[members] - centre) ** 2).sum(axis=1)).sum())


def random_case(seed: int, n: int, k: int, weighted: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)]).astype(np.int32)
    weights = rng.uniform(0.5, 3.0, n) if weighted else np.ones(n)
    return x, rng.permutation(labels), weights


@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=30))
def test_partitions_are_deduplicated_like_sets(partitions: list[list[int]]) -> None:
    pool = _core.ColumnPool(6)
    seen: list[frozenset[int]] = []
    for run, labels in enumerate(partitions):
        ids = _core.add_clusters(pool, np.zeros((6, 1)), None, np.array(labels, dtype=np.int32), 4, run)
        for c in range(4):
            members = frozenset(i for i in range(6) if labels[i] == c)
            if members and members not in seen:
                seen.append(members)
            assert ids[c] == (seen.index(members) if members else -1)
    assert columns(pool) == seen


def test_arrays_are_snapshots_that_outlive_growth_pruning_and_the_pool() -> None:
    pool = _core.ColumnPool(500)
    pool.add(np.array([1, 4], dtype=np.int32), 2.0)
    members, costs = pool.members, pool.costs
    for i in range(400):
        pool.add(np.array([i], dtype=np.int32), 1.0)
    pool.prune(np.zeros(len(pool), dtype=np.bool_))
    del pool
    assert members.tolist() == [1, 4]
    assert costs.tolist() == [2.0]
    with pytest.raises(ValueError, match="read-only"):
        members[0] = 3


def test_a_copy_and_its_original_grow_apart() -> None:
    pool = _core.ColumnPool(9)
    pool.add(np.array([1, 4], dtype=np.int32), 2.0, 1)
    copy = pool.copy()
    assert np.shares_memory(copy.members, pool.members)
    pool.add(np.array([5], dtype=np.int32), 3.0, 2)
    second = pool.copy()
    copy.add(np.array([6, 7], dtype=np.int32), 4.0, 3)
    pool.add(np.array([8], dtype=np.int32), 5.0, 4)
    assert columns(copy) == [{1, 4}, {6, 7}]
    assert columns(second) == [{1, 4}, {5}]
    assert columns(pool) == [{1, 4}, {5}, {8}]
    assert (copy.costs.tolist(), copy.origins.tolist()) == ([2.0, 4.0], [1, 3])
    assert (copy.find(np.array([5], dtype=np.int32)), pool.find(np.array([5], dtype=np.int32))) == (-1, 1)


def test_subset_and_prune_keep_order() -> None:
    pool = _core.ColumnPool(5)
    for i in range(5):
        pool.add(np.array([i], dtype=np.int32), float(i), i)
    assert columns(pool.subset(np.array([3, 1]))) == [{3}, {1}]
    pool.prune(np.array([True, False, True, False, True]))
    assert pool.costs.tolist() == [0.0, 2.0, 4.0]
    assert pool.origins.tolist() == [0, 2, 4]
    with pytest.raises(ValueError, match="should be in"):
        pool.subset(np.array([3]))


@pytest.mark.parametrize("weighted", [False, True])
def test_cluster_costs_match_numpy(weighted: bool) -> None:
    x, labels, weights = random_case(0, 40, 5, weighted)
    given_weights = weights if weighted else None
    pool = _core.ColumnPool(40)
    ids = _core.add_clusters(pool, x, given_weights, labels, 5, 0)
    for c, j in enumerate(ids):
        members = np.flatnonzero(labels == c).astype(np.int32)
        assert pool.costs[j] == pytest.approx(sse(x, weights, members.tolist()), rel=1e-12)


def test_clusters_out_of_bounds_stay_out() -> None:
    x, labels, _ = random_case(1, 20, 3, False)
    labels[:] = np.repeat([0, 1, 2], [2, 8, 10])
    pool = _core.ColumnPool(20)
    assert _core.add_clusters(pool, x, None, labels, 3, 0, min_size=3, max_size=9).tolist() == [-1, 0, -1]


def pick(values: dict[int, float]) -> int:
    """Key of the least value, ties to the lower key; examples that rounding alone decides are skipped."""
    best = min(values, key=lambda key: (values[key], key))
    others = [v for key, v in values.items() if key != best]
    assume(all(v > values[best] + 1e-9 for v in others))
    return best


def slow_duplicates(chosen: list[list[int]], x: np.ndarray, w: np.ndarray) -> list[int]:
    """Step 3 with every centre recomputed from scratch."""
    held = [set(c) for c in chosen]
    n = len(x)

    def distance(i: int, c: int) -> float:
        members = sorted(held[c])
        return (
            float(((x[i] - np.average(x[members], axis=0, weights=w[members])) ** 2).sum())
            if members
            else np.inf
        )

    for i in range(n):
        where = [c for c in range(len(held)) if i in held[c]]
        if len(where) > 1:
            stay = pick({c: distance(i, c) for c in where})
            for c in where:
                if c != stay:
                    held[c].discard(i)
    uncovered = [i for i in range(n) if not any(i in h for h in held)]
    target = {i: pick({c: distance(i, c) for c in range(len(held))}) for i in uncovered}
    for i, c in target.items():
        held[c].add(i)
    for c in range(len(held)):
        if not held[c]:
            owner = {i: o for o, h in enumerate(held) if len(h) > 1 for i in h}
            dearest = pick({i: -w[i] * distance(i, o) for i, o in owner.items()})
            held[owner[dearest]].discard(dearest)
            held[c].add(dearest)
    return [next(c for c in range(len(held)) if i in held[c]) for i in range(n)]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 14), st.integers(1, 4), st.booleans())
def test_duplicates_match_the_slow_oracle(seed: int, n: int, k: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    x, weights = rng.normal(size=(n, 2)), rng.uniform(0.5, 2.0, n)
    weights = weights if weighted else np.ones(n)
    pool = _core.ColumnPool(n)
    while len(pool) < k:
        members = np.flatnonzero(rng.random(n) < rng.choice([0.2, 0.6])).astype(np.int32)
        if len(members):
            pool.add(members, 0.0)
    labels = _core.remove_duplicates(pool, np.arange(k), x, weights if weighted else None)
    assert labels.tolist() == slow_duplicates([sorted(c) for c in columns(pool)], x, weights)
    assert len(set(labels.tolist())) == k


def slow_expansion(
    x: np.ndarray, w: np.ndarray, labels: np.ndarray, k: int, tau: int, low: int, high: int
) -> set[frozenset[int]]:
    found: set[frozenset[int]] = set()
    for c in range(k):
        members = np.flatnonzero(labels == c).tolist()
        centre = np.average(x[members], axis=0, weights=w[members])
        distance = ((x - centre) ** 2).sum(axis=1)
        outside = sorted((i for i in range(len(x)) if i not in members), key=lambda i: (distance[i], i))
        farthest = sorted(members, key=lambda i: (-distance[i], i))
        for t in range(tau + 1):
            found.add(frozenset(members + outside[:t]))
            found.add(frozenset(members) - frozenset(farthest[:t]))
    return {f for f in found if f and low <= len(f) <= high}


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(5, 25), st.integers(1, 4), st.integers(0, 6), st.booleans())
def test_expansion_matches_the_slow_oracle(seed: int, n: int, k: int, tau: int, weighted: bool) -> None:
    x, labels, weights = random_case(seed, n, k, weighted)
    low, high = 1 + seed % 3, n - seed % 4
    pool = _core.ColumnPool(n)
    given_weights = weights if weighted else None
    n_new = _core.expand_partition(pool, x, given_weights, labels, k, tau, 3, low, high)
    assert set(columns(pool)) == slow_expansion(x, weights, labels, k, tau, low, high)
    assert n_new == len(pool)
    for j in range(len(pool)):
        assert pool.costs[j] == pytest.approx(sse(x, weights, sorted(column(pool, j))), rel=1e-9, abs=1e-12)


def test_bad_arguments_are_named() -> None:
    pool = _core.ColumnPool(3)
    x = np.zeros((2, 1))
    with pytest.raises(ValueError, match="X has 2 rows, expected 3"):
        _core.add_clusters(pool, x, None, np.zeros(3, dtype=np.int32), 1, 0)
    with pytest.raises(ValueError, match="label 5 should be in"):
        _core.add_clusters(pool, np.zeros((3, 1)), None, np.array([0, 5, 0], dtype=np.int32), 2, 0)
    with pytest.raises(ValueError, match="strictly ascending"):
        pool.add(np.array([1, 0], dtype=np.int32), 1.0)


def test_from_columns_gives_the_same_pool() -> None:
    pool = ColumnPool(6)
    for members, cost, origin in ([0, 3], 1.5, 4), ([1, 2, 5], 2.5, 7), ([4], 0.0, 1):
        pool.add(np.array(members, dtype=np.int32), cost, origin)
    same = ColumnPool(6, pool.offsets, pool.members, pool.costs, pool.origins)
    for name in ("offsets", "members", "costs", "origins"):
        np.testing.assert_array_equal(getattr(same, name), getattr(pool, name))
    assert same.find(np.array([1, 2, 5], dtype=np.int32)) == 1


@pytest.mark.parametrize(
    ("offsets", "members", "n_costs"),
    [([0, 1], [0, 1], 1), ([0, 2], [1, 0], 1), ([0, 1], [9], 1), ([0, 1, 2], [3, 3], 2), ([1, 2], [0, 1], 1),
     ([0, 1], [0], 2), ([], [], 0), ([0, 2, 1, 2], [0, 1], 3)],
)  # fmt: skip
def test_from_columns_refuses_what_is_no_pool(offsets: list[int], members: list[int], n_costs: int) -> None:
    with pytest.raises(ValueError, match=r"column|members"):
        ColumnPool(
            6,
            np.array(offsets, dtype=np.int64),
            np.array(members, dtype=np.int32),
            np.zeros(n_costs),
            np.zeros(n_costs, dtype=np.int32),
        )
