"""Where points lie in pictures, against scikit-learn's principal components."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from intarsia.report.scatter import MOST_POINTS, Cloud, Plane, draw_clouds, some_rows


def test_points_of_the_plane_stay_where_they_are():
    X = np.random.default_rng(0).normal(size=(9, 2))
    np.testing.assert_array_equal(Plane.of(X).place(X), X)
    line = X[:, :1]
    np.testing.assert_array_equal(Plane.of(line).place(line), np.hstack([line, np.zeros((9, 1))]))


def test_others_lie_on_their_main_axes():
    X = np.random.default_rng(1).normal(size=(200, 5)) * [1, 9, 2, 5, 0.1] + 40
    plane = Plane.of(X)
    np.testing.assert_allclose(np.abs(plane.place(X)), np.abs(PCA(2).fit_transform(X)), atol=1e-9)
    assert plane.names[0].startswith("principal")


def test_rows_of_a_picture():
    np.testing.assert_array_equal(some_rows(7), np.arange(7))
    many = some_rows(100_000)
    assert len(many) == MOST_POINTS
    assert (many[0], many[-1]) == (0, 99_999)


def test_a_picture(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib draws the pictures")
    X = np.random.default_rng(0).normal(size=(30, 2))
    clouds = [Cloud("a", X), Cloud("b", X, np.arange(30) % 12), Cloud("none", X[:0])]
    draw_clouds(tmp_path / "p.png", "title", clouds, ("x", "y"))
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
