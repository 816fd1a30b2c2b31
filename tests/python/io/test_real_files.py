"""Files as other programs write them: the right points, features and class column, or one line that helps."""

from __future__ import annotations

import gzip
import io
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pytest

from intarsia.io import DataError, DataWarning, read_points

N, D = 12, 3
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, D)).round(3) + 0.0005  # no value is whole
COUNTS = RNG.integers(3, 90, (N, D))
KINDS = np.array(["setosa", "virginica", "versicolor"])[RNG.integers(0, 3, N)]
CODES = RNG.integers(1, 4, N)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
BARE = pd.DataFrame(X)


@dataclass(frozen=True)
class Case:
    """A file: its name and bytes, how it is read, and what is found or said."""

    title: str
    name: str
    content: Any
    options: dict[str, Any] = field(default_factory=dict)
    n: int = N
    d: int = D
    label: str | None = None
    error: str = ""
    warns: str = ""
    note: str = ""
    values: np.ndarray | None = None


def text(rows, sep=",", decimal=".", quote=""):
    """Rows of numbers and words as a program would print them."""
    lines = []
    for row in rows:
        fields = [f"{v:g}" if isinstance(v, float) else str(v) for v in row]
        lines.append(sep.join(f"{quote}{f.replace('.', decimal)}{quote}" for f in fields))
    return "\n".join(lines) + "\n"


def csv(frame, **options):
    return frame.to_csv(**options)


def with_class(frame, title, at=None, values=KINDS):
    frame = frame.copy()
    frame.insert(len(frame.columns) if at is None else at, title, values)
    return frame


def with_gaps(mark):
    rows = [list(map(str, row)) for row in X]
    rows[2][1] = rows[5][0] = rows[5][2] = mark
    return text(rows)


def parquet(frame, **options):
    stream = io.BytesIO()
    frame.to_parquet(stream, **options)
    return stream.getvalue()


def parquet_without_pandas(frame):
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.table({str(name): frame[name].to_numpy() for name in frame}), stream)
    return stream.getvalue()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def hdf5(**arrays):
    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        for name, array in arrays.items():
            file[name.replace("__", "/")] = array
    return stream.getvalue()


NAMED = csv(FRAME, index=False)
ROWS = text(X.tolist())
INDEX = "index column (unnamed) left out"
GONE = "2 points with missing values left out"
R_ROWS = [f'"{i}",{",".join(map(str, row))}' for i, row in enumerate(X, 1)]
HEADLESS_GAP = "," + ROWS.partition(",")[2]
UCI = text([[*row, kind] for row, kind in zip(X.tolist(), KINDS, strict=True)])
LATIN = "größe,b\n1.5,2\n"

CASES = [
    # pandas
    Case("names, no index", "x.csv", NAMED, values=X),
    Case("names and index", "x.csv", csv(FRAME), note=INDEX, values=X),
    Case("no names, no index", "x.csv", csv(BARE, index=False), warns="(0,1,2) is taken for the names"),
    Case("no names, index", "x.csv", csv(BARE), note=INDEX, values=X),
    Case("no header", "x.csv", csv(BARE, index=False, header=False), values=X),
    Case("no names, no header, asked", "x.csv", csv(BARE, index=False), {"header": True}, values=X),
    Case("no names, called points", "x.csv", csv(BARE, index=False), {"header": False}, n=N + 1),
    Case(
        "counts without names",
        "x.csv",
        csv(pd.DataFrame(COUNTS), index=False),
        warns="header=False",
        values=COUNTS,
    ),
    Case("shuffled index", "x.csv", csv(FRAME.sample(frac=1, random_state=0)), note=INDEX),
    Case(
        "index of words", "x.csv", csv(FRAME.set_index(pd.Index([f"row {i}" for i in range(N)]))), note=INDEX
    ),
    Case(
        "read with its index and written again",
        "x.csv",
        csv(pd.read_csv(io.StringIO(csv(FRAME))), index=False),
        note="index column (Unnamed: 0) left out",
    ),
    Case(
        "years for names",
        "x.csv",
        csv(BARE.set_axis([2019, 2020, 2021], axis=1), index=False),
        warns="(2019,2020,2021) is taken for the names",
        values=X,
    ),
    Case(
        "years above counts",
        "x.csv",
        csv(pd.DataFrame(COUNTS, columns=[2019, 2020, 2021]), index=False),
        warns="(2019,2020,2021)",
        values=COUNTS,
    ),
    Case(
        "one column without a name",
        "x.csv",
        csv(BARE[[0]], index=False),
        d=1,
        warns="(0) is taken for the names",
    ),
    Case("class last", "x.csv", csv(with_class(FRAME, "class"), index=False), label="class", values=X),
    Case(
        "class first",
        "x.csv",
        csv(with_class(FRAME, "class", 0, CODES), index=False),
        label="class",
        values=X,
    ),
    Case(
        "class last with index",
        "x.csv",
        csv(with_class(FRAME, "species")),
        label="species",
        note=INDEX,
        values=X,
    ),
    Case(
        "class in the middle, of words",
        "x.csv",
        csv(with_class(FRAME, "kind", 1), index=False),
        error="line 2, column 2 (",
    ),
    Case(
        "class kept",
        "x.csv",
        csv(with_class(FRAME, "class", None, CODES), index=False),
        {"label_column": "none"},
        d=4,
    ),
    Case(
        "class of words under another name",
        "x.csv",
        csv(with_class(FRAME, "kind"), index=False),
        error="label_column='kind' takes the column for the classes, drop=['kind'] leaves it out.",
    ),
    Case("and dropped", "x.csv", csv(with_class(FRAME, "kind"), index=False), {"drop": ["kind"]}, values=X),
    Case("packed", "x.csv.gz", gzip.compress(csv(FRAME).encode()), note=INDEX, values=X),
    Case("tabs", "x.tsv", csv(FRAME, sep="\t", index=False), values=X),
    Case("bars", "x.txt", csv(FRAME, sep="|", index=False), values=X),
    Case(
        "two columns of one name, one asked for",
        "x.csv",
        csv(FRAME.set_axis(["a", "a", "c"], axis=1), index=False),
        {"columns": ["a"]},
        error="columns 0, 1 (counted from 0) are all called 'a'; give one by its place.",
    ),
    Case(
        "two columns of one name",
        "x.csv",
        csv(FRAME.set_axis(["a", "a", "c"], axis=1), index=False),
        values=X,
    ),
    Case(
        "a comma at the end of every line",
        "x.csv",
        NAMED.replace("\n", ",\n"),
        error="The column has no value at all: drop=[-1] leaves it out.",
    ),
    Case("and that dropped", "x.csv", NAMED.replace("\n", ",\n"), {"drop": [-1]}, values=X),
    Case(
        "a number that counts, last",
        "x.csv",
        csv(FRAME.assign(id=range(1000, 1000 + N)), index=False),
        d=4,
        warns="column 'id' only counts the rows, but is a feature; drop=['id'] leaves it out.",
    ),
    Case(
        "numbers of customers",
        "x.csv",
        csv(FRAME.assign(customer_id=RNG.permutation(N) + 5000), index=False),
        d=4,
        warns="column 'customer_id' only names the rows",
    ),
    Case("numbers of groups", "x.csv", csv(FRAME.assign(group_id=np.arange(N) % 4), index=False), d=4),
    Case("a grid", "x.csv", csv(FRAME.assign(grid=RNG.permutation(N)), index=False), d=4),
    Case(
        "row numbers without a header",
        "x.csv",
        csv(BARE, header=False),
        d=4,
        warns="column 0 only counts the rows, but is a feature; drop=[0] leaves it out.",
    ),
    Case("gaps", "x.csv", csv(FRAME.mask(FRAME < -1), index=False), error="missing='drop' leaves them out"),
    Case("gaps dropped", "x.csv", with_gaps(""), {"missing": "drop"}, n=N - 2, note=GONE),
    Case(
        "gaps filled",
        "x.csv",
        with_gaps("NA"),
        {"missing": "median"},
        note="3 missing values in 2 points set to the median",
    ),
    Case("Parquet", "x.parquet", parquet(FRAME), values=X),
    Case(
        "Parquet with index",
        "x.parquet",
        parquet(FRAME.sample(frac=1, random_state=0), index=True),
        note="index column (__index_level_0__) left out",
    ),
    Case(
        "Parquet with named index",
        "x.parquet",
        parquet(FRAME.rename_axis("id"), index=True),
        note="index column (id) left out",
        values=X,
    ),
    Case("Parquet with words", "x.parquet", parquet(with_class(FRAME, "kind")), error="label_column='kind'"),
    Case(
        "class first with index",
        "x.csv",
        csv(with_class(FRAME, "class", 0, CODES)),
        label="class",
        note=INDEX,
    ),
    Case(
        "class last, a number of the rows after it dropped",
        "x.csv",
        csv(with_class(FRAME, "class", None, CODES).assign(id=range(N)), index=False),
        {"drop": ["id"]},
        label="class",
        values=X,
    ),
    Case(
        "class in the middle, of numbers",
        "x.csv",
        csv(with_class(FRAME, "class", 1, CODES), index=False),
        d=4,
        warns="column 'class' is a feature; label_column='class' takes it for the classes, drop=['class']",
    ),
    Case(
        "class first and last",
        "x.csv",
        csv(with_class(with_class(FRAME, "class", 0, CODES), "label", None, CODES), index=False),
        d=4,
        label="label",
        warns="column 'class' is a feature; drop=['class'] leaves it out.",
    ),
    Case(
        "an index of two columns",
        "x.csv",
        csv(FRAME.set_index(pd.MultiIndex.from_arrays([range(N), CODES]))),
        note="index column (unnamed, unnamed) left out",
        values=X,
    ),
    Case(
        "an index written twice",
        "x.csv",
        csv(pd.read_csv(io.StringIO(csv(FRAME)))),
        note="index column (unnamed, Unnamed: 0) left out",
        values=X,
    ),
    Case("no header, first value missing", "x.csv", HEADLESS_GAP, error="line 1, column 1: missing value"),
    Case(
        "no header, first value missing, dropped",
        "x.csv",
        HEADLESS_GAP,
        {"missing": "drop"},
        n=N - 1,
        note="1 point with missing values left out",
        values=X[1:],
    ),
    Case(
        "no header, first point missing",
        "x.csv",
        "?,?,?\n" + ROWS,
        {"missing": "drop"},
        note="1 point with missing values left out",
        values=X,
    ),
    Case(
        "wavelengths for names",
        "x.csv",
        csv(BARE.set_axis([400.5, 410.25, 420.5], axis=1), index=False),
        warns="(400.5,410.25,420.5) is taken for the names",
        values=X,
    ),
    Case(
        "names that pandas made floats",
        "x.csv",
        csv(BARE.set_axis([0.0, 1.0, 2.0], axis=1), index=False),
        warns="(0.0,1.0,2.0) is taken for the names",
        values=X,
    ),
    Case(
        "some columns of many without names",
        "x.csv",
        csv(pd.DataFrame(COUNTS + 20, columns=[3, 5, 9]), index=False),
        n=N + 1,
        warns="(3,5,9) is taken for a point; header=True makes it names.",
    ),
    # polars
    Case(
        "polars, one column with a null",
        "x.csv",
        "a\n1.5\n\n3.5\n",
        n=2,
        d=1,
        warns="line 3 is blank and left out; a missing value is written NA.",
    ),
    Case(
        "polars CSV",
        "x.csv",
        csv(FRAME.set_axis(["column_0", "column_1", "column_2"], axis=1), index=False),
        values=X,
    ),
    Case(
        "polars Parquet",
        "x.parquet",
        parquet_without_pandas(with_class(FRAME, "label", None, CODES)),
        label="label",
    ),
    Case(
        "Parquet with index and class",
        "x.parquet",
        parquet(with_class(FRAME, "class", None, CODES).sample(frac=1, random_state=0), index=True),
        label="class",
        note="index column (__index_level_0__) left out",
    ),
    # R
    Case(
        "write.csv with row names",
        "x.csv",
        '"","a","b","c"\n' + "\n".join(R_ROWS) + "\n",
        note=INDEX,
        values=X,
    ),
    Case(
        "write.table",
        "x.txt",
        '"a" "b" "c"\n' + "\n".join(R_ROWS).replace(",", " ") + "\n",
        note=INDEX,
        values=X,
    ),
    Case(
        "write.table with commas",
        "x.csv",
        '"a","b","c"\n' + "\n".join(R_ROWS) + "\n",
        note=INDEX,
        values=X,
    ),
    Case(
        "write.csv with NA",
        "x.csv",
        "a,b,c\n" + with_gaps("NA"),
        error="missing value ('NA'). 2 of 12 points miss a value",
    ),
    # spreadsheets
    Case("semicolons", "x.csv", csv(FRAME, sep=";", index=False), values=X),
    Case(
        "decimal commas", "x.csv", csv(FRAME, sep=";", decimal=",", index=False), {"decimal": ","}, values=X
    ),
    Case("a spreadsheet's own line", "x.csv", "sep=;\n" + csv(FRAME, sep=";", index=False), values=X),
    Case(
        "points between thousands",
        "x.csv",
        "a;b\n1.234;2,5\n2.345;3,5\n",
        {"decimal": ","},
        error="line 2, column 1 ('1.234'): not a number. decimal=',' takes no points between thousands.",
    ),
    Case(
        "decimal commas unasked",
        "x.csv",
        csv(FRAME, sep=";", decimal=",", index=False),
        error="Decimal commas are read with decimal=','.",
    ),
    Case(
        "decimal commas, words",
        "x.csv",
        csv(with_class(FRAME, "class"), sep=";", decimal=",", index=False),
        {"decimal": ","},
        label="class",
        values=X,
    ),
    Case("byte order mark", "x.csv", b"\xef\xbb\xbf" + NAMED.encode(), values=X),
    Case("Unicode text", "x.txt", csv(FRAME, sep="\t", index=False).encode("utf-16"), values=X),
    Case("Latin-1", "x.csv", LATIN.encode("latin-1"), error="not UTF-8 text"),
    Case("CR LF", "x.csv", NAMED.replace("\n", "\r\n").encode(), values=X),
    Case("CR alone", "x.csv", NAMED.replace("\n", "\r").encode(), values=X),
    Case("all in quotes", "x.csv", csv(FRAME, index=False, quoting=1), values=X),
    Case("a thousands comma", "x.csv", 'a,b\n"1,234.5",2\n3,4\n', error="('1,234.5'): not a number."),
    # the UCI repository
    Case("iris.data", "iris.data", UCI + "\n", error="label_column=-1 takes the column for the classes"),
    Case("iris.data, class last", "iris.data", UCI, {"label_column": -1}, label="column 4", values=X),
    Case(
        "wine.data, class first",
        "wine.data",
        text([[int(c), *row] for c, row in zip(CODES, X.tolist(), strict=True)]),
        {"label_column": 0},
        label="column 1",
        values=X,
    ),
    Case(
        "question marks", "x.data", with_gaps("?"), error="missing value ('?'). 2 of 12 points miss a value"
    ),
    Case("question marks dropped", "x.data", with_gaps("?"), {"missing": "drop"}, n=N - 2, note=GONE),
    Case("aligned by spaces", "x.dat", text(X.tolist(), "   "), values=X),
    # arrays
    Case("NPY", "x.npy", npy(X), values=X),
    Case("NPY of records", "x.npy", npy(FRAME.to_records(index=False)), values=X),
    Case("NPZ of one", "x.npz", npz(arr_0=X), values=X),
    Case("NPZ with X and y", "x.npz", npz(X=X, y=CODES), label="y", values=X),
    Case(
        "NPZ of several",
        "x.npz",
        npz(train=X, test=X[:3]),
        error="Give one by key=NAME; arrays are: test, train.",
    ),
    Case("NPZ of a table and a list", "x.npz", npz(a=X, b=CODES), note="array a taken, b not", values=X),
    Case("NPZ of several, named", "x.npz", npz(train=X, test=X[:3]), {"key": "test"}, n=3),
    Case(
        "HDF5 in a group",
        "x.h5",
        hdf5(run__points=X, run__note=np.zeros(2)),
        note="array run/points taken, run/note not",
        values=X,
    ),
    Case("HDF5 of several", "x.h5", hdf5(a=X, b=X), error="Give one by key=NAME; arrays are: a, b."),
    Case("HDF5 by key", "x.h5", hdf5(a=X, b=X[:4]), {"key": "b"}, n=4),
]


def test_there_are_enough():
    assert len(CASES) >= 40
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_real_file(tmp_path, case):
    path = tmp_path / case.name
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if case.error:
            with pytest.raises(DataError) as refused:
                read_points(path, **case.options)
            assert case.error in str(refused.value)
            assert "\n" not in str(refused.value)
            return
        points = read_points(path, **case.options)
    assert (points.n_points, points.n_features) == (case.n, case.d)
    assert points.label_name == case.label
    assert (points.labels is not None) == (case.label is not None)
    assert points.notes == ((case.note,) if case.note else ())
    said = [str(warning.message) for warning in caught if warning.category is DataWarning]
    assert len(said) == bool(case.warns)
    assert case.warns in "".join(said)
    if case.values is not None:
        np.testing.assert_allclose(points.X, case.values, rtol=1e-12)


def test_medians_are_those_of_numpy(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(with_gaps("?"))
    gaps = X.copy()
    gaps[2, 1] = gaps[5, 0] = gaps[5, 2] = np.nan
    expected = np.where(np.isnan(gaps), np.nanmedian(gaps, axis=0), gaps)
    np.testing.assert_allclose(read_points(path, missing="median").X, expected)
    dropped = read_points(path, missing="drop")
    np.testing.assert_allclose(dropped.X, np.delete(gaps, [2, 5], axis=0))
    assert np.flatnonzero(~dropped.kept).tolist() == [2, 5]


def test_given_values_stand_for_missing_ones(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(with_gaps("?"))
    filled = read_points(path, missing=[7.0, 8.0, 9.0])
    assert [filled.X[2, 1], filled.X[5, 0], filled.X[5, 2]] == [8.0, 7.0, 9.0]
    assert filled.notes == ("3 missing values in 2 points set to the values given for them",)
    with pytest.raises(DataError, match="2 values for missing ones should be 3"):
        read_points(path, missing=[7.0, 8.0])


def test_a_column_that_counts_rows_is_warned_of(tmp_path):
    csv_of = FRAME.assign(id=range(1, N + 1))[["id", "a", "b"]]
    csv_of.to_csv(tmp_path / "x.csv", index=False)
    with pytest.warns(DataWarning, match=r"column 'id' only counts the rows.*drop=\['id'\]"):
        assert read_points(tmp_path / "x.csv").n_features == 3
    assert read_points(tmp_path / "x.csv", drop=["id"]).n_features == 2
    with pytest.raises(DataError, match="key=X is for files of several arrays"):
        read_points(tmp_path / "x.csv", key="X")
