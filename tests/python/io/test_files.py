"""Paths, suffixes, data folders, and labels of every type."""

import os
import re

import numpy as np
import pytest

from intarsia.io import DataError, read_points
from intarsia.io.points import encode_labels
from intarsia.io.read import READERS


def fails(call, message):
    with pytest.raises(DataError, match=re.escape(message)):
        call()


def test_data_error_is_a_value_error():
    assert issubclass(DataError, ValueError)


@pytest.mark.parametrize("suffix", READERS)
def test_missing_file_and_empty_file(tmp_path, suffix):
    path = tmp_path / f"points{suffix}"
    fails(lambda: read_points(path), f"points{suffix}: no such file.")
    path.touch()
    fails(lambda: read_points(path), f"points{suffix}: the file is empty.")


def test_directory(tmp_path):
    fails(lambda: read_points(tmp_path), "is a directory; needs a file.")


@pytest.mark.parametrize("name", ["points.xlsx", "points", "points.pkl", "points.npy.gz"])
def test_unknown_suffix(tmp_path, name):
    (tmp_path / name).write_text("1,2\n")
    fails(lambda: read_points(tmp_path / name), "unknown file type; known suffixes are .csv, .csv.gz, ")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads every file")
def test_unreadable_file(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("1,2\n")
    path.chmod(0)
    fails(lambda: read_points(path), "points.csv: cannot be read (Permission denied).")


def test_suffix_in_capitals(tmp_path):
    (tmp_path / "My.Points.CSV").write_text("1,2\n")
    assert read_points(str(tmp_path / "My.Points.CSV")).name == "My.Points"


def test_relative_path_in_data_dir(tmp_path):
    (tmp_path / "points.csv").write_text("1,2\n")
    assert read_points("points.csv", data_dir=tmp_path).n_points == 1
    fails(lambda: read_points("other.csv", data_dir=tmp_path), "other.csv: no such file.")


@pytest.mark.parametrize(
    ("values", "codes", "names"),
    [
        (["b", "a", "b"], [1, 0, 1], ("a", "b")),
        ([10, 9, -1], [2, 1, 0], ("-1", "9", "10")),
        (["10", "9"], [1, 0], ("9", "10")),
        ([1.0, np.nan, 0.5], [1, -1, 0], ("0.5", "1")),
        ([True, False], [1, 0], ("False", "True")),
        (np.array([b"x", b"", b"x"]), [0, -1, 0], ("x",)),
        (np.array(["x", None, 3], dtype=object), [1, -1, 0], ("3", "x")),
        ([" x", "x "], [0, 0], ("x",)),
    ],
)
def test_encode_labels(values, codes, names):
    got, got_names = encode_labels(values)
    assert got.dtype == np.int32
    assert got.tolist() == codes
    assert got_names == names
