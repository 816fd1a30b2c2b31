"""BIC with a free number of clusters: costs by the formula, moves and whole fits against brute force."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from intarsia import Bic, Examce, XMeans, _core
from intarsia._core import ColumnPool, Stage
from intarsia.base.x_means import half_bic, least_variance
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.protocol import Data, SizeLimits, Stream, SwapLimits

pytestmark = pytest.mark.kernels


def partitions(n: int) -> Iterator[np.ndarray]:
    """All of them, each once."""

    def extend(labels: list[int]) -> Iterator[np.ndarray]:
        if len(labels) == n:
            yield np.array(labels, dtype=np.int32)
            return
        for c in range(max(labels, default=-1) + 2):
            yield from extend([*labels, c])

    return extend([])


def on(X: np.ndarray, variance: str = "pooled", counts: Any = None, sizes: Any = None) -> Bic:
    limits = CountRange(*(counts or (1, len(X)))), SizeLimits(*(sizes or (1, len(X))))
    return Bic(variance).on(Data(X, None, *limits))


def plain_cost(X: np.ndarray, members: np.ndarray, variance: str, pooled: float) -> float:
    """Minus the log-likelihood of the points by SciPy, and half of log n for each parameter."""
    n, d = X.shape
    mean = X[members].mean(axis=0)
    own = ((X[members] - mean) ** 2).mean()
    spread = np.sqrt(max(pooled if variance == "pooled" else own, least_variance(X)))
    likelihood = norm.logpdf(X[members], mean, spread).sum() + len(members) * np.log(len(members) / n)
    return (d + (1 if variance == "pooled" else 2)) / 2 * np.log(n) - float(likelihood)


def pooled_of(part: Bic) -> float:
    X, labels = part.data.X, part.pilot
    return (
        sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels)) / X.size
    )


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(3, 12),
    d=st.integers(1, 3),
    variance=st.sampled_from(["pooled", "own"]),
    doubled=st.booleans(),
)
def test_costs_are_those_of_the_formula(seed: int, n: int, d: int, variance: str, doubled: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if doubled:
        X[n // 2 :] = X[-1]
    part, pool = on(X, variance), ColumnPool(n)
    labels = np.unique(rng.integers(0, 3, n), return_inverse=True)[1].astype(np.int32)
    ids = part.add_clusters(pool, labels, 0)
    expected = [
        plain_cost(X, np.flatnonzero(labels == c), variance, pooled_of(part)) for c in range(labels.max() + 1)
    ]
    np.testing.assert_allclose(pool.costs[ids], expected, rtol=1e-8, atol=1e-8)
    assert part.partition(labels).cost == pytest.approx(sum(expected), rel=1e-8, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    variance=st.sampled_from(["pooled", "own"]),
    counts=st.sampled_from([(1, 9), (2, 4), (3, 3)]),
    limited=st.booleans(),
)
def test_no_move_and_no_merge_is_left(
    seed: int, variance: str, counts: tuple[int, int], limited: bool
) -> None:
    rng = np.random.default_rng(seed)
    n, sizes = 9, (2, 6) if limited else (1, 9)
    part = on(rng.normal(size=(n, 2)) * rng.choice([0.1, 1.0], (n, 1)), variance, counts, sizes)
    start = (np.arange(n) % 3).astype(np.int32)
    found = part.local_search(start)
    reached = part.partition(found).cost

    def allowed(labels: np.ndarray) -> bool:
        now = np.unique(labels, return_counts=True)[1]
        return counts[0] <= len(now) <= counts[1] and now.min() >= sizes[0] and now.max() <= sizes[1]

    assert allowed(found)
    assert reached <= part.partition(start).cost + 1e-9
    neighbours = [np.where(np.arange(n) == i, c, found) for i in range(n) for c in range(found.max() + 2)]
    neighbours += [np.where(found == a, b, found) for a in range(found.max() + 1) for b in range(a)]
    for other in neighbours:
        numbered = np.unique(other, return_inverse=True)[1].astype(np.int32)
        if allowed(numbered):
            assert part.partition(numbered).cost >= reached - 1e-7


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), variance=st.sampled_from(["pooled", "own"]))
def test_the_best_of_all_partitions(seed: int, variance: str) -> None:
    n = 7
    X = np.random.default_rng(seed).normal(size=(n, 2))
    halves = [np.array([(code >> i) & 1 for i in range(n)]) for code in range(2 ** (n - 1))]
    model = Examce(
        (2, 4),
        criterion=Bic(variance),
        effort="paper",
        n_base_runs=2,
        init_partitions=halves,
        random_state=seed,
        n_threads=1,
    ).fit(X)
    part = on(X, variance, (2, 4))
    expected = min(part.partition(labels).cost for labels in partitions(n) if 1 <= labels.max() <= 3)
    assert model.inertia_ == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert model.inertia_ <= model.best_base_inertia_ + 1e-9


def planted(seed: int, k: int, d: int = 2, spread: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Spherical clusters whose centres keep a distance of six standard deviations."""
    rng = np.random.default_rng(seed)
    centres: list[np.ndarray] = []
    while len(centres) < k:
        centre = rng.uniform(0, 6 * k ** (1 / d) * 1.5, d)
        if all(np.linalg.norm(centre - other) > 6 for other in centres):
            centres.append(centre)
    labels = np.repeat(np.arange(k), 40)
    return np.array(centres)[labels] + rng.normal(scale=spread, size=(40 * k, d)), labels


@pytest.mark.parametrize(("seed", "k"), [(0, 3), (1, 8), (2, 15)])
def test_the_number_of_planted_clusters_is_found_and_x_means_is_no_better(seed: int, k: int) -> None:
    X, _ = planted(seed, k)
    model = Examce((1, 2 * k), criterion="bic", effort="fast", random_state=0).fit(X)
    assert model.n_clusters_ == k
    rival = XMeans(2 * k, random_state=0).fit(X)
    assert model.bic_ <= 2 * rival.objective_ + 1e-6
    assert model.bic_ <= 2 * model.inertia_ + 1e-6
    sizes = np.bincount(model.labels_)
    sse = sum(((X[model.labels_ == c] - m) ** 2).sum() for c, m in enumerate(model.cluster_centers_))
    assert model.bic_ == pytest.approx(2 * half_bic(sse, sizes, 2, least_variance(X)), rel=1e-9)


def test_no_number_means_any_up_to_the_root(tmp_path: Path) -> None:
    X, _ = planted(3, 4)
    model = Examce(None, criterion="bic", effort="fast", random_state=0).fit(X)
    assert model.n_clusters_ == 4
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    model.save(tmp_path / "m.npz")
    again = Examce.load(tmp_path / "m.npz")
    assert (again.n_clusters_, again.bic_) == (4, model.bic_)


def test_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="criterion='bic' takes no sample_weight"):
        Examce(1, criterion="bic").fit(np.eye(3), sample_weight=[1, 2, 3])
    with pytest.raises(ValueError, match="variance='none' should be one of"):
        Bic("none")


@pytest.mark.parametrize("counts", [1, 2, 6, (1, 6), (4, 5)])
def test_equal_points(counts: Any) -> None:
    X = np.repeat([[0.0], [5.0]], 3, axis=0)
    model = Examce(counts, criterion="bic", effort="fast", random_state=0).fit(X)
    least, most = counts if isinstance(counts, tuple) else (counts, counts)
    assert least <= model.n_clusters_ <= most
    assert np.isfinite(model.inertia_)


def test_swaps_repeat_and_cost_no_more() -> None:
    X, _ = planted(5, 4)
    part = on(X, counts=(2, 9))
    start = part.start(6, Stream(1, Stage.SEEDING, 3, 0)).labels
    runs = [part.swap_search(start, SwapLimits(20), Stream(7, Stage.SEARCH, 2, 1)) for _ in range(2)]
    assert runs[0].labels.tobytes() == runs[1].labels.tobytes()
    assert part.partition(runs[0].labels).cost <= runs[0].start_cost + 1e-9
    pool = runs[0].columns
    for column, cost in zip(np.split(pool.members, pool.offsets[1:-1])[:5], pool.costs, strict=False):
        assert cost == pytest.approx(plain_cost(X, column, "pooled", pooled_of(part)), rel=1e-9)


class Killed(BaseException):
    """Ends a fit as nothing else does."""


def fitted(X: np.ndarray, folder: Path | None, n_calls: int = 10**6, **options: Any) -> Examce:
    calls = iter(range(n_calls))

    def callback(*_: object) -> None:
        if next(calls, None) is None:
            raise Killed

    asked = {"effort": "fast", "n_base_runs": 8, "random_state": 3, "checkpoint_every": 1e-9, "n_threads": 1}
    model = Examce((1, 6), criterion="bic", checkpoint=folder, callback=callback, **{**asked, **options})
    return model.fit(X)


def test_killed_and_resumed_gives_the_same_bytes_for_any_threads(tmp_path: Path) -> None:
    X, _ = planted(6, 3)
    whole = fitted(X, None, n_threads=3)
    for n_calls in (4, 9):
        with contextlib.suppress(Killed):
            fitted(X, tmp_path / str(n_calls), n_calls)
        again = fitted(X, tmp_path / str(n_calls), resume=True)
        assert again.labels_.tobytes() == whole.labels_.tobytes()
        assert (again.inertia_, again.n_columns_) == (whole.inertia_, whole.n_columns_)


def test_kernels_refuse_what_they_cannot_take() -> None:
    model = _core.BicModel(4, 2, 1.0, 0.1)
    with pytest.raises(ValueError, match="sizes should be at least 1"):
        _core.bic_costs(model, np.array([0]), np.array([1.0]))
    with pytest.raises(ValueError, match="a sum of squares for each size"):
        _core.bic_costs(model, np.array([1, 2]), np.array([1.0]))
