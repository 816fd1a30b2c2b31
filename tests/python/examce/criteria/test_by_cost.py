"""Criteria known by their cost alone: negative costs and a free number of clusters against brute force."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from intarsia import Examce
from intarsia._core import ColumnPool, Stage
from intarsia.examce.checkpoint.files import CheckpointError
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.by_cost import ByCost, KnownCosts, clusters_of
from intarsia.examce.criteria.protocol import BaseTask, Data, SizeLimits, Stream, SwapLimits
from intarsia.examce.search.contest import Evidence
from intarsia.examce.settings import EFFORTS

Pair = tuple[int, int]
SHORT: dict[str, Any] = {"max_steps": 3}
MANY = 20  # steps of the search


@dataclass(frozen=True)
class Pairs(ByCost):
    """Clique partitioning: pairs nearer than `near` are worth being together. Any sign, not monotone."""

    near: float = 1.0

    name = "pairs"

    def cost(self, members: np.ndarray) -> float:
        return float((pdist(self.data.X[members]) - self.near).sum())


@dataclass(frozen=True)
class Width(ByCost):
    """The diameter and a price, which may be a reward. Monotone, and no point costs more than a cluster."""

    price: float = -1.0

    name = "width"
    monotone = True

    def cost(self, members: np.ndarray) -> float:
        return float(pdist(self.data.X[members]).max(initial=0.0)) + self.price


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], **SHORT))


def partitions(n: int) -> Iterator[np.ndarray]:
    """All of them, each once."""

    def extend(labels: list[int]) -> Iterator[np.ndarray]:
        if len(labels) == n:
            yield np.array(labels, dtype=np.int32)
            return
        for c in range(max(labels, default=-1) + 2):
            yield from extend([*labels, c])

    return extend([])


def total(criterion: ByCost, X: np.ndarray, labels: np.ndarray) -> float:
    """The cost, straight from the definition."""
    plain = criterion.on(data_of(X))
    return sum(plain.cost(np.flatnonzero(labels == c)) for c in np.unique(labels))


def data_of(X: np.ndarray, counts: Pair | None = None, sizes: Pair | None = None) -> Data:
    return Data(X, None, CountRange(*(counts or (1, len(X)))), SizeLimits(*(sizes or (1, len(X)))))


def brute_force(criterion: ByCost, X: np.ndarray, counts: tuple[int, int], sizes: tuple[int, int]) -> float:
    plain, known = criterion.on(data_of(X)), {}
    best = np.inf
    for labels in partitions(len(X)):
        clusters = [tuple(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
        if not counts[0] <= len(clusters) <= counts[1]:
            continue
        if any(not sizes[0] <= len(c) <= sizes[1] for c in clusters):
            continue
        for cluster in clusters:
            if cluster not in known:
                known[cluster] = plain.cost(np.array(cluster))
        best = min(best, sum(known[c] for c in clusters))
    return best


def all_halves(n: int) -> list[np.ndarray]:
    """Partitions into two that together have every cluster there can be."""
    return [np.array([(code >> i) & 1 for i in range(n)]) for code in range(2 ** (n - 1))]


def criteria(seed: int) -> ByCost:
    size = np.random.default_rng(seed).uniform(0.2, 2.0)
    return [Pairs(size), Width(-size), Width(size)][seed % 3]


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 7),
    least=st.integers(1, 4),
    width=st.integers(0, 4),
    solver=st.sampled_from(["auto", "highs"]),
    limited=st.booleans(),
)
def test_the_best_of_all_partitions(
    seed: int, n: int, least: int, width: int, solver: str, limited: bool
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    criterion = criteria(seed)
    counts = (least, min(n, least + width))
    sizes = (n // (2 * least) or 1, n - least // 2) if limited else (1, n)
    expected = brute_force(criterion, X, counts, sizes)
    model = Examce(
        counts,
        criterion=criterion,
        effort="paper",
        n_base_runs=2,
        solver=solver,
        min_size=sizes[0],
        max_size=sizes[1],
        init_partitions=all_halves(n),
        random_state=seed,
        n_threads=1,
    ).fit(X)
    found = np.bincount(model.labels_)
    assert counts[0] <= len(found) <= counts[1]
    assert found.min() >= sizes[0]
    assert found.max() <= sizes[1]
    assert model.inertia_ == pytest.approx(total(criterion, X, model.labels_), rel=1e-12, abs=1e-12)
    assert model.inertia_ == pytest.approx(expected, rel=1e-9, abs=1e-9)
    if not (criterion.monotone and sizes != (1, n)):  # overlapping columns may cost less than any partition
        assert model.pool_bound_ <= expected + 1e-8


@dataclass(frozen=True)
class StillPairs(Pairs):
    """No move improves a partition: what the cover did not find nothing else will."""

    def local_search(self, labels: np.ndarray) -> np.ndarray:
        return labels


@dataclass(frozen=True)
class StillWidth(Width):
    """The same of a monotone criterion."""

    def local_search(self, labels: np.ndarray) -> np.ndarray:
        return labels


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 7),
    least=st.integers(1, 3),
    width=st.integers(0, 4),
    solver=st.sampled_from(["auto", "highs"]),
    equality=st.booleans(),
)
def test_the_cover_alone_finds_the_best_of_all_clusters(
    seed: int, n: int, least: int, width: int, solver: str, equality: bool
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, 2))
    size = np.random.default_rng(seed).uniform(0.2, 2.0)
    criterion = StillPairs(size) if equality else StillWidth(-size)
    counts = (least, min(n, least + width))
    told: dict[str, Any] = {"n_base_runs": 1, "init_partitions": all_halves(n), "random_state": seed}
    model = Examce(counts, criterion=criterion, effort="paper", solver=solver, n_threads=1, **told).fit(X)
    assert model.inertia_ == pytest.approx(brute_force(criterion, X, counts, (1, n)), rel=1e-9, abs=1e-9)


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("seed", range(3))
def test_its_own_search_finds_the_best_of_few_points(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(7, 2))
    criterion = criteria(seed)
    model = Examce((2, 5), criterion=criterion, n_base_runs=10, random_state=seed, n_threads=1).fit(X)
    assert model.inertia_ == pytest.approx(brute_force(criterion, X, (2, 5), (1, 7)), rel=1e-9)
    assert not hasattr(model, "cluster_centers_")
    assert not hasattr(model, "predict")


def columns_of(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels[labels >= 0])}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 8), least=st.integers(1, 3), width=st.integers(0, 2))
def test_theorem_1(seed: int, n: int, least: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    X, criterion, counts = rng.normal(size=(n, 2)), criteria(seed), (least, min(n, least + width))
    drawn = [rng.integers(-1, counts[1] + 1, n) for _ in range(5)]
    own = [labels for labels in drawn if labels.max() >= 0]  # one without any label is refused
    model = Examce(
        counts,
        criterion=criterion,
        effort="paper",
        n_base_runs=3,
        base="random",
        init_partitions=own,
        random_state=seed,
        n_threads=1,
    ).fit(X)
    plain = criterion.on(data_of(X))
    costs = {c: plain.cost(np.array(sorted(c))) for c in set().union(*map(columns_of, own))}
    best = min(
        (
            sum(costs[c] for c in chosen)
            for k in range(counts[0], counts[1] + 1)
            for chosen in combinations(costs, k)
            if sum(map(len, chosen)) == n and len(frozenset().union(*chosen)) == n
        ),
        default=np.inf,
    )
    assert model.inertia_ <= best + 1e-9
    assert model.inertia_ <= model.best_base_inertia_


@pytest.mark.parametrize("seed", range(12))
def test_no_single_move_is_left(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, counts, sizes = 9, (2, 4), (1 + seed % 2, 6)
    X, criterion = rng.normal(size=(n, 2)), criteria(seed)
    part = criterion.on(data_of(X, counts, sizes))
    start = np.arange(n, dtype=np.int32) % 3
    found = part.local_search(start)
    reached = total(criterion, X, found)
    assert reached <= total(criterion, X, start) + 1e-12
    for i in range(n):
        for c in range(found.max() + 2):
            moved = found.copy()
            moved[i] = c
            now = np.unique(moved, return_counts=True)[1]
            if counts[0] <= len(now) <= counts[1] and now.min() >= sizes[0] and now.max() <= sizes[1]:
                assert total(criterion, X, moved) >= reached - 1e-9


def add_columns(pool: ColumnPool, part: ByCost, columns: list[np.ndarray]) -> np.ndarray:
    return np.array([pool.add(c.astype(np.int32), part.cost(c))[0] for c in columns])


@pytest.mark.parametrize("seed", range(12))
def test_overlapping_columns_become_a_partition_that_costs_no_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 9, 4
    X, criterion = rng.normal(size=(n, 2)), Width(-1.0)
    part, pool = criterion.on(data_of(X)), ColumnPool(n)
    held = rng.random((k, n)) < 0.5
    held[np.arange(n) % k, np.arange(n)] = True
    ids = add_columns(pool, part, [np.flatnonzero(row) for row in held])
    labels = part.remove_duplicates(pool, ids)
    assert (np.bincount(labels, minlength=k) > 0).all()
    assert part.partition(labels).cost <= pool.costs[ids].sum() + 1e-12
    left_out = part.remove_duplicates(pool, ids[:2])
    assert (np.bincount(left_out) > 0).all()
    assert left_out.max() == 1


def test_an_emptied_column_takes_one_of_its_own_points() -> None:
    X = np.array([[0.0], [0.0], [10.0], [10.1]])
    part, pool = Width(1.0).on(data_of(X)), ColumnPool(4)
    columns = [[0, 1], [2, 3], [0, 1, 2, 3]]
    ids = add_columns(pool, part, [np.array(c) for c in columns])
    labels = part.remove_duplicates(pool, ids)
    assert sorted(np.bincount(labels)) == [1, 1, 2]


def test_expansion_is_the_plain_one() -> None:
    X = np.random.default_rng(3).normal(size=(8, 2))
    part, pool = Pairs(1.5).on(data_of(X, sizes=(2, 5))), ColumnPool(8)
    labels = np.array([0, 0, 0, 1, 1, 2, 2, 2], dtype=np.int32)
    part.expand(pool, labels, 3, 0)
    expected = set()
    for members in clusters_of(labels):
        cost = part.cost(members)
        others = [i for i in range(8) if i not in members]
        near = sorted(others, key=lambda i: part.cost(np.sort([*members, i])) - cost)
        rest = {i: [j for j in members if j != i] for i in members}
        far = sorted(members, key=lambda i: part.cost(np.array(rest[i])) - cost)
        for step in range(4):
            expected |= {frozenset([*members, *near[:step]]), frozenset(members) - frozenset(far[:step])}
    found = {frozenset(c.tolist()) for c in np.split(pool.members, pool.offsets[1:-1])}
    assert found == {c for c in expected if 2 <= len(c) <= 5}
    for column, cost in zip(np.split(pool.members, pool.offsets[1:-1]), pool.costs, strict=True):
        assert cost == part.cost(column)


@pytest.mark.parametrize("base", ["kmeans", "random"])
def test_base_runs_have_their_number_of_clusters_even_of_equal_points(base: str) -> None:
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 4, axis=0)
    part = Pairs(0.5).on(data_of(X, (3, 5)))
    for run, k in enumerate((1, 2, 5, 7)):
        labels = part.base_run(BaseTask(run, k), base, "random", 0)
        assert (np.bincount(labels, minlength=k) > 0).all()
        assert labels.max() == k - 1


def test_swaps_repeat_stay_within_the_limits_and_cost_no_more() -> None:
    X = np.random.default_rng(1).normal(size=(12, 2))
    part = Pairs(1.2).on(data_of(X, (2, 5), (2, 8)))
    start = np.arange(12, dtype=np.int32) % 3
    runs = [part.swap_search(start, SwapLimits(6), Stream(7, Stage.SEARCH, 2, 1)) for _ in range(2)]
    other = part.swap_search(start, SwapLimits(6), Stream(7, Stage.SEARCH, 2, 2))
    assert runs[0].labels.tobytes() == runs[1].labels.tobytes()
    assert runs[0].columns.members.tobytes() == runs[1].columns.members.tobytes()
    assert runs[0].columns.members.tobytes() != other.columns.members.tobytes()
    assert part.partition(runs[0].labels).cost <= part.partition(start).cost
    sizes = np.bincount(runs[0].labels)
    assert 2 <= len(sizes) <= 5
    assert sizes.min() >= 2
    assert sizes.max() <= 8


X = np.random.default_rng(5).normal(size=(14, 2))


class Killed(BaseException):
    """Ends a fit as nothing else does."""


def model(
    criterion: ByCost, folder: Path | None = None, n_calls: int | None = None, **options: Any
) -> Examce:
    calls = iter(range(10**6 if n_calls is None else n_calls))

    def callback(*_: object) -> None:
        if next(calls, None) is None:
            raise Killed

    return Examce(
        (2, 4),
        criterion=criterion,
        n_base_runs=12,
        checkpoint=folder,
        checkpoint_every=1e-9,
        random_state=3,
        callback=callback,
        **{"n_threads": 1, **options},
    )


def facts(fitted: Examce) -> tuple[Any, ...]:
    course = [{n: v for n, v in entry.items() if n != "seconds"} for entry in fitted.history_]
    return fitted.labels_.tobytes(), fitted.inertia_, fitted.pool_bound_, fitted.n_columns_, course


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize("criterion", [Pairs(1.0), Width(-0.7)], ids=["equality", "covering"])
def test_killed_and_resumed_gives_the_same_bits(tmp_path: Path, criterion: ByCost) -> None:
    whole = facts(model(criterion, n_threads=2).fit(X))
    for n_calls in (9, 13):
        folder = tmp_path / str(n_calls)
        with contextlib.suppress(Killed):
            model(criterion, folder, n_calls).fit(X)
        assert facts(model(criterion, folder, resume=True).fit(X)) == whole
    assert whole[1] < 0


@pytest.mark.parametrize("criterion", [Pairs(1.0), Width(-0.7)], ids=["equality", "covering"])
def test_a_negative_cost_that_stays_the_same_is_no_gain(
    monkeypatch: pytest.MonkeyPatch, criterion: ByCost
) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], max_steps=MANY))
    steps: list[Evidence] = []
    count = Evidence._count
    monkeypatch.setattr(Evidence, "_count", lambda *told: (steps.append(told[0]), count(*told)))
    assert model(criterion).fit(X[:10]).inertia_ < 0
    assert 0 < len(steps) < MANY  # with a gain at every step it would be as many


@pytest.mark.usefixtures("short_search")
def test_a_checkpoint_knows_its_criterion_and_its_parameters(tmp_path: Path) -> None:
    with contextlib.suppress(Killed):
        model(Pairs(1.0), tmp_path, 3).fit(X)
    with pytest.raises(CheckpointError, match=r" near=1\.0, not 2\.0; give"):
        model(Pairs(2.0), tmp_path, resume=True).fit(X)
    with pytest.raises(CheckpointError, match=r" criterion=pairs, not width"):
        model(Width(1.0), tmp_path, resume=True).fit(X)


def test_a_cost_is_asked_for_once_and_stays_behind() -> None:
    asked = []

    @dataclass(frozen=True)
    class Counting(Pairs):
        def cost(self, members: np.ndarray) -> float:
            asked.append(tuple(members))
            return super().cost(members)

    part = Counting(1.0).on(data_of(X[:7]))
    part.local_search(np.arange(7, dtype=np.int32) % 3)
    assert asked
    assert len(asked) == len(set(asked))
    assert part.parameters() == {"near": 1.0}
    assert part.known.__reduce__() == (KnownCosts, ())
    assert part.on(data_of(X[7:14])).known == {}


def test_a_cost_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"criterion='pairs': a cluster of \d+ points? costs? nan"):
        Examce(2, criterion=Pairs(float("nan")), random_state=0).fit(X)
