"""Spectral clustering against its definition by NumPy and against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import SpectralClustering
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble, Spectral
from intarsia.base import eigenvectors
from intarsia.base.spectral import full_affinities, neighbour_affinities, scaled, typical_distance
from intarsia.neighbours import Neighbours


def random_points(n=90, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_affinities_are_those_of_the_definition():
    X, sigma = random_points(), 0.7
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    expected = np.exp(-squares / (2 * sigma**2)) * (1 - np.eye(len(X)))
    np.testing.assert_allclose(full_affinities(X, sigma), expected, rtol=1e-12)
    sums = expected.sum(axis=1)
    np.testing.assert_allclose(scaled(expected.copy()), expected / np.sqrt(np.outer(sums, sums)), rtol=1e-12)


def test_graphs_of_neighbours_hold_together():
    X = np.concatenate([random_points(40, 2), random_points(40, 2, 1) + 30])
    near = Neighbours(X, 1).nearest(4)
    graph = neighbour_affinities(X, near, 1.0, 1)
    dense, full = graph.toarray(), full_affinities(X, 1.0)
    assert sparse.csgraph.connected_components(graph)[0] == 1
    np.testing.assert_array_equal(dense, dense.T)
    for i, ids in enumerate(near[0]):
        np.testing.assert_allclose(dense[i, ids], full[i, ids], rtol=1e-12)
    assert (dense > 0).sum() <= 2 * (4 * 80 + 79)
    across = dense[:40, 40:]
    assert (across > 0).sum() == 1  # the edge of the spanning tree
    assert across.max() < 1e-6


@pytest.mark.parametrize("n", [50, 700, 900])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_eigenvectors_are_those_of_numpy(n, kind, monkeypatch):
    X = np.concatenate([random_points(n // 2, 2), random_points(n - n // 2, 2, 1) + 9])
    matrix = scaled(full_affinities(X, 0.6))
    if kind == "sparse":
        matrix = scaled(neighbour_affinities(X, Neighbours(X, 1).nearest(6), 0.6, 1))
    dense = matrix.toarray() if kind == "sparse" else matrix
    values, vectors = eigenvectors.leading_eigenvectors(matrix, 5, np.random.default_rng(0))
    expected = np.linalg.eigvalsh(dense)[::-1][:5]
    np.testing.assert_allclose(values, expected, atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(5), atol=1e-9)
    np.testing.assert_allclose(dense @ vectors, vectors * values, atol=1e-7)


def test_plain_products_find_them_too(monkeypatch):
    monkeypatch.setattr(eigenvectors, "FACTORISED", 100)
    monkeypatch.setattr(eigenvectors, "DIRECT", 50)
    matrix = scaled(full_affinities(random_points(200, 2), 1.0))
    values, _ = eigenvectors.leading_eigenvectors(matrix, 4, np.random.default_rng(0))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1][:4], atol=1e-9)


@pytest.mark.parametrize("affinity", ["full", "neighbours"])
def test_shapes_that_centres_cannot_follow(affinity):
    for X, classes in (
        make_moons(300, noise=0.04, random_state=0),
        make_circles(300, factor=0.4, noise=0.03, random_state=0),
    ):
        model = Spectral(2, affinity=affinity, random_state=0).fit(X)
        assert adjusted_rand_score(model.labels_, classes) == 1
        np.testing.assert_array_equal(model.predict(X), model.labels_)
        assert model.eigenvalues_[0] == pytest.approx(1)


@pytest.mark.parametrize("affinity", ["full", "neighbours"])
def test_labels_are_scikit_learns_on_separate_clusters(affinity):
    X, _ = make_blobs(700, centers=[[0, 0], [8, 0], [0, 8], [8, 8]], cluster_std=0.7, random_state=0)
    ours = Spectral(4, sigma=1.0, affinity=affinity, random_state=0).fit_predict(X)
    theirs = SpectralClustering(4, gamma=0.5, random_state=0).fit_predict(X)
    assert adjusted_rand_score(ours, theirs) == 1


def test_one_decomposition_serves_several_numbers():
    X, _ = make_blobs(200, centers=5, cluster_std=0.5, random_state=2)
    for count, labels in zip((2, 5, 9), Spectral(random_state=3).labels_for(X, (2, 5, 9)), strict=True):
        assert len(np.unique(labels)) == count
        alone = Spectral(count, random_state=3).fit_predict(X)
        assert adjusted_rand_score(labels, alone) == 1


def test_edges():
    assert Spectral(1).fit([[3.0, 4.0]]).labels_.tolist() == [0]
    X = np.repeat([[0.0], [1.0], [5.0]], 4, axis=0)
    labels = Spectral(3, random_state=0).fit_predict(X)
    assert adjusted_rand_score(labels, np.repeat([0, 1, 2], 4)) == 1
    assert len(np.unique(Spectral(12, random_state=0).fit_predict(random_points(12)))) == 12
    assert typical_distance(np.zeros((4, 2))) == 1
    # a point too far away for any affinity, and a width so small that nobody has any
    far = np.concatenate([random_points(30, 2), [[1e6, 0.0]]])
    assert len(Spectral(2, sigma=0.5, random_state=0).fit_predict(far)) == 31
    assert Spectral(2, sigma=1e-6, random_state=0).fit_predict(random_points(20)).shape == (20,)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_clusters": 0}, "n_clusters=0 should be >= 1"),
        ({"n_clusters": 31}, "n_samples=30 should be >= n_clusters=31"),
        ({"sigma": 0}, "sigma=0 should be > 0"),
        ({"sigma": 1e-300}, r"sigma=1e-300 should be from 1e-150 to 1e\+150"),
        ({"sigma": 1e300}, r"sigma=1e\+300 should be from 1e-150 to 1e\+150"),
        ({"affinity": "rbf"}, "affinity='rbf' should be one of 'auto', 'full', 'neighbours'"),
        ({"n_neighbors": 0}, "n_neighbors=0 should be >= 1"),
    ],
)
def test_wrong_settings_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        Spectral(**settings).fit(random_points(30))


def test_more_clusters_than_distinct_points():
    with pytest.raises(ValueError, match="number of distinct points=1 should be >= n_clusters=2"):
        Spectral(2).fit(np.ones((5, 2)))


def test_as_a_member_of_an_ensemble():
    X, classes = make_moons(300, noise=0.04, random_state=0)
    made = Ensemble.generate(X, "spectral", n_members=3, k=2, random_state=0)
    assert adjusted_rand_score(made.labels[:, 0], classes) == 1


def test_blas_has_its_threads_back():
    from threadpoolctl import threadpool_info

    def blas_threads():
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    before = blas_threads()
    with eigenvectors.one_blas_thread():
        with eigenvectors.one_blas_thread():
            assert set(blas_threads()) <= {1}
        assert set(blas_threads()) <= {1}
    assert blas_threads() == before
