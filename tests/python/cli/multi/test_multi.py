"""`intarsia multi`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from intarsia.cli.core.main import main
from intarsia.cli.multi.command import algorithm

QUICK = (
    "--algorithm", "kmeans:n_clusters=2-4", "--algorithm", "single-link:n_clusters=5,15", "--min-size", "5",
    "--resamples", "3", "--threads", "1",
)  # fmt: skip


def run(capsys, *words):
    code = main(["multi", *map(str, words)])
    return code, *capsys.readouterr()


def test_files_and_summary(capsys, tmp_path):
    code, out, _ = run(capsys, "demo:spirals-and-blob", "-k", 3, *QUICK, "--out", tmp_path / "out")
    assert code == 0
    assert "proved best of all choices" in out
    assert "single-link" in out
    assert "1.0000 against the class column" in out
    folder = tmp_path / "out"
    assert {path.name for path in folder.iterdir()} >= {"labels.csv", "clusters.csv", "result.json"}
    labels = np.loadtxt(folder / "labels.csv", skiprows=1, dtype=int)
    assert np.bincount(labels).tolist() == [64, 64, 64]
    with (folder / "clusters.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["points"] for row in rows] == ["64", "64", "64"]
    assert json.loads((folder / "result.json").read_text())["n_clusters"] == 3


def test_json_with_a_free_number(capsys):
    code, out, _ = run(capsys, "demo:spirals-and-blob", *QUICK, "--first-guess", 3, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["is_free"]
    assert found["n_clusters"] == 3
    assert found["adjusted_rand_index"] == 1
    assert found["clusters"][0]["goodness"] > 0.9


def test_a_checkpoint_is_gone_on_from(capsys, tmp_path):
    words = ("demo:spirals-and-blob", "-k", 3, *QUICK, "--checkpoint", tmp_path / "kept", "--json")
    first = json.loads(run(capsys, *words)[1])
    code, _, err = run(capsys, *words)
    assert code == 2
    assert "holds a checkpoint" in err
    again = json.loads(run(capsys, *words, "--resume")[1])
    assert {**again, "seconds": 0} == {**first, "seconds": 0}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere.csv",), "nowhere"),
        (("demo:iris", "-k", 0), "needs a whole number of at least 1"),
        (("demo:iris", "-k", 151), "number of points 150 should be >= -k 151"),
        (("demo:iris", "--resume"), "--resume needs --checkpoint DIR"),
        (("demo:iris", "--algorithm", "nobody:n_clusters=2"), "needs one of kmeans"),
        (("demo:iris", "--algorithm", "kmeans:n_clusters"), "needs NAME:PARAMETER=VALUE"),
        (
            ("demo:iris", "--algorithm", "kmeans"),
            "needs numbers of clusters too (see the examples), got 'kmeans'",
        ),
        (("demo:iris", "--algorithm", "spectral:sigma=2"), "(see the examples), got 'spectral:sigma=2'"),
        (("demo:iris", "--algorithm", "kmeans:n_clusters=x"), "whole numbers of clusters of at least 1, got"),
        (("demo:iris", "--algorithm", "kmeans:n_clusters=5-3"), "smaller number of a range first, got '5-3'"),
        (
            ("demo:iris", "--algorithm", "random-swap:n_clusters=2:swaps=3"),
            "--algorithm random-swap: has no option 'swaps'; its options: init, max_iter, tol, n_swaps.",
        ),
        (
            ("demo:iris", "--algorithm", "spectral:n_clusters=2:sigma=0"),
            "--algorithm spectral: sigma=0 should",
        ),
        (("demo:iris", "--algorithm", "kmeans:n_clusters=0-3"), "whole numbers of clusters of at least 1"),
        (("demo:iris", "--subsample", 2), "should be above 0 and at most 1"),
    ],
)
def test_bad_input_is_one_line(capsys, words, message):
    code, out, err = run(capsys, *words)
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert out == ""


def test_grids_as_text():
    assert algorithm("spectral:n_clusters=2-4,7:sigma=0.1,2") == (
        "spectral",
        {"n_clusters": [2, 3, 4, 7], "sigma": [0.1, 2]},
    )
    assert algorithm("gmm:covariance_type=diag:n_clusters=3")[1]["covariance_type"] == ["diag"]
