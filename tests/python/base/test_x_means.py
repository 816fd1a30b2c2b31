"""X-means: splits by a criterion that SciPy's densities agree with, between a least and a most number."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import norm

from intarsia import XMeans, load_demo
from intarsia.base.x_means import half_bic, least_variance


def blobs(seed: int, k: int, n_each: int = 60) -> np.ndarray:
    rng = np.random.default_rng(seed)
    centres = 12.0 * np.stack(np.divmod(np.arange(k), 4), axis=1)
    return centres[np.repeat(np.arange(k), n_each)] + rng.normal(size=(k * n_each, 2))


def test_the_criterion_is_that_of_gaussians_of_one_variance() -> None:
    X, labels = blobs(0, 3), np.repeat([0, 1, 2], 60)
    means = np.array([X[labels == c].mean(axis=0) for c in range(3)])
    sse = ((X - means[labels]) ** 2).sum()
    likelihood = norm.logpdf(X, means[labels], np.sqrt(sse / X.size)).sum() + len(X) * np.log(1 / 3)
    parameters = 2 + 3 * 2 + 1
    expected = parameters / 2 * np.log(len(X)) - likelihood
    assert half_bic(sse, [60, 60, 60], 2, least_variance(X)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_it_finds_the_number_of_clusters(k: int) -> None:
    X = blobs(k, k)
    model = XMeans(20, random_state=0).fit(X)
    assert model.n_clusters_ == k
    assert len(np.unique(model.labels_)) == k
    np.testing.assert_allclose(
        model.inertia_, ((X - model.cluster_centers_[model.labels_]) ** 2).sum(), rtol=1e-12
    )
    sizes = np.bincount(model.labels_)
    assert model.objective_ == half_bic(model.inertia_, sizes, 2, least_variance(X))
    np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize(("least", "most"), [(1, 3), (6, 9), (4, 4)])
def test_it_stays_between_the_numbers(least: int, most: int) -> None:
    model = XMeans(most, min_clusters=least, random_state=1).fit(blobs(1, 5))
    assert least <= model.n_clusters_ <= most


def test_equal_points_are_not_split() -> None:
    model = XMeans(4, random_state=0).fit(np.repeat([[0.0], [3.0]], 5, axis=0))
    assert model.n_clusters_ <= 2
    assert XMeans(3).fit(np.ones((4, 2))).n_clusters_ == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 3, "min_clusters": 5}, "min_clusters=5 should be <= n_clusters=3"),
        ({"n_clusters": 0}, "n_clusters=0 should be >= 1"),
        ({"max_iter": 0}, "max_iter=0 should be"),
    ],
)
def test_wrong_parameters(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        XMeans(**options).fit(np.arange(20.0).reshape(10, 2))


def test_the_command_takes_a_range(intarsia) -> None:
    found = json.loads(intarsia("fit", "demo:iris", "--method", "x-means", "-k", "2-6", "--json").out)
    iris = load_demo("iris").X
    best = min(
        (XMeans(6, min_clusters=2, random_state=task).fit(iris) for task in range(10)),
        key=lambda model: model.objective_,
    )
    assert found["cost"] == pytest.approx(best.objective_)
    assert 2 <= found["n_clusters"] <= 6
    assert intarsia("fit", "demo:iris", "--method", "x-means", "--quiet").code == 0
