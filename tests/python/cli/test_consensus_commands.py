"""`intarsia ensemble`, `combine` and `compare`: from data to labels to a comparison, and bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest

from intarsia import Ensemble, combine, load_demo, metrics
from intarsia.cli import compare as compare_command
from intarsia.cli import ensemble as ensemble_command
from intarsia.cli.combine import command as combine_command
from intarsia.cli.core.main import build_parser

LABELS = "a,b,c\n0,1,0\n0,1,0\n0,1,1\n1,2,1\n1,2,2\n2,0,2\n2,0,2\n"


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(LABELS)
    return path


def table(path):
    return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2).astype(int)


def test_examples_are_understood():
    for command in (ensemble_command, combine_command, compare_command):
        for line in command.EXAMPLE.splitlines():
            words = line.split()[1:]
            assert callable(build_parser(words).parse_args(words).run)


@pytest.mark.parametrize("command", ["ensemble", "combine", "compare"])
def test_help_fits_80_columns_and_has_an_example(intarsia, command):
    outcome = intarsia(command, "--help")
    lines = outcome.out.splitlines()
    assert (outcome.code, outcome.err) == (0, "")
    assert max(map(len, lines)) <= 80
    assert lines[lines.index("example:") + 1].startswith(f"  intarsia {command} ")


@pytest.mark.parametrize("suffix", ["npz", "csv", "parquet"])
def test_ensemble_writes_what_python_makes(intarsia, tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / f"e.{suffix}"
    outcome = intarsia("ensemble", "demo:iris", "-k", "3-5", "--members", 6, "--features", 2, "--out", out)
    assert (outcome.code, outcome.err) == (0, "")
    assert "150 points" in outcome.out
    expected = Ensemble.generate(load_demo("iris").X, "kmeans", 6, (3, 5), features=2, random_state=0)
    np.testing.assert_array_equal(Ensemble.load(out).labels, expected.labels)


def test_ensemble_as_json(intarsia):
    outcome = intarsia(
        "ensemble", "demo:iris", "--hyperplanes", 2, "--subsample", "0.9", "--out", "e.npz", "--json"
    )
    facts = json.loads(outcome.out)
    assert facts["n_members"] == 20
    assert 0 < facts["diversity"] < 1
    assert facts["out"] == "e.npz"


def test_combine_reports_and_writes(intarsia, labels, tmp_path):
    out = tmp_path / "out.csv"
    outcome = intarsia("combine", labels, "-k", 3, "--method", "vote", "--out", out)
    assert (outcome.code, outcome.err) == (0, "")
    for needle in ("3 hard members", "7 points, 5 distinct rows (1.4 to 1)", "3 clusters", "out.csv"):
        assert needle in outcome.out
    np.testing.assert_array_equal(table(out)[:, 0], combine(table(labels), 3, "vote"))


def test_combine_several_files_as_json(intarsia, labels, tmp_path):
    (tmp_path / "more.csv").write_text("label\n0\n0\n0\n1\n1\n2\n2\n")
    outcome = intarsia("combine", labels, "more.csv", "-k", 3, "--method", "vote", "--json")
    facts = json.loads(outcome.out)
    assert facts["n_members"] == 4
    assert facts["methods"]["vote"]["sizes"] == [3, 2, 2]
    assert 0 < facts["methods"]["vote"]["anmi"] <= 1


def test_combine_chooses_k(intarsia, labels):
    outcome = intarsia("combine", labels, "--method", "vote", "--k-range", "2-4", "--json")
    facts = json.loads(outcome.out)
    assert [score["n_clusters"] for score in facts["k_scores"]] == [2, 3, 4]
    assert facts["methods"]["vote"]["n_clusters"] == 3
    assert "k = 2" in intarsia("combine", labels, "--method", "vote", "--k-range", "2-4").out


def test_combine_best_and_all(intarsia, labels, tmp_path):
    assert "the best by average NMI" in intarsia("combine", labels, "-k", 3, "--method", "best").out
    out = tmp_path / "all.csv"
    outcome = intarsia("combine", labels, "-k", 3, "--method", "all", "--out", out)
    assert outcome.code == 0
    names = out.read_text().splitlines()[0].split(",")
    assert "vote" in names
    assert "best" not in names
    assert table(out).shape == (7, len(names))


def test_options_of_a_method(intarsia, labels):
    assert intarsia("combine", labels, "-k", 3, "--method", "vote", "--option", "max_passes=1").code == 0


def test_clusters_may_vanish_where_the_user_allows_it(intarsia, tmp_path):
    halves, odd = np.arange(40) % 2, np.r_[1, 2, 3, [0] * 37]
    np.savetxt(tmp_path / "e.csv", np.column_stack([halves, halves, halves, odd]), fmt="%d", delimiter=",")
    words = ("combine", tmp_path / "e.csv", "-k", 4, "--method", "sa-ri", "--option", "start=random")
    found = []
    for more in ((), ("--option", "allow_empty=true")):
        out = tmp_path / "labels.csv"
        assert intarsia(*words, *more, "--out", out).code == 0
        found.append(len(np.unique(table(out))))
    assert found == [4, 2]


def test_compare_as_table_and_json(intarsia, tmp_path):
    (tmp_path / "a.csv").write_text('label\nx\nx\ny\n""\ny\n')
    (tmp_path / "b.csv").write_text("0\n0\n1\n1\n0\n")
    outcome = intarsia("compare", "a.csv", "b.csv")
    assert "4 of 5" in outcome.out
    found = json.loads(intarsia("compare", "a.csv", "b.csv", "--json").out)
    expected = metrics.compare([0, 0, 1, 1], [0, 0, 1, 0])
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_compare_takes_the_classes_of_a_data_set(intarsia, tmp_path):
    classes = load_demo("iris").labels
    (tmp_path / "b.csv").write_text("label\n" + "\n".join(map(str, classes)) + "\n")
    found = json.loads(intarsia("compare", "demo:iris", "b.csv", "--json").out)
    assert found["adjusted_rand"] == 1.0


BAD = {
    "no file": (["combine", "nowhere.csv", "-k", 2, "--method", "vote"], ["nowhere.csv", "no such file"]),
    "suffix": (["combine", "x.doc", "-k", 2, "--method", "vote"], ["x.doc", ".npz"]),
    "method": (["combine", "labels.csv", "-k", 2, "--method", "magic"], ["magic", "vote", "all"]),
    "k above n": (["combine", "labels.csv", "-k", 9, "--method", "vote"], ["7", "9"]),
    "k above rows": (["combine", "labels.csv", "-k", 6, "--method", "vote"], ["distinct", "5", "6"]),
    "k and range": (["combine", "labels.csv", "-k", 2, "--k-range", "2-3", "--method", "vote"], ["exclude"]),
    "range": (["combine", "labels.csv", "--k-range", "5-2", "--method", "vote"], ["5-2"]),
    "option": (
        ["combine", "labels.csv", "-k", 2, "--method", "vote", "--option", "speed=1"],
        ["speed", "max_passes"],
    ),
    "no option": (["combine", "labels.csv", "-k", 2, "--option", "speed"], ["NAME=VALUE"]),
    "out is a folder": (["combine", "labels.csv", "-k", 2, "--method", "vote", "--out", "."], ["folder"]),
    "no such folder": (
        ["combine", "labels.csv", "-k", 2, "--method", "vote", "--out", "no/x.csv"],
        ["folder"],
    ),
    "ragged": (["combine", "ragged.csv", "-k", 2, "--method", "vote"], ["ragged.csv", "line 3"]),
    "sum": (["combine", "sum.csv", "-k", 2, "--method", "vote"], ["sum.csv", "sum to 0.9"]),
    "other length": (["combine", "labels.csv", "short.csv", "-k", 2, "--method", "vote"], ["2 points", "7"]),
    "ensemble suffix": (["ensemble", "demo:iris", "--out", "e.doc"], ["e.doc", ".npz"]),
    "base of hyperplanes": (
        ["ensemble", "demo:iris", "--hyperplanes", 2, "--base", "gmm", "--out", "e.npz"],
        ["--hyperplanes", "--base"],
    ),
    "data folder": (["ensemble", "demo:iris", "--data-dir", "x", "--out", "e.npz"], ["x does not exist"]),
    "no out": (["ensemble", "demo:iris"], ["--out"]),
    "features": (["ensemble", "demo:iris", "--features", 9, "--out", "e.npz"], ["--features 9"]),
    "share": (["ensemble", "demo:iris", "--features", "1.5", "--out", "e.npz"], ["1.5"]),
    "soft k-means": (["ensemble", "demo:iris", "--soft", "--out", "e.npz"], ["memberships"]),
    "k of members": (["ensemble", "demo:iris", "-k", "x", "--out", "e.npz"], ["-k", "'x'"]),
    "many columns": (["compare", "labels.csv", "short.csv"], ["labels.csv", "3 columns"]),
    "lengths": (["compare", "short.csv", "long.csv"], ["short.csv has 2", "long.csv has 3"]),
    "nothing to compare": (["compare", "short.csv", "nowhere"], ["nowhere"]),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_one_line(intarsia, labels, tmp_path, kind):
    (tmp_path / "ragged.csv").write_text("a,b\n0,1\n0,1,2\n")
    (tmp_path / "sum.csv").write_text("a:0,a:1\n0.5,0.4\n1,0\n")
    (tmp_path / "x.doc").write_text("label\n0\n")
    (tmp_path / "short.csv").write_text("label\n0\n1\n")
    (tmp_path / "long.csv").write_text("label\n0\n1\n1\n")
    before = sorted(tmp_path.rglob("*"))
    words, needles = BAD[kind]
    outcome = intarsia(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("intarsia: ")
    assert outcome.err.count("\n") == 1
    for needle in needles:
        assert needle in outcome.err
    assert sorted(tmp_path.rglob("*")) == before
