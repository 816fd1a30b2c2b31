"""Structural entropy against its definition, written out over all pairs of points."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from intarsia import Examce
from intarsia._core import ColumnPool, Stage, StructuralEntropy
from intarsia.examce.checkpoint.files import CheckpointError
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.by_cost import ByCost
from intarsia.examce.criteria.entropy import Entropy
from intarsia.examce.criteria.protocol import BaseTask, Data, SizeLimits, Stream, SwapLimits
from intarsia.examce.settings import EFFORTS

pytestmark = [pytest.mark.kernels, pytest.mark.filterwarnings("ignore:criterion='entropy'")]

ALPHAS = (0.3, 0.9, 1.0, 2.0)
PLAIN: dict[str, Any] = {"scaling": "none", "metric": "euclidean"}


def data_of(X: np.ndarray, k: int, least: int = 1, most: int | None = None) -> Data:
    return Data(X, None, CountRange(k, k), SizeLimits(least, most or len(X)))


def nearest_table(X: np.ndarray, m: int, metric: str) -> np.ndarray:
    far = cdist(X, X, metric)
    np.fill_diagonal(far, -1.0)
    table = np.zeros((len(X), len(X)), dtype=bool)
    np.put_along_axis(table, np.argsort(far, axis=1, kind="stable")[:, :m], True, axis=1)
    return table


def plain_cost(table: np.ndarray, alpha: float, members: Any) -> float:
    p = table[:, list(members)].sum(axis=1) / table.sum(axis=1)
    if alpha == 1:
        return float(-np.mean(p * np.log(np.where(p > 0, p, 1.0))))
    return float(np.mean(p**alpha if alpha < 1 else p - p**alpha))


def total(table: np.ndarray, alpha: float, labels: np.ndarray) -> float:
    return sum(plain_cost(table, alpha, np.flatnonzero(labels == c)) for c in np.unique(labels))


def rules(X: np.ndarray, number: int) -> tuple[dict[str, Any], np.ndarray]:
    """A rule, and who is around whom by it."""
    n = len(X)
    if number == 0:
        m = 1 + n // 3
        return {"neighbours": m, **PLAIN}, nearest_table(X, m, "euclidean")
    if number == 1:
        radius = float(np.median(cdist(X, X))) + 0.1
        return {"radius": radius, **PLAIN}, cdist(X, X) <= radius
    boxes = np.where(X.std(axis=0) > 0, X / np.where(X.std(axis=0) > 0, X.std(axis=0), 1), 0.0)
    return {"bandwidth": 0.8}, cdist(boxes / 0.8, boxes / 0.8, "chebyshev") <= 1.0


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


def partitions(n: int, k: int) -> Iterator[np.ndarray]:
    def extend(labels: list[int]) -> Iterator[np.ndarray]:
        used = max(labels, default=-1) + 1
        if len(labels) == n:
            if used == k:
                yield np.array(labels, dtype=np.int32)
            return
        for c in range(min(used + 1, k)):
            yield from extend([*labels, c])

    return extend([])


def brute_force(table: np.ndarray, alpha: float, k: int, least: int) -> float:
    known: dict[bytes, float] = {}
    best = np.inf
    for labels in partitions(len(table), k):
        if np.bincount(labels).min() < least:
            continue
        masks = [(labels == c) for c in range(k)]
        for mask in masks:
            if mask.tobytes() not in known:
                known[mask.tobytes()] = plain_cost(table, alpha, np.flatnonzero(mask))
        best = min(best, sum(known[mask.tobytes()] for mask in masks))
    return best


def all_halves(n: int) -> list[np.ndarray]:
    """Partitions into two that together have every cluster there can be."""
    return [np.array([(code >> i) & 1 for i in range(n)]) for code in range(2 ** (n - 1))]


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 8),
    k=st.integers(1, 4),
    alpha=st.sampled_from(ALPHAS),
    solver=st.sampled_from(["auto", "highs"]),
    limited=st.booleans(),
)
def test_the_best_of_all_partitions(
    seed: int, n: int, k: int, alpha: float, solver: str, limited: bool
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    least = n // (2 * k) if limited and n >= 2 * k else 1
    model = Examce(
        k,
        criterion=Entropy(alpha, **asked),
        effort="paper",
        n_base_runs=2,
        solver=solver,
        min_size=least,
        init_partitions=all_halves(n),
        random_state=seed,
        n_threads=1,
    ).fit(X)
    assert np.bincount(model.labels_, minlength=k).min() >= least
    assert model.inertia_ == pytest.approx(total(table, alpha, model.labels_), rel=1e-12, abs=1e-12)
    assert model.inertia_ == pytest.approx(brute_force(table, alpha, k, least), rel=1e-9, abs=1e-9)


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], max_steps=4))


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("seed", range(8))
def test_its_own_search_finds_the_best_of_few_points(seed: int) -> None:
    n, k, alpha = 9, 3, ALPHAS[seed % 4]
    X = np.random.default_rng(seed).normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    criterion = Entropy(alpha, **asked, swap_clusters=True)
    model = Examce(k, criterion=criterion, min_size=2, random_state=seed, n_threads=1).fit(X)
    assert model.inertia_ == pytest.approx(brute_force(table, alpha, k, 2), rel=1e-9, abs=1e-9)
    assert model.inertia_ <= model.best_base_inertia_


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 9),
    k=st.integers(2, 4),
    base=st.sampled_from(["kmeans", "random"]),
)
def test_theorem_1(seed: int, n: int, k: int, base: str) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    asked, table = rules(X, seed % 3)
    own = [rng.integers(-1, k + 1, n) for _ in range(5)]
    model = Examce(
        k,
        criterion=Entropy(0.8, **asked),
        effort="paper",
        n_base_runs=2,
        base=base,
        min_size=1,
        init_partitions=own,
        random_state=seed,
        n_threads=1,
    ).fit(X)
    columns = {frozenset(np.flatnonzero(labels == c).tolist()) for labels in own for c in set(labels) - {-1}}
    costs = {c: plain_cost(table, 0.8, c) for c in columns}
    best = min(
        (
            sum(costs[c] for c in chosen)
            for chosen in combinations(costs, k)
            if sum(map(len, chosen)) == n and len(frozenset().union(*chosen)) == n
        ),
        default=np.inf,
    )
    assert model.inertia_ <= best + 1e-9
    assert model.inertia_ <= model.best_base_inertia_ + 1e-12


def test_theorem_1_where_a_column_loses_all_its_points_and_every_other_is_alone() -> None:
    # {0}, {1} and {0, 1} cover two points cheaply; any point that fills the third may cost more
    X = np.array([[0.0], [50.0], [100.0], [100.5], [101.0], [101.5], [102.0]])
    asked, table = {"radius": 3.0, **PLAIN}, cdist(X, X) <= 3.0
    own = [[0, 1, 2, 2, 2, 2, 2], [0, 0, -1, -1, -1, -1, -1], [-1, -1, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2, 2]]
    model = Examce(
        4,
        criterion=Entropy(**asked),
        effort="paper",
        n_base_runs=1,
        min_size=1,
        init_partitions=own,
        bracket=0,
        random_state=0,
        n_threads=1,
    ).fit(X)
    best = total(table, 0.9, np.array([0, 1, 2, 2, 3, 3, 3]))
    assert model.inertia_ <= best + 1e-9


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


X = np.random.default_rng(5).normal(size=(40, 2))


class Killed(BaseException):
    """Ends a fit as nothing else does."""


def model(
    criterion: Entropy, folder: Path | None = None, n_calls: int | None = None, **options: Any
) -> Examce:
    calls = iter(range(10**6 if n_calls is None else n_calls))

    def callback(*_: object) -> None:
        if next(calls, None) is None:
            raise Killed

    given = {"n_base_runs": 12, "random_state": 3, "n_threads": 1, **options}
    return Examce(
        4, criterion=criterion, checkpoint=folder, checkpoint_every=1e-9, callback=callback, **given
    )


def facts(fitted: Examce) -> tuple[Any, ...]:
    course = [{n: v for n, v in entry.items() if n != "seconds"} for entry in fitted.history_]
    return fitted.labels_.tobytes(), fitted.inertia_, fitted.pool_bound_, fitted.n_columns_, course


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("alpha", [0.9, 1.0])
def test_killed_and_resumed_gives_the_same_bits(tmp_path: Path, alpha: float) -> None:
    whole = facts(model(Entropy(alpha), n_threads=2).fit(X))
    for n_calls in (9, 13):
        folder = tmp_path / str(n_calls)
        with contextlib.suppress(Killed):
            model(Entropy(alpha), folder, n_calls).fit(X)
        assert facts(model(Entropy(alpha), folder, resume=True).fit(X)) == whole


def test_a_checkpoint_knows_its_parameters(tmp_path: Path) -> None:
    with contextlib.suppress(Killed):
        model(Entropy(), tmp_path, 3).fit(X)
    with pytest.raises(CheckpointError, match=r" neighbours=None, not 7; give"):
        model(Entropy(neighbours=7), tmp_path, resume=True).fit(X)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"alpha": 0}, r"alpha=0 should be > 0"),
        ({"alpha": float("nan")}, r"alpha=nan should be > 0"),
        ({"alpha": "0.9"}, r"alpha='0.9' should be a number"),
        ({"radius": 0.0}, r"radius=0.0 should be > 0"),
        ({"radius": -1}, r"radius=-1 should be > 0"),
        ({"bandwidth": 0}, r"bandwidth=0 should be > 0"),
        ({"neighbours": 0}, r"neighbours=0 should be"),
        ({"neighbours": 2.5}, r"neighbours=2.5 should be"),
        ({"neighbours": 41}, r"neighbours=41 should be <= n_samples=40"),
        ({"neighbours": 4, "radius": 1.0}, r"neighbours=4 and radius=1.0 should not both be given"),
        ({"scaling": "max"}, r"scaling='max' should be one of"),
        ({"metric": "cosine"}, r"metric='cosine' should be one of"),
        ({"swap_clusters": 1}, r"swap_clusters=1 should be True or False"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said) as caught:
        Examce(3, criterion=Entropy(**parameters)).fit(X)
    assert "\n" not in str(caught.value)


def test_weights_and_ranges_are_refused() -> None:
    with pytest.raises(ValueError, match="takes no sample_weight"):
        Examce(3, criterion="entropy").fit(X, sample_weight=np.arange(1.0, 41.0))
    with pytest.raises(ValueError, match="should be one number"):
        Examce((2, 4), criterion="entropy").fit(X)


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intarsia.examce.criteria.neighbourhoods.MOST_PAIRS", 500)
    with pytest.raises(
        ValueError, match="neighbours=20 of each of 40 points are too many; give neighbours=12"
    ):
        Examce(1, criterion="entropy").fit(X)
    with pytest.raises(ValueError, match=r"radius=9.0 puts more than 500 pairs"):
        Examce(2, criterion=Entropy(radius=9.0)).fit(X)


SHORT: dict[str, Any] = {"effort": "paper", "n_base_runs": 3, "random_state": 0, "n_threads": 1}


@pytest.mark.filterwarnings("default:criterion='entropy'")
class TestWarnings:
    def test_neighbourhoods_of_one(self) -> None:
        with pytest.warns(UserWarning, match="40 of 40 points have nobody around them but themselves"):
            Examce(3, criterion=Entropy(neighbours=1), **SHORT).fit(X)

    def test_neighbourhoods_of_all(self) -> None:
        with pytest.warns(UserWarning, match="40 of 40 points have all points around them"):
            Examce(3, criterion=Entropy(radius=9.0), **SHORT).fit(X)

    def test_the_default_least_size_binds(self) -> None:
        far = np.vstack([X, [[40.0, 40.0]]])  # one point alone would be a cluster at no cost
        with pytest.warns(
            UserWarning, match=r"min_size=8, the default of 0.4 n / k, binds; min_size=1 lifts it"
        ):
            fitted = Examce(2, criterion=Entropy(neighbours=12), **SHORT).fit(far)
        assert np.bincount(fitted.labels_).min() >= 8

    def test_the_entropy_is_tied(self) -> None:
        apart = np.repeat(np.arange(6.0), 5)[:, None] * 100 + np.tile(np.arange(5.0), 6)[:, None]
        with pytest.warns(UserWarning, match="other groupings of their parts have the same entropy"):
            Examce(3, criterion=Entropy(neighbours=3), **SHORT).fit(apart)

    def test_none_where_all_is_well(self, recwarn: pytest.WarningsRecorder) -> None:
        apart = np.repeat(np.arange(3.0), 12)[:, None] * 100 + np.tile(np.arange(12.0), 3)[:, None]
        fitted = Examce(3, criterion="entropy", **SHORT).fit(apart)
        assert fitted.entropy_ == pytest.approx(0.0, abs=1e-12)
        assert [str(w.message) for w in recwarn] == []


def test_the_default_least_size_gives_way_to_what_is_asked() -> None:
    for asked, least in (({}, 5), ({"min_size": 1}, 1), ({"max_size": 20}, 5), ({"max_size": 14}, 5)):
        fitted = Examce(3, criterion="entropy", **SHORT, **asked).fit(X)
        assert np.bincount(fitted.labels_).min() >= least
        assert np.bincount(fitted.labels_).max() <= asked.get("max_size", 40)
    with pytest.raises(ValueError, match="should be"):
        Examce(3, criterion="entropy", min_size=14, **SHORT).fit(X)


@pytest.mark.parametrize(
    "points", [np.zeros((12, 2)), np.arange(12.0)[:, None], np.eye(12)], ids=["equal", "line", "axes"]
)
@pytest.mark.parametrize("k", [1, 3, 12])
def test_equal_points_lines_and_as_many_clusters_as_points(points: np.ndarray, k: int) -> None:
    fitted = Examce(k, criterion="entropy", **SHORT).fit(points)
    assert len(np.unique(fitted.labels_)) == k


def test_it_travels() -> None:
    part = Entropy(0.7, neighbours=6).on(data_of(X, 4, 2))
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
