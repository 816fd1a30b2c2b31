"""Demo data by name, and `load`, which finds data of any kind."""

import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from intarsia.datasets import DEMOS, find_data, load, load_demo
from intarsia.io import DataError

SHAPES = {
    "gauss100": (10000, 5, 100),
    "two-spirals": (190, 2, 2),
    "half-rings": (500, 2, 2),
    "bananas": (2000, 2, 2),
    "two-moons": (1000, 2, 2),
    "shapes": (4000, 2, 7),
    "spirals-and-blob": (192, 2, 3),
    "seven-shapes": (1000, 2, 7),
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


@pytest.mark.parametrize(("name", "variance"), [("gauss100", 25.0), ("2d2k", 0.01), ("8d5k", 0.01)])
def test_gaussians_have_the_stated_spread(name, variance):
    points = load_demo(name)
    means = np.array([points.X[points.labels == c].mean(axis=0) for c in range(len(points.class_names))])
    residual = points.X - means[points.labels]
    np.testing.assert_allclose(residual.var(axis=0), variance, rtol=0.12)


@pytest.mark.parametrize("name", ["two-spirals", "half-rings", "bananas", "two-moons", "shapes"])
def test_shapes_that_defeat_k_means(name):
    points = load_demo(name)
    found = KMeans(len(points.class_names), n_init=5, random_state=0).fit_predict(points.X)
    assert adjusted_rand_score(points.labels, found) < (0.6 if name == "shapes" else 0.5)


@pytest.mark.parametrize("name", ["two-spirals", "half-rings", "two-moons", "shapes", "seven-shapes"])
def test_nearest_neighbour_is_of_the_same_class(name):
    points = load_demo(name)
    nearest = NearestNeighbors(n_neighbors=1).fit(points.X).kneighbors(return_distance=False)[:, 0]
    assert np.mean(points.labels[nearest] == points.labels) > 0.99


def test_iris_is_scikit_learns():
    points = load("demo:iris")
    np.testing.assert_array_equal(points.X, load_iris().data)
    np.testing.assert_array_equal(points.labels, load_iris().target)
    assert points.class_names == ("setosa", "versicolor", "virginica")
    assert list(points.feature_names) == load_iris().feature_names


def test_wine_is_scikit_learns():
    points = load("demo:wine")
    np.testing.assert_array_equal(points.X, load_wine().data)
    np.testing.assert_array_equal(points.labels, load_wine().target)
    assert points.class_names == ("class_0", "class_1", "class_2")
    assert list(points.feature_names) == load_wine().feature_names


def test_demos_need_no_scikit_learn():
    code = "import sys; from intarsia import load; load('demo:iris'); load('demo:wine'); "
    code += "print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


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
        ("nothing", "no data named 'nothing' found: give data_dir="),
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


@pytest.mark.parametrize("file", ["u1.csv", "u1.csv.gz", "tsplib/u1.tsp"])
def test_find_data(tmp_path, monkeypatch, file):
    path = tmp_path / "data" / file
    path.parent.mkdir(parents=True)
    path.touch()
    assert find_data("u1", tmp_path / "data") == path
    monkeypatch.setenv("INTARSIA_DATA", str(tmp_path / "data"))
    assert find_data("u1") == path
    assert find_data("u1", tmp_path) == path  # the folder given lacks it, the variable's has it


def test_find_data_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.csv").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INTARSIA_DATA", raising=False)
    assert find_data("mine").samefile(tmp_path / "data" / "mine.csv")


def test_find_data_looks_nowhere_else(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    (tmp_path / "shared" / "data").mkdir(parents=True)
    (tmp_path / "shared" / "data" / "mine.csv").touch()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.delenv("INTARSIA_DATA", raising=False)
    with pytest.raises(DataError, match=re.escape("no data named 'mine' found")):
        find_data("mine")


def test_find_data_failures(tmp_path):
    with pytest.raises(DataError, match=re.escape("no data named 'nowhere' found: give data_dir=")):
        find_data("nowhere", tmp_path)
    with pytest.raises(DataError, match=re.escape("INTARSIA_DATA")):
        find_data("nowhere", tmp_path)
    with pytest.raises(DataError, match=re.escape("gone' does not exist")):
        find_data("u1060", tmp_path / "gone")
    with pytest.raises(DataError, match=re.escape("should be a bare name such as 'u1060'.")):
        find_data("../etc/passwd", tmp_path)
    with pytest.raises(DataError, match=re.escape("should be a bare name")):
        find_data("", tmp_path)
