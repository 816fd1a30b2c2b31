"""What holds for every registered criterion: what it says of itself, and the best of all partitions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from intarsia import Examce, own_cost
from intarsia._core import ColumnPool
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria import CRITERIA, find_criterion
from intarsia.examce.criteria.protocol import Criterion, Data, SizeLimits

N = 7
X = np.random.default_rng(8).normal(size=(N, 2))
HALVES = [np.array([(code >> i) & 1 for i in range(N)], dtype=np.int32) for code in range(1, 2 ** (N - 1))]
Costs = dict[frozenset[int], float]

# what a criterion has to say about seven points is not the question here
pytestmark = pytest.mark.filterwarnings("ignore:criterion=")


@pytest.fixture(params=CRITERIA)
def criterion(request: pytest.FixtureRequest) -> Criterion:
    found = find_criterion(request.param)
    assert found.name == request.param
    return found.on(Data(X, None, CountRange(1, N), SizeLimits(1, N)))


def members(labels: np.ndarray, cluster: int) -> frozenset[int]:
    return frozenset(np.flatnonzero(labels == cluster).tolist())


def all_costs(criterion: Criterion) -> Costs:
    """What every cluster costs that can be made of the points, by the pool."""
    pool, costs = ColumnPool(N), {}
    for labels in (np.zeros(N, dtype=np.int32), *HALVES):
        for cluster, column in enumerate(criterion.add_clusters(pool, labels, 0)):
            costs[members(labels, cluster)] = float(pool.costs[column])
    assert len(costs) == 2**N - 1
    return costs


def partitions() -> Iterator[np.ndarray]:
    """All of them, each once."""

    def extend(labels: list[int]) -> Iterator[np.ndarray]:
        if len(labels) == N:
            yield np.array(labels, dtype=np.int32)
            return
        for c in range(max(labels, default=-1) + 2):
            yield from extend([*labels, c])

    return extend([])


def total(costs: Costs, labels: np.ndarray) -> float:
    return sum(costs[members(labels, c)] for c in range(labels.max() + 1))


def test_a_partition_costs_what_its_clusters_cost_in_the_pool(criterion: Criterion) -> None:
    costs = all_costs(criterion)
    for labels in list(partitions())[::7]:
        assert criterion.partition(labels).cost == pytest.approx(total(costs, labels), rel=1e-9, abs=1e-9)


def test_it_is_monotone_if_it_says_so(criterion: Criterion) -> None:
    costs = all_costs(criterion)
    grows = all(
        costs[frozenset(rest)] <= cost + 1e-12
        for cluster, cost in costs.items()
        for rest in combinations(cluster, len(cluster) - 1)
        if rest
    )
    assert grows or not criterion.monotone


@pytest.mark.parametrize("k", [2, 4])
def test_the_best_of_all_partitions(criterion: Criterion, k: int) -> None:
    asked_for = criterion.on(Data(X, None, CountRange(k, k), SizeLimits(1, N)))  # some costs depend on it
    costs = all_costs(asked_for)
    expected = min(total(costs, labels) for labels in partitions() if labels.max() == k - 1)
    asked = {"effort": "paper", "n_base_runs": 2, "init_partitions": HALVES, "random_state": 0}
    one, two = (Examce(k, criterion=criterion.name, n_threads=t, **asked).fit(X) for t in (1, 2))
    assert one.inertia_ == pytest.approx(expected, rel=1e-9)
    assert one.inertia_ == pytest.approx(total(costs, one.labels_), rel=1e-9)
    assert one.labels_.tobytes() == two.labels_.tobytes()
    assert hasattr(one, "predict") == criterion.has_representatives


def test_without_representatives_there_is_nothing_to_save(
    criterion: Criterion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(type(criterion), "has_representatives", False)
    model = Examce(2, criterion=criterion.name, effort="paper", n_base_runs=2, random_state=0).fit(X)
    with pytest.raises(ValueError, match="has no representatives to save"):
        model.save(tmp_path / "m.npz")


class Killed(BaseException):
    """Ends a fit as nothing else does."""


def width(points: np.ndarray, chosen: np.ndarray) -> float:
    return float(pdist(points[chosen]).max(initial=0.0))


@pytest.fixture(params=[*CRITERIA, "own cost"])
def asked(request: pytest.FixtureRequest) -> tuple[np.ndarray, dict[str, Any]]:
    """Points, and a fit of them that takes a moment."""
    given = {"effort": "fast", "n_base_runs": 4, "random_state": 3, "checkpoint_every": 1e-9}
    if request.param == "own cost":  # slow: every step asks for costs
        return X, {**given, "n_clusters": 3, "criterion": own_cost(width, name="width"), "effort": "paper"}
    rng = np.random.default_rng(2)
    points = rng.normal(scale=4, size=(6, 2))[np.arange(90) % 6] + rng.normal(size=(90, 2))
    return points, {**given, "n_clusters": 5, "criterion": request.param}


def facts(model: Examce) -> tuple[Any, ...]:
    course = [{name: value for name, value in entry.items() if name != "seconds"} for entry in model.history_]
    return model.labels_.tobytes(), model.inertia_, model.pool_bound_, model.n_columns_, course


def test_threads_kills_and_shards_change_no_bit(
    asked: tuple[np.ndarray, dict[str, Any]], tmp_path: Path
) -> None:
    points, given = asked
    seen: list[int] = []
    whole = Examce(**given, n_threads=1, callback=lambda *_: seen.append(1)).fit(points)
    assert whole.inertia_ <= whole.best_base_inertia_
    assert facts(Examce(**given, n_threads=3).fit(points)) == facts(whole)
    for last in {1, len(seen) // 2, len(seen) - 1}:
        calls = iter(range(last))

        def killing(*_: object, calls: Iterator[int] = calls) -> None:
            if next(calls, None) is None:
                raise Killed

        kept = {**given, "checkpoint": tmp_path / str(last)}
        with contextlib.suppress(Killed):
            Examce(**kept, n_threads=1, callback=killing).fit(points)
        assert facts(Examce(**kept, n_threads=1, resume=True).fit(points)) == facts(whole)
    for index in (1, 2):
        Examce(**given, n_threads=1).fit_shard(points, tmp_path, index, 2)
    assert facts(Examce(**given, n_threads=1).fit_from_shards(points, tmp_path)) == facts(whole)
