"""TSPLIB files: coordinates are read, faults are named."""

import gzip
import re

import numpy as np
import pytest

from intarsia.datasets import find_data
from intarsia.io import DataError, read_points

GOOD = """NAME : tiny
COMMENT : three: towns
TYPE : TSP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 2.5e+01 3
 2   4   5.5

3 -6 7
EOF
"""


def write(tmp_path, text):
    path = tmp_path / "file.tsp"
    path.write_text(text)
    return path


@pytest.mark.parametrize("kind", ["EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "ATT"])
def test_plane(tmp_path, kind):
    points = read_points(write(tmp_path, GOOD.replace("EUC_2D", kind)))
    np.testing.assert_array_equal(points.X, [[25, 3], [4, 5.5], [-6, 7]])
    assert points.X.flags.c_contiguous
    assert points.name == "tiny"
    assert points.feature_names == ("x", "y")


@pytest.mark.parametrize(
    ("old", "new"),
    [("EOF\n", ""), ("EOF\n", "TOUR_SECTION\n1\n-1\nEOF\n"), (" : ", ":"), ("SECTION\n", "SECTION : \n")],
)
def test_variants(tmp_path, old, new):
    assert read_points(write(tmp_path, GOOD.replace(old, new))).n_points == 3


def test_space_and_gzip(tmp_path):
    text = "DIMENSION: 1\nEDGE_WEIGHT_TYPE: EUC_3D\nNODE_COORD_SECTION\n1 2 3 4\n"
    path = tmp_path / "file.tsp.gz"
    path.write_bytes(gzip.compress(text.encode()))
    points = read_points(path)
    np.testing.assert_array_equal(points.X, [[2, 3, 4]])
    assert points.name == "file"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NODE_COORD_SECTION", "NODES", "file.tsp: no NODE_COORD_SECTION; needs a TSPLIB file"),
        ("DIMENSION : 3", "DIMENSION : 4", "file.tsp: DIMENSION is 4 but NODE_COORD_SECTION has 3 lines."),
        ("DIMENSION : 3\n", "", "file.tsp: no DIMENSION line before NODE_COORD_SECTION."),
        ("DIMENSION : 3", "DIMENSION : many", "file.tsp: DIMENSION 'many' is not a positive whole number."),
        ("EUC_2D", "EXPLICIT", "file.tsp: EDGE_WEIGHT_TYPE EXPLICIT not supported; needs one of EUC_2D, "),
        ("5.5", "abc", "file.tsp: line 8, column 3 ('abc'): not a number."),
        ("3 -6 7", "3 -6", "file.tsp: line 10 has 2 fields, expected 3."),
        ("5.5", "nan", "file.tsp: line 8, column 3: missing value (NaN)."),
        ("EUC_2D", "EUC_3D", "file.tsp: line 7 has 3 fields, expected 4."),
        (GOOD, "\n", "file.tsp: the file is empty."),
    ],
)
def test_faults(tmp_path, old, new, message):
    with pytest.raises(DataError, match=re.escape(message)):
        read_points(write(tmp_path, GOOD.replace(old, new)))


@pytest.mark.parametrize("options", [{"label_column": 0}, {"columns": [0]}])
def test_column_options_do_not_apply(tmp_path, options):
    with pytest.raises(DataError, match="a TSPLIB file has no label column"):
        read_points(write(tmp_path, GOOD), **options)


def test_u1060(data_dir):
    points = read_points(find_data("u1060", data_dir))
    assert points.X.shape == (1060, 2)
    assert points.X[0].tolist() == [4003.2, 2997.9]
