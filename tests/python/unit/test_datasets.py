"""Demo data by name, and `load`, which finds data of any kind."""

import re

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from intarsia.datasets import DEMOS, load, load_demo
from intarsia.io import DataError

SHAPES = {
    "gauss100": (10000, 5, 100),
    "two-spirals": (190, 2, 2),
    "half-rings": (500, 2, 2),
    "bananas": (2000, 2, 2),
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "2d2k": (1000, 2, 2),
    "8d5k": (1000, 8, 5),
}


def test_every_demo_is_listed_here():
    assert set(DEMOS) == set(SHAPES)


@pytest.mark.parametrize("name", DEMOS)
def test_shape_and_classes(name):
    points = load_demo(name)
    n_points, n_features, n_classes = SHAPES[name]
    assert points.X.shape == (n_points, n_features)
    assert points.X.dtype == np.float64
    assert points.name == name
    assert len(points.class_names) == n_classes
    assert len(points.feature_names) == n_features
    assert set(points.labels.tolist()) == set(range(n_classes))
    assert len(np.unique(points.X, axis=0)) >= n_points - 1  # wine has none, iris one repeated row


@pytest.mark.parametrize("name", DEMOS)
def test_deterministic(name):
    np.testing.assert_array_equal(load_demo(name).X, load_demo(name, random_state=0).X)
    differs = not np.array_equal(load_demo(name).X, load_demo(name, random_state=1).X)
    assert differs == (name not in {"iris", "wine"})


@pytest.mark.parametrize(("name", "variance"), [("gauss100", 25.0), ("2d2k", 0.1), ("8d5k", 0.1)])
def test_gaussians_have_the_stated_spread(name, variance):
    points = load_demo(name)
    means = np.array([points.X[points.labels == c].mean(axis=0) for c in range(len(points.class_names))])
    residual = points.X - means[points.labels]
    np.testing.assert_allclose(residual.var(axis=0), variance, rtol=0.12)


@pytest.mark.parametrize("name", ["two-spirals", "half-rings", "bananas"])
def test_shapes_that_defeat_k_means(name):
    points = load_demo(name)
    found = KMeans(2, n_init=5, random_state=0).fit_predict(points.X)
    assert adjusted_rand_score(points.labels, found) < 0.5


@pytest.mark.parametrize("name", ["two-spirals", "half-rings"])
def test_nearest_neighbour_is_of_the_same_class(name):
    points = load_demo(name)
    distances = ((points.X[:, None] - points.X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    assert np.mean(points.labels[distances.argmin(axis=1)] == points.labels) > 0.99


def test_iris_is_scikit_learns():
    points = load("demo:iris")
    np.testing.assert_array_equal(points.X, load_iris().data)
    np.testing.assert_array_equal(points.labels, load_iris().target)
    assert points.class_names == ("setosa", "versicolor", "virginica")


def test_load_passes_options_on(tmp_path):
    assert np.any(load("demo:2d2k", random_state=3).X != load("demo:2d2k").X)
    (tmp_path / "mine.csv").write_text("a,b\n1,2\n")
    assert load(tmp_path / "mine.csv", label_column="a").labels.tolist() == [0]
    assert load("mine.csv", data_dir=tmp_path).name == "mine"
    assert load("mine", data_dir=tmp_path, columns=["b"]).X.tolist() == [[2]]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("demo:nothing", "no demo data named 'nothing'; choose from gauss100, two-spirals, "),
        ("nothing", "no data named 'nothing' found: give --data-dir"),
        ("nothing", "built-in are demo:gauss100, demo:two-spirals, "),
        ("nothing.csv", "nothing.csv: no such file."),
        ("no/where", "no/where: no such file."),
        ("", "is a directory; needs a file."),
    ],
)
def test_unknown_sources(tmp_path, monkeypatch, source, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=re.escape(message)):
        load(source)


def test_negative_seed():
    with pytest.raises(ValueError, match=re.escape("random_state=-1 should be >= 0.")):
        load_demo("2d2k", random_state=-1)
