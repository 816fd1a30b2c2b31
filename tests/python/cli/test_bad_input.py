"""Bad input: one line on stderr that names the trouble, exit code 2, nothing on stdout, nothing written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from intarsia.base.registry import BASES
from intarsia.cli.fit.command import SEEDED

GOOD = "x,y\n0,0\n0,1\n5,5\n5,6\n9,0\n"

BAD_FILES = {
    "empty": ("", ["empty"]),
    "blank": ("\n\n", ["empty"]),
    "header only": ("x,y\n", ["no data"]),
    "ragged": ("x,y\n1,2\n3,4,5\n", ["line 3", "3 fields", "expected 2"]),
    "short row": ("x,y\n1,2\n3\n", ["line 3"]),
    "text": ("x,y\n1,2\n3,hello\n", ["line 3", "hello"]),
    "nan": ("x,y\n1,2\n3,nan\n", ["line 3", "column 2", "NaN"]),
    "infinite": ("x,y\n1,2\n-inf,4\n", ["line 3", "column 1", "infinite"]),
    "missing value": ("x,y\n1,2\n,4\n", ["line 3", "column 1", "missing"]),
}

BAD_OPTIONS = {
    "k of zero": (["-k", "0"], ["0", "1"]),
    "negative k": (["-k", "-3"], ["-3"]),
    "k above n": (["-k", "6"], ["5", "6"]),
    "k is text": (["-k", "many"], ["-k", "many"]),
    "no k": ([], ["-k"]),
    "method": (["-k", "2", "--method", "magic"], ["--method", "magic", "hk-means"]),
    "init": (["-k", "2", "--init", "zeros"], ["--init", "zeros", "k-means++"]),
    "scale": (["-k", "2", "--scale", "log"], ["--scale", "log", "minmax"]),
    "no runs": (["-k", "2", "--runs", "0"], ["--runs", "'0'"]),
    "no threads": (["-k", "2", "--threads", "0"], ["--threads", "'0'"]),
    "threads is text": (["-k", "2", "--threads", "x"], ["--threads", "'x'"]),
    "no swaps": (["-k", "2", "--swaps", "0"], ["--swaps", "'0'"]),
    "no iterations": (["-k", "2", "--max-iter", "0"], ["--max-iter", "'0'"]),
    "negative tol": (["-k", "2", "--tol=-1"], ["--tol", "'-1'"]),
    "tol not a number": (["-k", "2", "--tol", "nan"], ["--tol", "'nan'"]),
    "negative seed": (["-k", "2", "--seed=-1"], ["--seed", "'-1'"]),
    "label column": (["-k", "2", "--label-column", "nope"], ["nope", "x"]),
    "data folder": (["-k", "2", "--data-dir", "nowhere"], ["--data-dir", "nowhere does not exist"]),
    "unknown option": (["-k", "2", "--fast"], ["--fast"]),
    "abbreviation": (["-k", "2", "--run", "3"], ["--run"]),
}

BAD_WEIGHTS = {
    "negative": ("1\n1\n-2\n1\n1\n", ["-2", "point 2"]),
    "too few": ("1\n1\n", ["5 rows", "2"]),
    "two columns": ("1,1\n" * 5, ["1 column", "2"]),
    "all zero": ("0\n" * 5, ["above 0"]),
    "text": ("1\n1\nheavy\n1\n1\n", ["heavy"]),
    "nan": ("1\n1\nnan\n1\n1\n", ["NaN"]),
}


@pytest.fixture
def refused(intarsia, tmp_path):
    """Run a command that must be refused, and return its one line."""

    def run(*words: object) -> str:
        before = sorted(tmp_path.rglob("*"))
        outcome = intarsia(*words)
        assert outcome.code == 2
        assert outcome.out == ""
        assert outcome.err.startswith("intarsia: ")
        assert outcome.err.endswith("\n")
        assert outcome.err.count("\n") == 1
        assert sorted(tmp_path.rglob("*")) == before
        return outcome.err

    return run


@pytest.fixture
def good(tmp_path) -> Path:
    path = tmp_path / "good.csv"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_file(refused, tmp_path, kind):
    text, needles = BAD_FILES[kind]
    path = tmp_path / "bad.csv"
    path.write_text(text)
    line = refused("fit", path, "-k", 1, "--out", tmp_path / "out")
    assert "bad.csv" in line
    for needle in needles:
        assert needle in line


def test_missing_file(refused, tmp_path):
    line = refused("fit", tmp_path / "nowhere.csv", "-k", 2, "--out", tmp_path / "out")
    assert "nowhere.csv" in line
    assert "no such file" in line.lower()


def test_folder_for_a_file(refused, tmp_path):
    assert "directory" in refused("fit", tmp_path, "-k", 2)


def test_unknown_demo_lists_the_known_ones(refused):
    line = refused("fit", "demo:nothing", "-k", 2)
    assert "nothing" in line
    assert "gauss100" in line


def test_label_column_of_a_demo(refused):
    assert "--label-column" in refused("fit", "demo:iris", "-k", 3, "--label-column", "class")


def test_nan_in_an_array_names_row_and_column(refused, tmp_path):
    X = np.zeros((4, 3))
    X[2, 1] = np.nan
    np.save(tmp_path / "x.npy", X)
    line = refused("fit", tmp_path / "x.npy", "-k", 2, "--out", tmp_path / "out")
    assert "row 2" in line
    assert "column 1" in line


@pytest.mark.parametrize("method", ["examce", *BASES])
@pytest.mark.parametrize("kind", BAD_OPTIONS)
def test_bad_option(refused, tmp_path, good, kind, method):
    words, needles = BAD_OPTIONS[kind]
    if kind == "no k" and method in BASES and BASES[method].finds_k:
        pytest.skip("finds the number of clusters itself")
    if "--method" not in words:
        words = [*words, "--method", method]
    line = refused("fit", good, *words, "--out", tmp_path / "out")
    for needle in needles:
        assert needle in line


@pytest.mark.parametrize(
    "words",
    [["examce"], *([m, "--init", i] for m in SEEDED for i in ("random", "k-means++")), ["gmm"]],
    ids=" ".join,
)
def test_k_above_the_number_of_distinct_points(refused, tmp_path, words):
    path = tmp_path / "twins.csv"
    path.write_text("x,y\n" + "1,2\n" * 5 + "3,4\n" * 5)
    line = refused("fit", path, "-k", 3, "--method", *words, "--out", tmp_path / "out")
    assert "distinct" in line
    assert "2" in line
    assert "3" in line


@pytest.mark.parametrize("kind", BAD_WEIGHTS)
def test_bad_weights(refused, tmp_path, good, kind):
    text, needles = BAD_WEIGHTS[kind]
    path = tmp_path / "weights.csv"
    path.write_text(text)
    line = refused("fit", good, "-k", 2, "--weights", path, "--out", tmp_path / "out")
    assert "weights.csv" in line
    for needle in needles:
        assert needle in line


def test_out_is_a_file(refused, tmp_path, good):
    taken = tmp_path / "taken"
    taken.write_text("mine")
    assert "taken" in refused("fit", good, "-k", 2, "--out", taken)
    assert "taken" in refused("fit", good, "-k", 2, "--out", taken / "deeper")
    assert taken.read_text() == "mine"


@pytest.mark.parametrize(
    "words", [[], ["dance"], ["bench"], ["bench", "dance"], ["bench", "kmeans", "--repeats", "0"]]
)
def test_bad_command(refused, words):
    assert "--help" in refused(*words)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that even root cannot write")
def test_an_out_that_cannot_be_written_is_found_before_the_fit(refused, good, monkeypatch):
    monkeypatch.setattr("intarsia.cli.fit.run.read_data", None)  # not even the data are read
    assert "/proc/result: cannot be written" in refused("fit", good, "-k", 2, "--out", "/proc/result")


def test_bad_input_leaves_no_log(refused, tmp_path):
    refused("fit", tmp_path / "nowhere.csv", "-k", 2, "--log-dir", tmp_path / "logs")
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize("k", [0, 6])
def test_a_bad_number_of_clusters_leaves_no_log(refused, good, tmp_path, k):
    refused("fit", good, "-k", k, "--log-dir", tmp_path / "logs")


def test_more_clusters_than_distinct_points_leave_no_log(refused, tmp_path):
    (tmp_path / "same.csv").write_text("1,2\n" * 5)
    assert "distinct" in refused("fit", tmp_path / "same.csv", "-k", 2, "--log-dir", tmp_path / "logs")
