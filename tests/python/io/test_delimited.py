"""CSV, TSV and TXT: every layout is read, every fault is named by file, line and column."""

import gzip
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from intarsia.io import DataError, DataWarning, read_points

TABLE = np.array([[1.5, 2.0], [-3.0, 4e-3], [5.0, 6.25]])


def write(tmp_path, text, name="points.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def fails(path, message, **options):
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        read_points(path, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("header", ["", "a,b\n", "# a comment\n\na,b\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " ", "   "])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_layouts(tmp_path, header, delimiter, newline):
    rows = [header.replace(",", delimiter)] + [f"{a!r}{delimiter}{b!r}\n" for a, b in TABLE.tolist()]
    path = tmp_path / "points.txt"
    path.write_bytes("".join(rows).replace("\n", newline).encode())
    points = read_points(path)
    np.testing.assert_array_equal(points.X, TABLE)
    assert points.feature_names == (("a", "b") if header else ("f0", "f1"))
    assert points.labels is None
    assert points.name == "points"
    assert points.X.dtype == np.float64
    assert points.X.flags.c_contiguous
    assert (points.n_points, points.n_features) == (3, 2)


def test_aligned_columns_with_leading_space_and_tabs(tmp_path):
    path = write(tmp_path, "\t1.5 \t 2\n\t-3\t4e-3\n 5  6.25\n", "points.txt")
    np.testing.assert_array_equal(read_points(path).X, TABLE)


def test_byte_order_mark_and_blank_lines(tmp_path):
    path = write(tmp_path, "\ufeffa,b\n1,2\n\n  \n3,4\n\n")
    points = read_points(path)
    assert points.feature_names == ("a", "b")
    np.testing.assert_array_equal(points.X, [[1, 2], [3, 4]])


def test_single_column_and_single_row(tmp_path):
    np.testing.assert_array_equal(read_points(write(tmp_path, "x\n1\n2\n")).X, [[1], [2]])
    np.testing.assert_array_equal(read_points(write(tmp_path, "1,2")).X, [[1, 2]])


def test_header_can_be_forced(tmp_path):
    path = write(tmp_path, "2019,2020\n1,2\n")
    assert read_points(path).n_points == 2
    assert read_points(path, header=True).feature_names == ("2019", "2020")
    fails(write(tmp_path, "a,b\n1,2\n"), "points.csv: line 1, column 1 ('a'): not a number.", header=False)


@pytest.mark.parametrize("column", ["kind", 1, -2, "1", "-2"])
def test_label_column_by_name_and_index(tmp_path, column):
    points = read_points(write(tmp_path, 'a,kind,b\n1,y,2\n3,"x, z",4\n5,,6\n'), label_column=column)
    np.testing.assert_array_equal(points.X, [[1, 2], [3, 4], [5, 6]])
    assert points.class_names == ("x, z", "y")
    np.testing.assert_array_equal(points.labels, [1, 0, -1])
    assert points.labels.dtype == np.int32
    assert points.feature_names == ("a", "b")


@pytest.mark.parametrize("title", ["class", "label", "Class", "target", "Species"])
@pytest.mark.parametrize("text", ["a,{}\n1,10\n2,9\n3,10\n", "{},a\n10,1\n9,2\n10,3\n"])
def test_last_or_first_column_called_class_is_the_labels(tmp_path, title, text):
    points = read_points(write(tmp_path, text.format(title)))
    assert points.label_name == title
    assert points.class_names == ("9", "10")
    np.testing.assert_array_equal(points.labels, [1, 0, 1])
    np.testing.assert_array_equal(points.X, [[1], [2], [3]])


def test_class_column_elsewhere_or_asked_for_is_a_feature(tmp_path):
    with pytest.warns(DataWarning, match="column 'class' is a feature"):
        assert read_points(write(tmp_path, "b,class,a\n1,2,10\n")).labels is None
    path = write(tmp_path, "a,class\n1,10\n")
    assert read_points(path, columns=["class", "a"]).X.tolist() == [[10, 1]]


def test_headerless_text_labels(tmp_path):
    path = write(tmp_path, "5.1,3.5,setosa\n6.0,2.9,virginica\n")
    assert read_points(path, label_column=-1).class_names == ("setosa", "virginica")
    fails(path, "line 1, column 3 ('setosa'): not a number.")


def test_columns_are_chosen_and_others_ignored(tmp_path):
    points = read_points(write(tmp_path, "id,a,b,c\nn1,1,2,\nn2,3,4,nan\n"), columns=["b", 1])
    assert points.X.tolist() == [[2, 1], [4, 3]]
    assert points.feature_names == ("b", "a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n" + "1,2,3\n" * 5 + "1,2,abc\n", "points.csv: line 7, column 3 ('abc'): not a number."),
        ("1,2,3,4,5\n" * 8 + "1,2,3,4\n", "points.csv: line 9 has 4 fields, expected 5."),
        ("1,2\n1,2,3\n", "points.csv: line 2 has 3 fields, expected 2."),
        ("a,b\n1,2,3\n1,2,3\n", "points.csv: line 2 has 3 fields, expected 2."),
        ("a,b,class\n1,2,x\n1,2\n", "points.csv: line 3 has 2 fields, expected 3."),
        ("a,b,class\n1,2,x\n1,2,x,9\n", "points.csv: line 3 has 4 fields, expected 3."),
        ("1,2\n" * 11 + "1,nan\n", "points.csv: line 12, column 2: missing value (NaN)."),
        ("1,2\n\n# note\n1,inf\n", "points.csv: line 4, column 2: infinite value."),
        ("1,2\n-1e999,2\n", "points.csv: line 2, column 1: infinite value."),
        ("a,b\n1,2\n,2\n", "points.csv: line 3, column 1: missing value (empty field)."),
        ("1 2\n1 2 3\n", "points.csv: line 2 has 3 fields, expected 2."),
        ("1_0,2\n", "points.csv: line 1, column 1 ('1_0'): not a number."),
        ("1,2\n" + "x" * 99 + ",2\n", "('" + "x" * 37 + "...'): not a number."),
        ("1,5;2,5\n1,0;2,0\n", "points.csv: line 1, column 1 ('1,5'): not a number."),
        ('a,class\n1,x\n2,"y\n3,z\n4,z\n', "points.csv: line 3: a quoted field does not end on its line."),
        ("", "points.csv: the file is empty."),
        ("\n \n# only a comment\n", "points.csv: the file is empty."),
        ("a,b\n", "points.csv: the file has a header but no data rows."),
        ("class\n1\n", "points.csv: no feature column is chosen"),
        ("1,2\n3,４\n", "points.csv: line 2, column 2 ('４'): not a number."),
    ],
)
def test_faults_are_named(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, text)
    fails("points.csv", message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label_column": "kind"}, "no column 'kind'; columns are a, b."),
        ({"label_column": 2}, "no column 2; the file has 2 columns (0 to 1)."),
        ({"columns": [-3]}, "no column -3; the file has 2 columns"),
        ({"columns": []}, "no feature column is chosen"),
        ({"columns": ["a"], "label_column": "a"}, "asked for both as labels and as a feature."),
        ({"columns": "a"}, "columns='a' should be a list of names or indices."),
        ({"label_column": 0.5}, "column 0.5 should be a name or a whole number."),
        ({"header": "yes"}, "header='yes' should be True, False or 'auto'."),
        ({"delimiter": "::"}, "delimiter='::' should be one character, 'tab' or 'whitespace'."),
    ],
)
def test_bad_options(tmp_path, options, message):
    fails(write(tmp_path, "a,b\n1,2\n"), message, **options)


def test_column_name_without_header(tmp_path):
    fails(
        write(tmp_path, "1,2\n"),
        "no column 'kind'; the file has no header; give an index",
        label_column="kind",
    )


def test_delimiter_given(tmp_path):
    assert read_points(write(tmp_path, "1|2\n3|4\n"), delimiter="|").X.tolist() == [[1, 2], [3, 4]]
    assert read_points(write(tmp_path, "1  2\n"), delimiter="whitespace").X.tolist() == [[1, 2]]


def test_tsv_keeps_empty_fields_apart(tmp_path):
    fails(write(tmp_path, "1\t\t3\n", "points.tsv"), "line 1, column 2: missing value (empty field).")


def test_not_text(tmp_path):
    path = tmp_path / "points.csv"
    path.write_bytes(b"1,2\n" * 5000 + b"\xff\xfe\x00\n")
    fails(path, "points.csv: not UTF-8 text.")


def test_nul_bytes_are_no_numbers(tmp_path):
    fails(write(tmp_path, "1,2\n3,\0\n"), "line 2, column 2 ('\\x00'): not a number.")


def test_damaged_gzip(tmp_path):
    path = tmp_path / "points.csv.gz"
    packed = gzip.compress("".join(f"{i},{i * i}\n" for i in range(5000)).encode())
    path.write_bytes(packed[: len(packed) // 2])
    fails(path, "points.csv.gz: not a readable gzip file (Compressed file ended")
    path.write_bytes(b"1,2\n3,4\n")
    fails(path, "points.csv.gz: not a readable gzip file (Not a gzipped file")
    path.write_bytes(packed[:40] + b"\xff" * 40 + packed[80:])
    fails(path, "points.csv.gz: not a readable gzip file")


FINITE = st.floats(allow_nan=False, allow_infinity=False)
TABLES = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=FINITE)


@given(X=TABLES, delimiter=st.sampled_from([",", ";", "\t", " "]), header=st.booleans(), packed=st.booleans())
def test_round_trip(tmp_path_factory, X, delimiter, header, packed):
    rows = [[f"f{j}" for j in range(X.shape[1])]] if header else []
    rows += [[repr(v) for v in row] for row in X.tolist()]
    data = "\n".join(delimiter.join(row) for row in rows).encode()
    path = tmp_path_factory.mktemp("csv") / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(data) if packed else data)
    np.testing.assert_array_equal(read_points(path).X, X)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters='"#'), min_size=1
)


@given(names=st.lists(NAMES, min_size=1, max_size=8))
def test_label_round_trip(tmp_path_factory, names):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_text("a,class\n" + "".join(f'1,"{name}"\n' for name in names), encoding="utf-8", newline="")
    points = read_points(path)
    assert [points.class_names[code] for code in points.labels] == names


def test_large_file_is_parsed_in_bulk(tmp_path, monkeypatch):
    def slow_path(*_):
        pytest.fail("a good file must not be split line by line")

    monkeypatch.setattr("intarsia.io.delimited.raise_for_bad_row", slow_path)
    X = np.random.default_rng(0).standard_normal((2000, 20))
    path = write(tmp_path, "\n".join(",".join(map(repr, row)) + ",k" for row in X.tolist()))
    np.testing.assert_array_equal(read_points(path, label_column=-1).X, X)
