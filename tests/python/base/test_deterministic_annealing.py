"""Deterministic annealing: its sums against NumPy, its clusters against planted ones, nothing random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from intarsia import DeterministicAnnealing, KMeans, _core
from intarsia.base.deterministic_annealing import _Cooling

pytestmark = pytest.mark.kernels


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 30),
    k=st.integers(1, 5),
    d=st.integers(1, 3),
    heat=st.sampled_from([0.01, 1.0, 100.0]),
    weighted=st.booleans(),
)
def test_moments_are_the_plain_ones(seed: int, n: int, k: int, d: int, heat: float, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    X, centres, shares = rng.normal(size=(n, d)), rng.normal(size=(k, d)), rng.dirichlet(np.ones(k))
    w = rng.uniform(0.5, 2, n) if weighted else None
    squares = ((X[:, None] - centres) ** 2).sum(axis=2)
    p = shares * np.exp(-(squares - squares.min(axis=1, keepdims=True)) / heat)
    p = p / p.sum(axis=1, keepdims=True) * (1 if w is None else w[:, None])
    mass, sums, products = _core.annealed_moments(X, w, centres, shares, heat, True, 1)
    away = X[:, None] - centres
    expected = np.einsum("ik,ikf,ikg->kfg", p, away, away)
    np.testing.assert_allclose(mass, p.sum(axis=0), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sums.reshape(k, d), p.T @ X, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(products.reshape(k, d, d), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_moments_are_the_same_for_any_threads(threads: int) -> None:
    X = np.random.default_rng(0).normal(size=(6000, 4))
    centres, shares = X[:30].copy(), np.full(30, 1 / 30)
    one, more = (_core.annealed_moments(X, None, centres, shares, 0.5, True, t) for t in (1, threads))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, more, strict=True))


def test_it_finds_planted_clusters_whatever_the_order() -> None:
    rng = np.random.default_rng(1)
    truth = np.repeat(np.arange(9), 50)
    X = 10.0 * np.stack(np.divmod(truth, 3), axis=1) + rng.normal(size=(450, 2))
    order = rng.permutation(450)
    found = DeterministicAnnealing(9).fit(X[order])
    assert adjusted_rand_score(truth[order], found.labels_) == 1
    np.testing.assert_allclose(
        found.inertia_, ((X[order] - found.cluster_centers_[found.labels_]) ** 2).sum(), rtol=1e-12
    )
    assert DeterministicAnnealing(9).fit(X[order]).labels_.tobytes() == found.labels_.tobytes()


def test_it_ends_at_a_fixed_point_of_lloyd_with_all_its_clusters() -> None:
    X = np.random.default_rng(2).uniform(size=(300, 2))
    found = DeterministicAnnealing(25).fit(X)
    assert len(np.unique(found.labels_)) == 25
    again = KMeans(25, init=found.cluster_centers_).fit(X)
    assert again.inertia_ == pytest.approx(found.inertia_)


@pytest.mark.parametrize("k", [1, 3, 6])
def test_hot_ends_weights_and_few_points(k: int) -> None:
    X = np.array([[0.0], [1.0], [4.0], [9.0], [16.0], [25.0]])
    found = DeterministicAnnealing(k, t_min=1e9).fit(X, sample_weight=[1, 1, 1, 1, 1, 2])
    assert len(np.unique(found.labels_)) == k


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cooling": 1.0}, "cooling=1.0 should be between 0 and 1"),
        ({"cooling": -1}, "cooling=-1 should be"),
        ({"t_min": 0}, "t_min=0 should be"),
        ({"max_iter": 0}, "max_iter=0 should be"),
    ],
)
def test_wrong_parameters(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DeterministicAnnealing(2, **options).fit(np.arange(10.0)[:, None])


@pytest.mark.parametrize(("gap", "n_centres"), [(0.01, 2), (4.0, 4)], ids=["still one", "parted"])
def test_halves_split_again_only_once_they_have_parted(gap: float, n_centres: int) -> None:
    # both are far too wide for the temperature: were they to split while they are one, all centres would
    # be spent at one place
    cooling = _Cooling(np.random.default_rng(0).normal(scale=5, size=(200, 2)), None, 8, 100, 1)
    cooling.centers, cooling.shares = np.array([[-gap / 2, 0.0], [gap / 2, 0.0]]), np.full(2, 0.5)
    cooling.twins = np.array([1, 0])
    cooling._split(1.0, forced=False)
    assert len(cooling.centers) == len(cooling.shares) == len(cooling.twins) == n_centres
    assert (cooling.twins[cooling.twins] == np.arange(n_centres)).all()
