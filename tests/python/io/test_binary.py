"""NPY, NPZ, Parquet and HDF5: what they hold comes back, damage and bad values are named."""

import builtins
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from intarsia.io import DataError, read_points

TABLE = np.array([[1.5, 2.0, 7.0], [-3.0, 4e-3, 7.0], [5.0, 6.25, 9.0]])
KINDS = np.array(["b", "a", "b"])


def fails(path, message, **options):
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        read_points(path, **options)
    assert "\n" not in str(caught.value)


def save_npy(path, X):
    np.save(path, X)


def save_npz(path, X):
    np.savez(path, X=X)


def save_parquet(path, X):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({f"f{j}": X[:, j] for j in range(X.shape[1])}), path)


def save_hdf5(path, X):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        file["X"] = X


SAVERS = {"t.npy": save_npy, "t.npz": save_npz, "t.parquet": save_parquet, "t.h5": save_hdf5}
each_format = pytest.mark.parametrize("name", SAVERS)


@each_format
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "?"])
def test_dtypes(tmp_path, name, dtype):
    X = np.abs(TABLE).astype(dtype)
    SAVERS[name](tmp_path / name, X)
    points = read_points(tmp_path / name)
    np.testing.assert_array_equal(points.X, X.astype(float))
    assert points.X.dtype == (np.float32 if dtype == "f4" else np.float64)
    assert points.X.flags.c_contiguous
    assert points.feature_names == ("f0", "f1", "f2")
    assert points.name == "t"


@each_format
def test_label_column_by_index(tmp_path, name):
    SAVERS[name](tmp_path / name, TABLE)
    points = read_points(tmp_path / name, label_column=-1)
    np.testing.assert_array_equal(points.X, TABLE[:, :2])
    assert points.class_names == ("7", "9")
    np.testing.assert_array_equal(points.labels, [0, 0, 1])


@each_format
def test_columns(tmp_path, name):
    SAVERS[name](tmp_path / name, TABLE)
    points = read_points(tmp_path / name, columns=[2, 0])
    np.testing.assert_array_equal(points.X, TABLE[:, [2, 0]])
    assert points.feature_names == ("f2", "f0")


@each_format
@pytest.mark.parametrize(
    ("value", "what"),
    [(np.nan, "missing value (NaN)"), (np.inf, "infinite value"), (-np.inf, "infinite value")],
)
def test_values_that_are_not_finite(tmp_path, name, value, what):
    X = TABLE.copy()
    X[2, 1] = value
    SAVERS[name](tmp_path / name, X)
    fails(tmp_path / name, f"{name}: row 2, column 1 (both counted from 0): {what}.")


@each_format
@pytest.mark.parametrize("keep", [0.0, 0.2, 0.7, 0.98])
def test_truncated(tmp_path, name, keep):
    path = tmp_path / name
    SAVERS[name](path, np.arange(4000.0).reshape(-1, 4))
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data))])
    fails(path, "the file is empty" if keep == 0 else f"{name}: not a readable ")


@each_format
def test_garbage(tmp_path, name):
    (tmp_path / name).write_bytes(b"certainly not what the suffix says\n" * 9)
    fails(tmp_path / name, f"{name}: not a readable ")


@each_format
def test_no_rows(tmp_path, name):
    SAVERS[name](tmp_path / name, np.empty((0, 3)))
    fails(tmp_path / name, "no data")


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3), "array of shape (3,); needs two dimensions"),
        (np.zeros((2, 2, 2)), "array of shape (2, 2, 2); needs two dimensions"),
        (np.zeros((2, 2), dtype=complex), "holds complex128 values; needs real numbers."),
        (np.array([["a", "b"]]), "holds <U1 values; needs real numbers."),
        (np.zeros(2, dtype=[("a", "U3")]), "field 'a' of the records holds <U3 values; needs real numbers."),
    ],
)
@pytest.mark.parametrize("name", ["t.npy", "t.npz"])
def test_unusable_arrays(tmp_path, name, array, message):
    SAVERS[name](tmp_path / name, array)
    fails(tmp_path / name, message)


@pytest.mark.parametrize("name", ["t.npy", "t.npz"])
def test_pickled_objects_are_never_loaded(tmp_path, name):
    SAVERS[name](tmp_path / name, np.array([[1, "a"]], dtype=object))
    fails(tmp_path / name, "Object arrays cannot be loaded when allow_pickle=False")


def test_npy_that_claims_a_huge_shape(tmp_path):
    np.save(tmp_path / "t.npy", TABLE)
    data = (tmp_path / "t.npy").read_bytes().replace(b"(3, 3), }        ", b"(3, 99999999999)}")
    (tmp_path / "t.npy").write_bytes(data)
    fails(tmp_path / "t.npy", "not a readable NPY file")


def save_many(path, **named):
    if path.suffix == ".npz":
        np.savez(path, **named)
        return
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        for key, value in named.items():
            file[key] = value.astype("S") if value.dtype.kind == "U" else value


@pytest.mark.parametrize("name", ["t.npz", "t.h5"])
class TestNamedArrays:
    def test_x_and_y(self, tmp_path, name):
        save_many(tmp_path / name, X=TABLE, y=KINDS, other=TABLE)
        points = read_points(tmp_path / name)
        np.testing.assert_array_equal(points.X, TABLE)
        assert points.class_names == ("a", "b")
        np.testing.assert_array_equal(points.labels, [1, 0, 1])

    def test_key_and_label_array(self, tmp_path, name):
        save_many(tmp_path / name, **{"run/points": TABLE, "run/truth": np.array([[2.0], [np.nan], [0.5]])})
        points = read_points(tmp_path / name, key="/run/points", label_column="run/truth")
        np.testing.assert_array_equal(points.X, TABLE)
        assert points.class_names == ("0.5", "2")
        np.testing.assert_array_equal(points.labels, [1, -1, 0])

    def test_only_table(self, tmp_path, name):
        save_many(tmp_path / name, weights=np.ones(3), data=TABLE)
        np.testing.assert_array_equal(read_points(tmp_path / name).X, TABLE)

    def test_which_array(self, tmp_path, name):
        save_many(tmp_path / name, a=TABLE, b=TABLE)
        fails(tmp_path / name, "which array holds the points? Give one by key=NAME; arrays are: a, b.")
        fails(tmp_path / name, "no array 'c'; arrays are: a, b.", key="c")

    def test_no_array(self, tmp_path, name):
        save_many(tmp_path / name)
        fails(tmp_path / name, "arrays are: none.")

    def test_wrong_labels(self, tmp_path, name):
        save_many(tmp_path / name, X=TABLE, y=np.arange(4))
        fails(tmp_path / name, "4 labels for 3 points; needs one label per point.")
        save_many(tmp_path / name, X=TABLE, y=TABLE)
        fails(tmp_path / name, "labels 'y' have shape (3, 3); needs one dimension.")


class TestParquet:
    def write(self, path, **columns):
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.table(columns), path)

    def test_class_column(self, tmp_path):
        pa = pytest.importorskip("pyarrow")
        kinds = pa.array(["b", None, "a"]).dictionary_encode()
        self.write(tmp_path / "t.parquet", u=[1, 2, 3], v=[0.5, 1.5, 2.5], **{"class": kinds})
        points = read_points(tmp_path / "t.parquet")
        np.testing.assert_array_equal(points.X, [[1, 0.5], [2, 1.5], [3, 2.5]])
        assert points.class_names == ("a", "b")
        np.testing.assert_array_equal(points.labels, [1, -1, 0])
        assert points.feature_names == ("u", "v")

    def test_text_column(self, tmp_path):
        self.write(tmp_path / "t.parquet", u=[1, 2], v=["x", "y"])
        fails(tmp_path / "t.parquet", "column 'v' holds string values; needs numbers.")
        assert read_points(tmp_path / "t.parquet", label_column="v").class_names == ("x", "y")

    def test_null_is_a_missing_value(self, tmp_path):
        self.write(tmp_path / "t.parquet", u=[1, None])
        fails(tmp_path / "t.parquet", "row 1, column 0 (both counted from 0): missing value (NaN).")


@pytest.mark.parametrize(
    ("name", "module", "message"),
    [
        ("t.parquet", "pyarrow", "reading Parquet needs pyarrow: pip install intarsia[io]"),
        ("t.h5", "h5py", "reading HDF5 needs h5py: pip install intarsia[io]"),
    ],
)
def test_optional_package_missing(tmp_path, monkeypatch, name, module, message):
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / name).write_bytes(b"x")
    fails(tmp_path / name, message)


def test_numpy_formats_need_no_optional_package(tmp_path, monkeypatch):
    real_import = builtins.__import__

    def guarded(name, *args, **kwargs):
        assert name.split(".")[0] not in {"pyarrow", "h5py"}
        return real_import(name, *args, **kwargs)

    np.save(tmp_path / "t.npy", TABLE)
    monkeypatch.setattr(builtins, "__import__", guarded)
    np.testing.assert_array_equal(read_points(tmp_path / "t.npy").X, TABLE)


@given(
    X=arrays(
        st.sampled_from([np.float32, np.float64]),
        array_shapes(min_dims=2, max_dims=2, max_side=5),
        elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
    ),
    data=st.data(),
)
def test_npz_round_trip(tmp_path_factory, X, data):
    y = data.draw(arrays(np.int64, len(X), elements=st.integers(-9, 9)))
    path = tmp_path_factory.mktemp("npz") / "t.npz"
    np.savez_compressed(path, X=X, y=y)
    points = read_points(path)
    np.testing.assert_array_equal(points.X, X)
    assert points.X.dtype == X.dtype
    assert [int(points.class_names[code]) for code in points.labels] == y.tolist()
