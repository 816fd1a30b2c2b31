"""Single link against SciPy's dendrograms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble, SingleLink

pytestmark = pytest.mark.kernels


def points(n, d, kind, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "grid":  # many equal distances, many copies
        return rng.integers(0, 6, (n, d)).astype(float)
    if kind == "clustered":
        return rng.normal(size=(n, d)) + 8 * rng.integers(0, 4, (n, 1))
    return rng.random((n, d))


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8, 10, 11, 25])
@pytest.mark.parametrize("kind", ["uniform", "clustered", "grid"])
def test_merges_are_those_of_scipy(d, kind):
    X = points(400, d, kind)
    model = SingleLink(2, n_threads=1).fit(X)
    expected = linkage(X, "single")[:, 2]
    np.testing.assert_allclose(model.merge_distances_, expected, rtol=1e-12, atol=1e-12)
    assert model.merge_distances_.sum() == pytest.approx(expected.sum(), rel=1e-12)
    a, b = X[model.spanning_tree_.T]
    np.testing.assert_allclose(np.sqrt(((a - b) ** 2).sum(axis=1)), model.merge_distances_, rtol=1e-12)


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("k", [1, 2, 5, 40, 300])
def test_clusters_are_those_of_scipy(d, k):
    X = points(300, d, "clustered")
    labels = SingleLink(k, n_threads=1).fit_predict(X)
    expected = fcluster(linkage(X, "single"), k, "maxclust")
    assert len(np.unique(labels)) == k
    assert adjusted_rand_score(labels, expected) == 1
    first = [np.flatnonzero(labels == c)[0] for c in range(k)]
    assert first == sorted(first)


def test_shapes_that_centres_cannot_follow():
    X, classes = make_moons(400, noise=0.04, random_state=0)
    model = SingleLink(2).fit(X)
    assert adjusted_rand_score(model.labels_, classes) == 1
    new, new_classes = make_moons(400, noise=0.04, random_state=1)
    assert adjusted_rand_score(model.predict(new), new_classes) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_a_point_alone_and_copies():
    assert SingleLink(1).fit([[3.0, 4.0]]).labels_.tolist() == [0]
    X = np.repeat([[0.0], [1.0], [5.0]], 4, axis=0)
    model = SingleLink(3).fit(X)
    assert model.labels_.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    with pytest.raises(ValueError, match="number of distinct points=3 should be >= n_clusters=4"):
        SingleLink(4).fit(X)


def test_a_base_of_ensembles():
    X, classes = make_moons(300, noise=0.04, random_state=0)
    ensemble = Ensemble.generate(X, "single-link", n_members=4, k=2, random_state=0)
    assert all(adjusted_rand_score(classes, ensemble.labels[:, m]) == 1 for m in range(4))


def test_the_command(intarsia, tmp_path):
    done = intarsia("fit", "demo:iris", "-k", 3, "--method", "single-link", "--out", tmp_path / "out")
    assert done.code == 0
    assert "single-link, k = 3" in done.out
    assert (tmp_path / "out" / "labels.csv").is_file()
    assert (
        "--runs is for kmeans, "
        in intarsia("fit", "demo:iris", "-k", 3, "--method", "single-link", "--runs", 3).err
    )
    weights = tmp_path / "weights.csv"
    weights.write_text("\n".join(["1"] * 150))
    words = ("fit", "demo:iris", "-k", 3, "--method", "single-link", "--weights", weights)
    assert "single-link takes no weights" in intarsia(*words).err
