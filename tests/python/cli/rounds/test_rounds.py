"""`intarsia boost` and `intarsia bag`: what is computed, printed and written; bad input."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from intarsia import BaggingClustering, BoostClustering, load_demo
from intarsia.boosting import most_stable
from intarsia.boosting.fitting import VOTES
from intarsia.boosting.quality import QUALITIES
from intarsia.cli.core.main import build_parser
from intarsia.cli.rounds import bag, boost, files, options
from intarsia.cli.rounds import run as run_module

X = load_demo("iris").X


def labels_in(folder):
    return np.loadtxt(folder / "labels.csv", skiprows=1, dtype=int)


def test_examples_are_understood():
    for command in (boost, bag):
        for line in command.EXAMPLE.splitlines():
            words = line.split()[1:]
            assert callable(build_parser(words).parse_args(words).run)


def test_the_help_names_what_there_is():
    assert (options.QUALITIES, options.VOTES) == (QUALITIES, VOTES)


@pytest.mark.parametrize("command", ["boost", "bag"])
def test_help_fits_80_columns_and_has_an_example(intarsia, command):
    outcome = intarsia(command, "--help")
    lines = outcome.out.splitlines()
    assert (outcome.code, outcome.err) == (0, "")
    assert max(map(len, lines)) <= 88  # the description is one sentence
    assert lines[lines.index("example:") + 1].startswith(f"  intarsia {command} ")


def test_boost_gives_what_python_gives(intarsia, tmp_path):
    words = ("--base", "fcm", "--quality", "entropy", "--rounds", 6, "--seed", 3, "--out", "o")
    outcome = intarsia("boost", "demo:iris", "-k", 3, *words)
    assert (outcome.code, outcome.err) == (0, "")
    expected = BoostClustering(3, base="fcm", quality="entropy", max_rounds=6, random_state=3).fit(X)
    np.testing.assert_array_equal(labels_in(tmp_path / "o"), expected.labels_)
    for needle in ("150 points, 4 features", "boost, k = 3, fcm, entropy, seed 3", expected.stop_reason_):
        assert needle in outcome.out
    with open(tmp_path / "o" / "rounds.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["epsilon"]) for row in rows] == [record.epsilon for record in expected.rounds_]
    assert rows[0]["sizes"].split() == [str(size) for size in expected.rounds_[0].sizes]


def test_bag_as_json(intarsia):
    outcome = intarsia("bag", "demo:iris", "-k", 3, "--rounds", 4, "--votes", "equal", "--json")
    facts = json.loads(outcome.out)
    expected = BaggingClustering(3, n_rounds=4, votes="equal", random_state=0).fit(X)
    assert facts["sizes"] == np.bincount(expected.labels_).tolist()
    assert facts["epsilons"] == [record.epsilon for record in expected.rounds_]
    assert (facts["n_rounds"], facts["failed_replicates"], facts["stability"]) == (4, 0, [])


def test_a_range_takes_the_most_stable_number(intarsia):
    outcome = intarsia("boost", "demo:iris", "-k", "2-4", "--repeats", 3, "--rounds", 5, "--json")
    facts = json.loads(outcome.out)
    found, scores = most_stable(BoostClustering(max_rounds=5, random_state=0), X, (2, 4), n_repeats=3)
    assert facts["n_clusters"] == found
    assert facts["stability"] == [vars(score) for score in scores]
    expected = BoostClustering(found, max_rounds=5, random_state=0).fit(X)
    assert facts["sizes"] == np.bincount(expected.labels_).tolist()
    lines = intarsia("boost", "demo:iris", "-k", "2-4", "--repeats", 3, "--rounds", 5).out
    assert "k = 3" in lines
    assert "mean adjusted Rand index of 3 runs" in lines


def test_a_consensus_function_and_its_options(intarsia, tmp_path):
    words = (
        "--aggregate",
        "eac",
        "--option",
        "linkage=single",
        "--round-clusters",
        9,
        "--no-stop",
        "--rounds",
        5,
    )
    assert intarsia("boost", "demo:iris", "-k", 2, *words, "--out", "o", "--quiet").out == ""
    expected = BoostClustering(
        2,
        aggregate="eac",
        aggregate_params={"linkage": "single"},
        round_clusters=9,
        stop=False,
        max_rounds=5,
        random_state=0,
    ).fit(X)
    np.testing.assert_array_equal(labels_in(tmp_path / "o"), expected.labels_)


def test_pictures_where_matplotlib_is(intarsia, tmp_path, monkeypatch):
    assert intarsia("bag", "demo:iris", "-k", 3, "--rounds", 2, "--out", "plain").code == 0
    names = {path.name for path in (tmp_path / "plain").iterdir()}
    assert names == {"labels.csv", "rounds.csv", "result.json"} | (
        {"partition.png", "rounds.png"} if files.can_draw() else set()
    )
    for module in (files, run_module):
        monkeypatch.setattr(module, "can_draw", lambda: False)
    assert intarsia("bag", "demo:iris", "-k", 3, "--rounds", 2, "--out", "bare").code == 0
    assert {path.suffix for path in (tmp_path / "bare").iterdir()} == {".csv", ".json"}


def test_points_that_are_left_out_have_a_label_of_their_own(intarsia, tmp_path):
    rows = [f"{x},{x % 3}" for x in range(20)]
    rows[4] = "?,1"
    (tmp_path / "gaps.csv").write_text("\n".join(["a,b", *rows, ""]))
    assert intarsia("bag", "gaps.csv", "-k", 2, "--missing", "drop", "--out", "o").code == 0
    found = labels_in(tmp_path / "o")
    assert np.flatnonzero(found == -1).tolist() == [4]
    refused = intarsia("bag", "o/labels.csv", "-k", 2, "--out", "o")
    assert "would be overwritten" in refused.err


def test_one_cluster_is_drawn_too(intarsia):
    outcome = intarsia("boost", "demo:iris", "-k", 1, "--out", "o")
    assert (outcome.code, outcome.err) == (0, "")
    assert "one cluster: nothing to boost" in outcome.out


@pytest.mark.filterwarnings("default")  # not as errors: the command says them
def test_a_first_round_above_one_half_is_said(intarsia):
    outcome = intarsia("boost", "demo:gauss100", "-k", 40, "--quality", "entropy", "--log-base", 2, "--quiet")
    assert outcome.code == 0
    assert "warning: the pseudoloss of round 1" in outcome.err
    assert outcome.err.count("\n") == 1


BAD = {
    "no file": (["boost", "nowhere.csv", "-k", 2], ["nowhere.csv", "no such file"]),
    "k above n": (["boost", "demo:iris", "-k", 151], ["150", "151"]),
    "range from 1": (["bag", "demo:iris", "-k", "1-3"], ["-k 1-3", "one cluster is always stable"]),
    "range upside down": (["bag", "demo:iris", "-k", "5-3"], ["5-3"]),
    "aggregate": (["boost", "demo:iris", "-k", 3, "--aggregate", "magic"], ["magic", "'eac'"]),
    "option of a vote": (["boost", "demo:iris", "-k", 3, "--option", "a=1"], ["consensus function"]),
    "unknown option": (
        ["bag", "demo:iris", "-k", 3, "--aggregate", "eac", "--option", "link=single"],
        ["eac has no option 'link'"],
    ),
    "round clusters of a vote": (["bag", "demo:iris", "-k", 3, "--round-clusters", 9], ["among -k"]),
    "log base": (["boost", "demo:iris", "-k", 3, "--log-base", 2], ["--log-base 2", "--quality entropy"]),
    "one repeat": (["boost", "demo:iris", "-k", "2-3", "--repeats", 1], ["--repeats 1"]),
    "too few points for a round": (
        ["bag", "demo:iris", "-k", 3, "--aggregate", "eac", "--round-clusters", 999],
        ["150", "--round-clusters 999"],
    ),
    "out is a file": (["boost", "demo:iris", "-k", 3, "--out", "file"], ["needs to be a folder"]),
    "no clusters": (["boost", "demo:iris"], ["-k"]),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_one_line(intarsia, tmp_path, kind):
    (tmp_path / "file").touch()
    words, needles = BAD[kind]
    outcome = intarsia(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("intarsia: ")
    assert outcome.err.count("\n") == 1
    for needle in needles:
        assert needle in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
