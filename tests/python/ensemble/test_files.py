"""Ensembles on disk: what is written is read back, what others wrote is understood, bad files are named."""

from __future__ import annotations

import numpy as np
import pytest

from intarsia import Ensemble
from intarsia.io import DataError

HARD = Ensemble.from_labels([[0, 0, 1, 2], [1, 0, -1, 0]])
SOFT = Ensemble.from_memberships(
    [np.array([[0.1, 0.9], [1 / 3, 2 / 3], [0, 0]]), np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0, 1, 0]])]
)


def assert_same(a: Ensemble, b: Ensemble) -> None:
    assert a.is_soft == b.is_soft
    for name in ("labels", "n_classes", "member_weights", "point_weights"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    if a.is_soft:
        np.testing.assert_array_equal(a.memberships, b.memberships)


@pytest.mark.parametrize("suffix", ["npz", "csv", "parquet"])
@pytest.mark.parametrize("ensemble", [HARD, SOFT], ids=["hard", "soft"])
def test_round_trip(tmp_path, ensemble, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"e.{suffix}"
    ensemble.save(path)
    assert_same(Ensemble.load(path), ensemble)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_npz_keeps_weights(tmp_path):
    rows, _ = Ensemble.from_labels([[0, 0, 1], [0, 0, 1]], member_weights=[1, 3]).merged()
    rows.save(tmp_path / "e.npz")
    assert_same(Ensemble.load(tmp_path / "e.npz"), rows)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_tables_refuse_weights(tmp_path, suffix):
    pytest.importorskip("pyarrow")
    weighted = Ensemble.from_labels([[0, 1], [0, 1]], member_weights=[1, 3])
    with pytest.raises(ValueError, match="npz"):
        weighted.save(tmp_path / f"e.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("a,b\n0,1\n0,\n1,2\n", [[0, 0], [0, -1], [1, 1]]),
        ("1 1\n1 -1\n0 2\n", [[1, 0], [1, -1], [0, 1]]),
        ("a;b\nx;nan\nx;1\ny;2\n", [[0, -1], [0, 0], [1, 1]]),
        ("label\n3\n3\n5\n", [[0], [0], [1]]),
    ],
)
def test_csv_of_others(tmp_path, text, labels):
    path = tmp_path / "e.csv"
    path.write_text(text)
    np.testing.assert_array_equal(Ensemble.load(path).labels, labels)


def test_npz_and_parquet_of_others(tmp_path):
    table = np.array([[0, 1], [0, -1], [1, 2]])
    np.savez(tmp_path / "e.npz", whatever=table)
    np.testing.assert_array_equal(Ensemble.load(tmp_path / "e.npz").labels, [[0, 0], [0, -1], [1, 1]])
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table({"a": [0, 0, 1], "b": ["x", None, "y"]}), tmp_path / "e.parquet")
    np.testing.assert_array_equal(Ensemble.load(tmp_path / "e.parquet").labels, [[0, 0], [0, -1], [1, 1]])


BAD_TEXT = {
    "ragged": ("a,b\n0,1\n0,1,2\n", "line 3 has 3 fields, expected 2"),
    "fraction": ("a\n0.5\n1\n", "member 0, point 0: label 0.5"),
    "sum": ("a:0,a:1\n0.5,0.4\n1,0\n", "member 0, point 0: memberships sum to 0.9"),
    "negative": ("a:0,a:1\n1.5,-0.5\n1,0\n", "member 0, point 0"),
    "point all missing": ("a,b\n0,1\n,\n1,1\n", "point 1 is missing in every member"),
    "scattered member": ("a:0,b:0,a:1\n1,1,0\n", "column 'a:1' should stand beside"),
    "open quote": ('label\n"x\n1\n', "line 2: a quoted field does not end on its line"),
    "header alone": ("a,b\n", "the file has a header but no data rows"),
    "empty": ("", "the file is empty"),
    "blank": ("\n", "the file is empty"),
}


@pytest.mark.parametrize("kind", BAD_TEXT)
def test_bad_csv(tmp_path, kind):
    text, message = BAD_TEXT[kind]
    path = tmp_path / "e.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as raised:
        Ensemble.load(path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "torn.npz").write_bytes(b"PK\x03\x04 torn")
    np.savez(tmp_path / "two.npz", a=np.zeros(2), b=np.zeros(2))
    np.savez(tmp_path / "soft.npz", memberships=np.ones((2, 1)))
    for name, message in (
        ("none.npz", "no such file"),
        ("torn.npz", "not a readable NPZ"),
        ("two.npz", "needs an array `labels`"),
        ("soft.npz", "need n_classes"),
        ("e.xyz", "unknown type"),
    ):
        with pytest.raises(DataError, match=message):
            Ensemble.load(tmp_path / name)


class Bomb:
    def __reduce__(self):
        return (print, ("boom",))


def test_nothing_is_unpickled(tmp_path, capsys):
    path = tmp_path / "e.npz"
    np.savez(path, labels=np.array([Bomb()], dtype=object))
    with pytest.raises(DataError, match="not a readable NPZ"):
        Ensemble.load(path)
    assert capsys.readouterr().out == ""


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "e.npz"
    HARD.save(path)
    before = path.read_bytes()

    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="disk full"):
        SOFT.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["e.npz"]


def test_several_files(tmp_path):
    HARD.save(tmp_path / "hard.csv")
    (tmp_path / "more.csv").write_text("label\n0\n1\n1\n-1\n")
    found = Ensemble.load(tmp_path / "hard.csv", tmp_path / "more.csv")
    np.testing.assert_array_equal(found.labels, np.column_stack([HARD.labels, [0, 1, 1, -1]]))


def test_hard_and_soft_files(tmp_path):
    SOFT.save(tmp_path / "soft.npz")
    (tmp_path / "more.csv").write_text("label\n0\n0\n1\n")
    mixed = Ensemble.load(tmp_path / "more.csv", tmp_path / "soft.npz")
    np.testing.assert_array_equal(mixed.memberships[:, :2], [[1, 0], [1, 0], [0, 1]])
    np.testing.assert_array_equal(mixed.memberships[:, 2:], SOFT.memberships)


def test_files_that_do_not_fit_together(tmp_path):
    HARD.save(tmp_path / "hard.csv")
    SOFT.save(tmp_path / "soft.npz")
    Ensemble.from_labels([[0, 0, 1]]).merged()[0].save(tmp_path / "weighted.npz")
    with pytest.raises(DataError, match=r"soft.npz: 3 points, .*hard.csv has 4"):
        Ensemble.load(tmp_path / "hard.csv", tmp_path / "soft.npz")
    with pytest.raises(DataError, match=r"weighted.npz: has point weights"):
        Ensemble.load(tmp_path / "weighted.npz", tmp_path / "weighted.npz")
    with pytest.raises(TypeError, match="at least one file"):
        Ensemble.load()
