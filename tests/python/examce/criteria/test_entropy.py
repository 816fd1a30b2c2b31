"""Structural entropy and each step of its search, against its definition."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intarsia import Examce
from intarsia._core import ColumnPool, Stage, StructuralEntropy
from intarsia.examce.criteria.by_cost import ByCost
from intarsia.examce.criteria.entropy import Entropy
from intarsia.examce.criteria.protocol import BaseTask, Stream, SwapLimits

from .plain_entropy import ALPHAS, data_of, nearest_table, plain_cost, rules, total

pytestmark = [pytest.mark.kernels, pytest.mark.filterwarnings("ignore:criterion='entropy'")]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 14),
    d=st.integers(1, 12),
    alpha=st.sampled_from(ALPHAS),
    number=st.integers(0, 2),
)
def test_costs_are_those_of_the_definition(seed: int, n: int, d: int, alpha: float, number: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, d)).astype(float) if seed % 2 else rng.normal(size=(n, d))
    asked, table = rules(X, number)
    k = int(rng.integers(1, n + 1))
    part = Entropy(alpha, **asked).on(data_of(X, k))
    labels = np.unique(rng.integers(0, k, n), return_inverse=True)[1].astype(np.int32)
    pool = ColumnPool(n)
    ids = part.add_clusters(pool, labels, 0)
    costs = part.costs_of(labels)
    for c, (column, cost) in enumerate(zip(ids, costs, strict=True)):
        members = np.flatnonzero(labels == c)
        assert cost == pytest.approx(plain_cost(table, alpha, members), rel=1e-12, abs=1e-14)
        assert cost == part.cost(members) == pool.costs[column]
    assert part.partition(labels).cost == pytest.approx(total(table, alpha, labels), rel=1e-12, abs=1e-14)


def test_by_default_the_nearest_by_differences_of_scaled_features() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * [1, 10, 0.1, 0] + [0, 5, 0, 3]
    unit = np.where(np.ptp(X, axis=0) > 0, (X - X.min(axis=0)) / np.maximum(np.ptp(X, axis=0), 1e-300), 0.0)
    table = nearest_table(unit, 60 // (2 * 3), "cityblock")
    part = Entropy().on(data_of(X, 3))
    members = np.arange(0, 60, 4)
    assert part.cost(members) == pytest.approx(plain_cost(table, 0.9, members), rel=1e-12)
    standard = Entropy(scaling="standard").on(data_of(X, 3))
    spread = np.delete((X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1), 3, axis=1)
    expected = plain_cost(nearest_table(spread, 10, "cityblock"), 0.9, members)
    assert standard.cost(members) == pytest.approx(expected, rel=1e-12)


def test_the_entropy_is_none_where_all_neighbours_are_of_one_cluster() -> None:
    X = np.repeat([[0.0], [5.0], [9.0]], 6, axis=0) + np.tile(np.arange(6) / 20, 3)[:, None]
    for alpha in ALPHAS:
        model = Examce(3, criterion=Entropy(alpha), random_state=0, n_threads=1).fit(X)
        assert model.entropy_ == pytest.approx(0.0, abs=1e-12)
        assert model.inertia_ == pytest.approx(1.0 if alpha < 1 else 0.0)
        assert len({frozenset(model.labels_[i : i + 6]) for i in (0, 6, 12)}) == 3
        assert not hasattr(model, "cluster_centers_")
        assert not hasattr(model, "predict")


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("seed", range(6))
def test_no_single_move_is_left(alpha: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k, least, most = 18, 3, 1 + 2 * (seed % 2), 18 - 5 * (seed % 3)
    X = rng.normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    part = Entropy(alpha, **asked).on(data_of(X, k, least, most))
    start = (np.arange(n) % k).astype(np.int32)
    found = part.local_search(start)
    reached = total(table, alpha, found)
    assert reached <= total(table, alpha, start) + 1e-12
    assert part.partition(found).cost == pytest.approx(reached, rel=1e-12)
    for i in range(n):
        for c in range(k):
            moved = found.copy()
            moved[i] = c
            sizes = np.bincount(moved, minlength=k)
            if sizes.min() >= least and sizes.max() <= most:
                assert total(table, alpha, moved) >= reached - 1e-11


def overlapping(rng: np.random.Generator, part: Entropy, k: int) -> tuple[ColumnPool, np.ndarray]:
    n = len(part.data.X)
    held = rng.random((k, n)) < 0.4
    held[np.arange(n) % k, np.arange(n)] = True
    pool = ColumnPool(n)
    columns = [np.flatnonzero(row) for row in held]
    ids = [pool.add(c.astype(np.int32), part.cost(c))[0] for c in columns]
    return pool, np.unique(ids)


@pytest.mark.parametrize("seed", range(20))
def test_overlapping_columns_become_a_partition_as_by_costs_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 12, 4
    X = rng.normal(size=(n, 2))
    asked, _ = rules(X, seed % 3)
    part = Entropy(ALPHAS[seed % 4], **asked).on(data_of(X, k))
    pool, ids = overlapping(rng, part, k)
    labels = part.remove_duplicates(pool, ids)
    assert (np.bincount(labels, minlength=len(ids)) > 0).all()
    plain = ByCost.remove_duplicates(part, pool, ids)
    assert part.partition(labels).cost == pytest.approx(part.partition(plain).cost, abs=1e-12)
    if part.monotone:
        assert part.partition(labels).cost <= pool.costs[ids].sum() + 1e-12
    left_out = part.remove_duplicates(pool, ids[:2])
    assert left_out.max() == 1
    assert (left_out >= 0).all()


def test_an_emptied_column_takes_back_a_point_of_its_own() -> None:
    X = np.array([[0.0], [0.0], [10.0], [10.1], [10.2]])
    part, pool = Entropy(neighbours=2).on(data_of(X, 3)), ColumnPool(5)
    columns = [[0, 1], [2, 3, 4], [0, 1, 2, 3, 4]]
    ids = np.array([pool.add(np.array(c, dtype=np.int32), part.cost(np.array(c)))[0] for c in columns])
    labels = part.remove_duplicates(pool, ids)
    assert (np.bincount(labels, minlength=3) > 0).all()
    assert part.partition(labels).cost <= pool.costs[ids].sum()


@pytest.mark.parametrize("seed", range(6))
def test_expansion_adds_the_cheapest_and_drops_the_dearest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, tau = 14, 3
    X = rng.normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    part, pool = Entropy(0.7, **asked).on(data_of(X, 3, 1, 8)), ColumnPool(n)
    labels = rng.permutation(np.arange(n) % 3).astype(np.int32)
    part.expand(pool, labels, tau, 0)
    found = [frozenset(c.tolist()) for c in np.split(pool.members, pool.offsets[1:-1])]
    assert len(found) == len(set(found)) <= 3 * (2 * tau + 1)
    assert max(map(len, found)) == 8
    for c in range(3):
        members = frozenset(np.flatnonzero(labels == c).tolist())
        cost = plain_cost(table, 0.7, members)
        joins = sorted(plain_cost(table, 0.7, members | {j}) - cost for j in set(range(n)) - members)
        leaves = sorted((cost - plain_cost(table, 0.7, members - {j}) for j in members), reverse=True)
        assert members in found
        for step in range(1, tau + 1):
            (grown,) = [f for f in found if members < f and len(f) == len(members) + step]
            (shrunk,) = [f for f in found if f < members and len(f) == len(members) - step]
            added = sorted(plain_cost(table, 0.7, members | {j}) - cost for j in grown - members)
            dropped = sorted(
                (cost - plain_cost(table, 0.7, members - {j}) for j in members - shrunk), reverse=True
            )
            assert added == pytest.approx(joins[:step], abs=1e-12)
            assert dropped == pytest.approx(leaves[:step], abs=1e-12)
    for column, cost in zip(np.split(pool.members, pool.offsets[1:-1]), pool.costs, strict=True):
        assert cost == part.cost(column)


@pytest.mark.parametrize("base", ["kmeans", "random"])
def test_base_runs_have_their_number_of_clusters_even_of_equal_points(base: str) -> None:
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    part = Entropy().on(data_of(X, 3, 2))
    for run, k in enumerate((1, 2, 5, 7)):
        labels = part.base_run(BaseTask(run, k), base, "random", 0)
        assert labels.max() == k - 1
        assert np.bincount(labels, minlength=k).min() >= (2 if k <= 5 else 1)


def test_swaps_repeat_stay_within_the_limits_and_cost_no_more() -> None:
    X = np.random.default_rng(1).normal(size=(60, 2))
    part = Entropy(swap_clusters=True).on(data_of(X, 5, 6, 20))
    start = (np.arange(60) % 5).astype(np.int32)
    runs = [part.swap_search(start, SwapLimits(30), Stream(7, Stage.SEARCH, 2, 1)) for _ in range(2)]
    other = part.swap_search(start, SwapLimits(30), Stream(7, Stage.SEARCH, 2, 2))
    assert runs[0].labels.tobytes() == runs[1].labels.tobytes()
    assert runs[0].columns.members.tobytes() == runs[1].columns.members.tobytes()
    assert runs[0].columns.members.tobytes() != other.columns.members.tobytes()
    assert part.partition(runs[0].labels).cost <= runs[0].start_cost + 1e-12
    alone = Entropy().on(part.data).swap_search(start, SwapLimits(30), Stream(7, Stage.SEARCH, 2, 1))
    assert alone.labels.tobytes() == part.local_search(start).tobytes()
    assert len(alone.columns) == 0
    assert runs[0].start_cost <= part.partition(start).cost + 1e-12
    for columns in (runs[0].columns, other.columns):
        sizes = np.diff(columns.offsets)
        assert sizes.min() >= 6
        assert sizes.max() <= 20
        for column, cost in zip(np.split(columns.members, columns.offsets[1:-1]), columns.costs, strict=True):
            assert cost == part.cost(column)


@pytest.mark.parametrize(("least", "most"), [(1, 60), (8, 60), (1, 13), (12, 12)])
def test_sizes_are_kept_from_any_partition(least: int, most: int) -> None:
    X = np.random.default_rng(2).normal(size=(60, 2))
    part = Entropy().on(data_of(X, 5, least, most))
    uneven = np.zeros(60, dtype=np.int32)
    uneven[[3, 9, 20, 33]] = [1, 2, 3, 4]
    for labels in (
        part.within_sizes(uneven),
        part.local_search(uneven),
        part.search_within_sizes(uneven, lambda: False),
    ):
        sizes = np.bincount(labels, minlength=5)
        assert sizes.min() >= least
        assert sizes.max() <= most


def test_it_travels() -> None:
    points = np.random.default_rng(5).normal(size=(40, 2))
    part = Entropy(0.7, neighbours=6).on(data_of(points, 4, 2))
    again = pickle.loads(pickle.dumps(part))
    labels = (np.arange(40) % 4).astype(np.int32)
    assert again.local_search(labels).tobytes() == part.local_search(labels).tobytes()
    assert again.partition(labels).cost == part.partition(labels).cost


def test_neighbourhoods_that_do_not_fit_are_refused() -> None:
    ids = np.array([0, 1], dtype=np.int32)
    for offsets, rows in (
        ([0, 1], ids),
        ([0, 1, 2], ids[::-1].copy()),
        ([0, 2, 2], ids),
        ([0, 1, 2], ids + 1),
    ):
        with pytest.raises(ValueError, match="neighbourhood"):
            StructuralEntropy(np.array(offsets, dtype=np.int64), rows, 0.9)
