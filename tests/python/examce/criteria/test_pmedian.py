"""p-median: costs, swaps and whole fits against brute force by SciPy's distances."""

from __future__ import annotations

import contextlib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.spatial.distance import cdist

from intarsia import Examce, _core
from intarsia._core import ColumnPool, Stage
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.pmedian import PMedian
from intarsia.examce.criteria.protocol import BaseTask, Data, SizeLimits, Stream, SwapLimits

pytestmark = pytest.mark.kernels

METRICS = {
    "euclidean": "euclidean",
    "sqeuclidean": "sqeuclidean",
    "manhattan": "cityblock",
    "cosine": "cosine",
}
EVERY = [*METRICS, "precomputed"]


def distances(X: np.ndarray, metric: str) -> np.ndarray:
    return X if metric == "precomputed" else cdist(X, X, {"manhattan": "cityblock"}.get(metric, metric))


def points(rng: np.random.Generator, n: int, d: int, metric: str) -> np.ndarray:
    """Some at the same places; of a matrix any distances, which keep no triangle inequality."""
    if metric == "precomputed":
        half = np.triu(rng.integers(0, 9, (n, n)), 1).astype(float)
        return half + half.T
    X = rng.integers(1, 5, (n, d)).astype(float) if rng.random() < 0.5 else rng.normal(size=(n, d)) + 3
    return np.ascontiguousarray(X)


def on(
    X: np.ndarray, metric: str = "euclidean", weights: Any = None, k: int = 1, sizes: Any = None
) -> PMedian:
    return PMedian(metric).on(Data(X, weights, CountRange(k, k), SizeLimits(*(sizes or (1, len(X))))))


def best_sum(D: np.ndarray, w: np.ndarray, k: int) -> float:
    """The optimum, by all choices of medians."""
    choices = combinations(range(len(D)), k)
    return min(float((w * D[:, list(medians)].min(axis=1)).sum()) for medians in choices)


def served(D: np.ndarray, w: np.ndarray, labels: np.ndarray) -> float:
    """What a partition costs, straight from the definition."""
    clusters = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    return sum(float((w[c, None] * D[c]).sum(axis=0).min()) for c in clusters)


cases = given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 12),
    d=st.integers(1, 3),
    metric=st.sampled_from(EVERY),
    weighted=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@cases
def test_a_cluster_costs_its_best_median_of_all_points(
    seed: int, n: int, d: int, metric: str, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = points(rng, n, d, metric)
    w = rng.uniform(0.5, 3, n) if weighted else None
    D, plain = distances(X, metric), np.ones(n) if w is None else w
    part = on(X, metric, w)
    members = np.flatnonzero(rng.random(n) < 0.5)
    members = members if len(members) else np.array([0])
    sums = (plain[members, None] * D[members]).sum(axis=0)
    median, cost = _core.column_median(*part._space, members.astype(np.int32))
    assert cost == pytest.approx(sums.min(), rel=1e-9, abs=1e-9)
    assert sums[median] == pytest.approx(sums.min(), rel=1e-9, abs=1e-9)
    assert part.cost(members) == cost
    for fewer in range(1, len(members)):  # monotone
        assert part.cost(rng.permutation(members)[:fewer][:1]) <= cost + 1e-12
        assert part.cost(np.sort(rng.permutation(members)[:fewer])) <= cost + 1e-9


@settings(max_examples=60, deadline=None)
@cases
def test_partitions_and_pools_cost_what_the_definition_says(
    seed: int, n: int, d: int, metric: str, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = points(rng, n, d, metric)
    w = rng.uniform(0.5, 3, n) if weighted else None
    D, plain = distances(X, metric), np.ones(n) if w is None else w
    labels = np.unique(rng.integers(0, 4, n), return_inverse=True)[1].astype(np.int32)
    part, pool = on(X, metric, w), ColumnPool(n)
    ids = part.add_clusters(pool, labels, 0)
    assert part.partition(labels).cost == pytest.approx(served(D, plain, labels), rel=1e-9, abs=1e-9)
    assert pool.costs[ids].sum() == pytest.approx(served(D, plain, labels), rel=1e-9, abs=1e-9)
    for c, column in enumerate(ids):
        assert pool.costs[column] == part.cost(np.flatnonzero(labels == c))


@settings(max_examples=80, deadline=None)
@cases
def test_swaps_end_where_no_swap_is_left(seed: int, n: int, d: int, metric: str, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X = points(rng, n, d, metric)
    w = rng.uniform(0.5, 3, n) if weighted else None
    D, plain = distances(X, metric), np.ones(n) if w is None else w
    k = int(rng.integers(1, n + 1))
    part = on(X, metric, w, k)
    start = rng.permutation(n)[:k].astype(np.int32)
    labels, medians, cost, work = _core.swap_medians(*part._space, start)
    assert sorted(set(medians)) == sorted(medians)
    assert (np.bincount(labels, minlength=k) > 0).all()
    assert cost == pytest.approx((plain * D[:, medians].min(axis=1)).sum(), rel=1e-9, abs=1e-9)
    assert cost == pytest.approx((plain * D[np.arange(n), medians[labels]]).sum(), rel=1e-9, abs=1e-9)
    assert cost <= (plain * D[:, start].min(axis=1)).sum() * (1 + 1e-12) + 1e-12
    assert work > 0
    for out in range(k):
        for entering in range(n):
            tried = medians.copy()
            tried[out] = entering
            assert (plain * D[:, tried].min(axis=1)).sum() >= cost * (1 - 1e-9) - 1e-9


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), metric=st.sampled_from(EVERY), greedy=st.booleans())
@example(seed=5519, metric="cosine", greedy=True)  # costs of rounding alone: swaps went in circles
def test_drawn_medians_are_different_points(seed: int, metric: str, greedy: bool) -> None:
    rng = np.random.default_rng(seed)
    X = points(rng, 9, 2, metric)
    part, k = on(X, metric), int(rng.integers(1, 10))
    medians = _core.draw_medians(*part._space, k, greedy, seed, 3)
    assert len(set(medians)) == k
    assert np.array_equal(medians, _core.draw_medians(*part._space, k, greedy, seed, 3))
    labels = part.base_run(BaseTask(1, k), "greedy" if greedy else "random", "", seed)
    assert (np.bincount(labels, minlength=k) > 0).all()
    assert len(set(_core.medians_of(*part._space, labels, k))) == k


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), metric=st.sampled_from(EVERY), n=st.integers(4, 9))
def test_overlapping_columns_become_a_partition_that_costs_no_more(seed: int, metric: str, n: int) -> None:
    rng = np.random.default_rng(seed)
    X, k = points(rng, n, 2, metric), int(rng.integers(1, 5))
    part, pool = on(X, metric, k=k), ColumnPool(n)
    held = rng.random((k, n)) < 0.5
    held[np.arange(n) % k, np.arange(n)] = True
    columns = {tuple(np.flatnonzero(row)): None for row in held if row.any()}
    ids = np.array([pool.add(np.array(c, dtype=np.int32), part.cost(np.array(c)))[0] for c in columns])
    labels = part.remove_duplicates(pool, ids)
    assert (np.bincount(labels, minlength=len(ids)) > 0).all()
    assert part.partition(labels).cost <= pool.costs[ids].sum() + 1e-9
    for c, column in enumerate(columns):  # a point stays in a column that held it, unless one was emptied
        if len(columns) == k and not set(np.flatnonzero(labels == c)) <= set(column):
            assert len(np.flatnonzero(labels == c)) == 1
    if len(ids) > 1:
        assert (np.bincount(part.remove_duplicates(pool, ids[:1])) == n).all()


@pytest.mark.parametrize("metric", EVERY)
def test_expansion_is_the_plain_one(metric: str) -> None:
    rng = np.random.default_rng(3)
    X = points(rng, 9, 2, metric) if metric == "precomputed" else rng.normal(size=(9, 2))
    D, labels = distances(X, metric), np.array([0, 0, 0, 0, 1, 1, 2, 2, 2], dtype=np.int32)
    part, pool = on(X, metric, sizes=(2, 6)), ColumnPool(9)
    part.expand(pool, labels, 3, 0)
    expected = set()
    for c in range(3):
        members = np.flatnonzero(labels == c)
        away = D[:, _core.column_median(*part._space, members.astype(np.int32))[0]].round(9)
        near = sorted(np.flatnonzero(labels != c), key=lambda i: (away[i], i))
        far = sorted(members, key=lambda i: (-away[i], i))
        for step in range(4):
            expected |= {frozenset([*members, *near[:step]]), frozenset(members) - frozenset(far[:step])}
    columns = np.split(pool.members, pool.offsets[1:-1])
    assert {frozenset(c.tolist()) for c in columns} == {c for c in expected if 2 <= len(c) <= 6}
    for column, cost in zip(columns, pool.costs, strict=True):
        assert cost == part.cost(column)


@pytest.mark.parametrize("metric", EVERY)
@pytest.mark.parametrize("sizes", [None, (2, 8)], ids=["free", "sizes"])
def test_trials_repeat_and_never_cost_more(metric: str, sizes: Any) -> None:
    rng = np.random.default_rng(4)
    X = points(rng, 24, 2, metric)
    part = on(X, metric, k=4, sizes=sizes)
    start = part.start(4, Stream(1, Stage.SEEDING, 5, 0)).labels
    runs = [part.swap_search(start, SwapLimits(20), Stream(7, Stage.SEARCH, 2, 1)) for _ in range(2)]
    assert runs[0].labels.tobytes() == runs[1].labels.tobytes()
    assert runs[0].columns.members.tobytes() == runs[1].columns.members.tobytes()
    assert part.partition(runs[0].labels).cost <= runs[0].start_cost * (1 + 1e-12)
    assert runs[0].start_cost <= part.partition(start).cost * (1 + 1e-12)
    columns = np.split(runs[0].columns.members, runs[0].columns.offsets[1:-1])
    for column, cost in zip(columns, runs[0].columns.costs, strict=True):
        assert cost == part.cost(column)
    found = np.bincount(runs[0].labels, minlength=4)
    assert found.min() >= (1 if sizes is None else 2)
    assert found.max() <= (24 if sizes is None else 8)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    metric=st.sampled_from(EVERY),
    n=st.integers(3, 9),
    effort=st.sampled_from(["fast", "paper"]),
)
def test_the_best_of_all_partitions(seed: int, metric: str, n: int, effort: str) -> None:
    rng = np.random.default_rng(seed)
    X, w = points(rng, n, 2, metric), rng.uniform(0.5, 2, n)
    k = int(rng.integers(1, n + 1))
    model = Examce(
        k, criterion=PMedian(metric), effort=effort, n_base_runs=4, random_state=seed, n_threads=1
    ).fit(X, sample_weight=w)
    D = distances(X, metric)
    assert model.inertia_ == pytest.approx(served(D, w, model.labels_), rel=1e-9, abs=1e-9)
    assert model.inertia_ == pytest.approx(best_sum(D, w, k), rel=1e-9, abs=1e-9)
    assert model.inertia_ <= model.best_base_inertia_ * (1 + 1e-12)
    own = (w * D[np.arange(n), model.medoid_indices_[model.labels_]]).sum()
    assert own == pytest.approx(model.inertia_, rel=1e-9, abs=1e-9)
    if k < n:
        assert (np.bincount(model.labels_, minlength=k) > 0).all()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), metric=st.sampled_from(EVERY), n=st.integers(4, 8))
def test_theorem_1(seed: int, metric: str, n: int) -> None:
    rng = np.random.default_rng(seed)
    X, k = points(rng, n, 2, metric), int(rng.integers(1, 4))
    drawn = [rng.integers(-1, k + 1, n) for _ in range(5)]
    own = [labels for labels in drawn if labels.max() >= 0]  # one without any label is refused
    model = Examce(
        k,
        criterion=PMedian(metric),
        effort="paper",
        n_base_runs=1,
        base="random",
        init_partitions=own,
        random_state=seed,
        n_threads=1,
    ).fit(X)
    columns = {frozenset(np.flatnonzero(labels == c)) for labels in own for c in range(k + 1)} - {frozenset()}
    costs = {c: on(X, metric).cost(np.array(sorted(c))) for c in columns}
    best = min(
        (
            sum(costs[c] for c in chosen)
            for chosen in combinations(costs, k)
            if sum(map(len, chosen)) == n and len(frozenset().union(*chosen)) == n
        ),
        default=np.inf,
    )
    assert model.inertia_ <= best + 1e-9


@pytest.mark.parametrize("metric", EVERY)
def test_sizes_are_kept_and_nothing_better_is_left(metric: str) -> None:
    rng = np.random.default_rng(5)
    X = points(rng, 8, 2, metric)
    D = distances(X, metric)
    codes = (np.array([(c >> i) & 1 for i in range(8)]) for c in range(1, 2**7))
    allowed = [labels for labels in codes if 3 <= labels.sum() <= 5]
    expected = min(served(D, np.ones(8), labels) for labels in allowed)
    model = Examce(
        2, criterion=PMedian(metric), min_size=3, max_size=5, n_base_runs=10, random_state=0, n_threads=1
    ).fit(X)
    assert set(np.bincount(model.labels_)) <= {3, 4, 5}
    assert model.inertia_ == pytest.approx(expected, rel=1e-9)


def test_a_matrix_of_distances_gives_what_the_points_give() -> None:
    X = np.random.default_rng(2).normal(size=(60, 3))
    D = cdist(X, X)
    by_points = Examce(5, criterion="pmedian", effort="fast", random_state=1).fit(X)
    by_matrix = Examce(5, criterion=PMedian("precomputed"), effort="fast", random_state=1).fit(D)
    assert by_matrix.inertia_ == pytest.approx(by_points.inertia_, rel=1e-9)
    assert not hasattr(by_matrix, "cluster_centers_")
    np.testing.assert_array_equal(by_points.cluster_centers_, X[by_points.medoid_indices_])
    np.testing.assert_array_equal(by_matrix.predict(D), by_matrix.labels_)
    np.testing.assert_array_equal(by_points.predict(X), by_points.labels_)
    assert by_points.score(X) == pytest.approx(-by_points.inertia_)
    np.testing.assert_allclose(by_points.transform(X), D[:, by_points.medoid_indices_])
    np.testing.assert_allclose(by_matrix.transform(D), D[:, by_matrix.medoid_indices_])


def test_a_saved_model_measures_as_the_fit_did(tmp_path: Path) -> None:
    X = np.random.default_rng(2).normal(size=(40, 3))
    model = Examce(4, criterion=PMedian("manhattan"), effort="fast", random_state=1).fit(X)
    model.save(tmp_path / "m.npz")
    again = Examce.load(tmp_path / "m.npz")
    np.testing.assert_array_equal(again.predict(X), model.labels_)
    assert again.score(X) == model.score(X)
    np.testing.assert_array_equal(again.medoid_indices_, model.medoid_indices_)
    by_matrix = Examce(4, criterion=PMedian("precomputed"), effort="fast", random_state=1).fit(cdist(X, X))
    with pytest.raises(ValueError, match="has no representatives to save"):
        by_matrix.save(tmp_path / "n.npz")


def test_points_without_weight_follow_and_medians_have_their_numbers() -> None:
    X = np.array([[0.0], [1.0], [2.0], [50.0], [10.0], [11.0], [12.0]])
    w = np.array([1.0, 1, 1, 0, 1, 1, 1])
    model = Examce(2, criterion="pmedian", random_state=0).fit(X, sample_weight=w)
    assert sorted(model.medoid_indices_) == [1, 5]
    assert model.labels_[3] == model.labels_[5]
    assert model.inertia_ == 4


@pytest.mark.parametrize(
    ("X", "metric", "message"),
    [
        (np.ones((3, 2)), "precomputed", r"metric='precomputed': shape=\(3, 2\) should be square"),
        (np.array([[0.0, -1], [-1, 0]]), "precomputed", "distances should be >= 0; the least is -1"),
        (np.array([[0.0, 1], [1, 2]]), "precomputed", "point 1 is 2 away from itself"),
        (np.array([[0.0, 1], [2, 0]]), "precomputed", "should be symmetric; 0 to 1 is 1, back 2"),
        (np.array([[0.0, np.nan], [np.nan, 0]]), "precomputed", "NaN"),
        (np.array([[0.0, 0], [1, 0]]), "cosine", "point 0 is 0: metric='cosine' needs a direction"),
        (np.array([[0.0, 1e300], [1, 0]]), "euclidean", "too far apart"),
        (np.zeros((2, 2)), "hamming", "metric='hamming' should be one of"),
    ],
)
def test_what_is_refused(X: np.ndarray, metric: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Examce(1, criterion=PMedian(metric)).fit(X)


def test_ranges_and_weights_of_a_matrix_are_refused() -> None:
    with pytest.raises(ValueError, match="takes no sample_weight of 0"):
        Examce(1, criterion=PMedian("precomputed")).fit(np.zeros((2, 2)), sample_weight=[0, 1])
    with pytest.raises(ValueError, match="should be one number for criterion='pmedian'"):
        Examce((1, 2), criterion="pmedian").fit(np.zeros((2, 2)))


@pytest.mark.parametrize("k", [1, 3, 6])
def test_equal_points_and_one_dimension(k: int) -> None:
    X = np.repeat([[0.0], [5.0]], 3, axis=0)
    model = Examce(k, criterion="pmedian", effort="fast", random_state=0).fit(X)
    assert (np.bincount(model.labels_, minlength=k) > 0).all()
    assert model.inertia_ == (15 if k == 1 else 0)


class Killed(BaseException):
    """Ends a fit as nothing else does."""


def fitted(X: np.ndarray, folder: Path | None, n_calls: int = 10**6, **options: Any) -> Examce:
    calls = iter(range(n_calls))

    def callback(*_: object) -> None:
        if next(calls, None) is None:
            raise Killed

    return Examce(
        6,
        criterion=PMedian("manhattan"),
        effort="fast",
        n_base_runs=12,
        checkpoint=folder,
        checkpoint_every=1e-9,
        random_state=3,
        callback=callback,
        **{"n_threads": 1, **options},
    ).fit(X)


def test_killed_and_resumed_gives_the_same_bytes(tmp_path: Path) -> None:
    X = np.random.default_rng(6).normal(size=(80, 2))
    whole = fitted(X, None, n_threads=2)
    for n_calls in (5, 14, 17):
        with contextlib.suppress(Killed):
            fitted(X, tmp_path / str(n_calls), n_calls)
        again = fitted(X, tmp_path / str(n_calls), resume=True)
        assert again.labels_.tobytes() == whole.labels_.tobytes()
        assert (again.inertia_, again.n_columns_) == (whole.inertia_, whole.n_columns_)


def full_model(D: np.ndarray, p: int) -> float:
    """The optimum by SciPy's branch and bound on the model with a variable for every pair."""
    n = len(D)
    opened = sparse.hstack([sparse.csr_array((1, n * n)), np.ones((1, n))])
    served = sparse.hstack([sparse.kron(sparse.eye_array(n), np.ones((1, n))), sparse.csr_array((n, n))])
    only_open = sparse.hstack([sparse.eye_array(n * n), -sparse.kron(np.ones((n, 1)), sparse.eye_array(n))])
    rows = [
        LinearConstraint(opened, p, p),
        LinearConstraint(served, 1, 1),
        LinearConstraint(only_open, -np.inf, 0),
    ]
    costs, whole = np.append(D.ravel(), np.zeros(n)), np.append(np.zeros(n * n), np.ones(n))
    found = milp(costs, constraints=rows, integrality=whole, bounds=Bounds(0, 1))
    assert found.status == 0
    return float(found.fun)


@pytest.mark.parametrize("p", [2, 5, 10, 20, 40])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_the_optimum_is_that_of_the_full_model(metric: str, p: int) -> None:
    X = np.random.default_rng(p).normal(size=(100, 2))
    model = Examce(p, criterion=PMedian(metric), random_state=0, n_threads=1).fit(X)
    assert model.inertia_ == pytest.approx(full_model(distances(X, metric), p), rel=1e-7)
