"""Nothing silent: what is read is what was meant, nothing read is overwritten, labels go where asked."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from intarsia.cli.core.parser import in_options
from intarsia.io import read

QUICK = ("-k", 2, "--method", "kmeans", "--runs", 2)
RNG = np.random.default_rng(3)
X = np.vstack([RNG.normal(0, 1, (10, 2)), RNG.normal(9, 1, (10, 2))]).round(3)
FRAME = pd.DataFrame(X, columns=["u", "v"])
AS_USERS_SEE_IT = pytest.mark.filterwarnings("default::intarsia.io.DataWarning")
WORDS = ["left"] * 10 + ["right"] * 10


@pytest.fixture
def fit_facts(intarsia):
    def run(*words):
        outcome = intarsia("fit", *words, *QUICK, "--json")
        assert outcome.code == 0, outcome.err
        return json.loads(outcome.out), outcome.err

    return run


@AS_USERS_SEE_IT
def test_names_that_are_numbers(fit_facts, tmp_path):
    pd.DataFrame(X).to_csv(tmp_path / "x.csv", index=False)
    facts, said = fit_facts("x.csv")
    assert facts["n_samples"] == 20
    assert "(0,1)" in said
    assert "--header no" in said
    assert fit_facts("x.csv", "--header", "no")[0]["n_samples"] == 21
    assert fit_facts("x.csv", "--header", "yes")[1] == ""


@AS_USERS_SEE_IT
def test_files_of_our_own_that_hold_no_points(fit_facts, intarsia, tmp_path):
    FRAME.to_csv(tmp_path / "x.csv", index=False)
    assert intarsia("ensemble", "x.csv", "-k", 2, "--members", 3, "--out", "e.npz").code == 0
    assert fit_facts("x.csv", "--out", "r")[1] == ""
    for name, command in (("e.npz", "intarsia combine"), ("r/model.npz", "intarsia predict")):
        assert f"for {command}; its numbers are taken for points" in fit_facts(name)[1]
    assert fit_facts("e.npz", "--key", "labels")[1] == ""  # as asked


@AS_USERS_SEE_IT
def test_a_column_that_counts_is_no_silent_member(intarsia, tmp_path):
    members = pd.DataFrame({"point": range(20), "a": WORDS, "b": [0] * 5 + [1] * 15})
    members.to_csv(tmp_path / "m.csv", index=False)
    said = intarsia("combine", "m.csv", "-k", 2)
    assert "column 'point' only counts the rows, but is a member; --drop point leaves it out." in said.err
    assert "3 hard members" in said.out
    without = intarsia("combine", "m.csv", "-k", 2, "--drop", "point")
    assert (without.err, "2 hard members" in without.out) == ("", True)


@pytest.mark.filterwarnings("always")
def test_a_warning_is_said_once(intarsia, tmp_path):
    """`compare` reads a file of several columns as labels, then as points with a class."""
    (tmp_path / "a.csv").write_text("0,1,2\n" + "5,7,4\n6,5,4\n" * 5)
    (tmp_path / "b.csv").write_text("label\n" + "0\n1\n" * 5)
    outcome = intarsia("compare", "a.csv", "b.csv")
    assert outcome.code == 2
    assert outcome.err.count("is taken for the names of the columns") == 1


def test_labels_of_one_clustering_are_compared_from_any_file(intarsia, tmp_path):
    pd.DataFrame({"a": WORDS, "b": WORDS}).to_csv(tmp_path / "m.csv", index=False)
    assert intarsia("combine", "m.csv", "-k", 2, "--out", "one.npz").code == 0
    pd.DataFrame({"label": WORDS}).to_csv(tmp_path / "l.csv", index=False)
    found = intarsia("compare", "one.npz", "l.csv", "--json")
    assert (found.err, json.loads(found.out)["adjusted_rand"]) == ("", 1.0)


def test_predict_leaves_the_result_as_it_is(intarsia, tmp_path):
    FRAME.to_csv(tmp_path / "x.csv", index=False)
    assert intarsia("fit", "x.csv", *QUICK, "--out", "r").code == 0
    for result in ("r", "r/model.npz"):
        refused = intarsia("predict", result, "x.csv", "--out", "r/labels.csv")
        assert (refused.code, "r/labels.csv: belongs to the result" in refused.err) == (2, True)
        assert intarsia("predict", result, "x.csv", "--out", "r/new.csv").code == 0


def test_index_columns_are_left_out_and_named(intarsia, tmp_path):
    FRAME.to_csv(tmp_path / "x.csv")
    FRAME.sample(frac=1, random_state=0).to_parquet(tmp_path / "x.parquet")
    for name, index in (("x.csv", "unnamed"), ("x.parquet", "__index_level_0__")):
        outcome = intarsia("fit", name, *QUICK)
        assert f"2 features, index column ({index}) left out" in outcome.out


def test_the_class_column_is_said_and_can_be_set(intarsia, fit_facts, tmp_path):
    FRAME.assign(target=[3] * 10 + [4] * 10).to_csv(tmp_path / "x.csv", index=False)
    assert "2 features, class column 'target' left out" in intarsia("fit", "x.csv", *QUICK).out
    assert fit_facts("x.csv", "--label-column", "none")[0]["n_features"] == 3
    facts, _ = fit_facts("x.csv", "--label-column", "u", "--drop", "target")
    assert (facts["n_features"], facts["label_column"]) == (1, "u")
    assert fit_facts("x.csv", "--columns", "v,0")[0]["n_features"] == 2


def test_labels_of_text_without_a_header_lose_no_point(intarsia, tmp_path):
    (tmp_path / "a.csv").write_text("\n".join(WORDS) + "\n")
    (tmp_path / "b.csv").write_text("label\n" + "\n".join(WORDS) + "\n")
    outcome = intarsia("combine", "a.csv", "b.csv", "-k", 2)
    assert outcome.code == 0
    assert "20 points" in outcome.out
    assert "20 of 20" in intarsia("compare", "a.csv", "b.csv").out


@AS_USERS_SEE_IT
def test_labels_below_numbers_for_names(intarsia, tmp_path):
    labels = np.repeat([0, 1], 10)
    pd.DataFrame(np.column_stack([labels, 1 - labels, labels])).to_csv(tmp_path / "e.csv", index=False)
    outcome = intarsia("combine", "e.csv", "-k", 2)
    assert "20 points" in outcome.out
    assert "--header no" in outcome.err


def test_the_index_of_a_table_of_labels_is_no_member(intarsia, tmp_path):
    pd.DataFrame({"m0": WORDS, "m1": WORDS}).to_csv(tmp_path / "e.csv")
    assert "2 hard members, 20 points" in intarsia("combine", "e.csv", "-k", 2).out


@pytest.mark.parametrize(
    "words",
    [
        ("fit", "labels.csv", *QUICK, "--out", "."),
        ("fit", "labels.csv", *QUICK, "--labels", "labels.csv"),
        ("combine", "labels.csv", "-k", 2, "--out", "./labels.csv"),
        ("ensemble", "labels.csv", "--out", "labels.csv"),
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_nothing_overwrites_its_own_input(intarsia, tmp_path, words):
    path = tmp_path / "labels.csv"
    path.write_text("m0,m1\n" + "0,0\n1,1\n" * 6)
    before = path.read_bytes()
    outcome = intarsia(*words)
    assert outcome.code == 2
    assert "would be overwritten" in outcome.err
    assert path.read_bytes() == before


def test_combine_writes_by_the_suffix(intarsia, tmp_path):
    (tmp_path / "a.csv").write_text("label\n" + "\n".join(WORDS) + "\n")
    assert intarsia("combine", "a.csv", "-k", 2, "--out", "x.npz").code == 0
    with np.load(tmp_path / "x.npz") as stored:
        assert stored["labels"].shape == (20, 1)
    outcome = intarsia("combine", "a.csv", "-k", 2, "--out", "x.npy")
    assert (outcome.code, (tmp_path / "x.npy").exists()) == (2, False)
    assert ".npz" in outcome.err


@pytest.mark.parametrize("command", ["boost", "bag", "multi"])
def test_a_folder_is_no_standard_output(intarsia, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    refused = intarsia(command, "demo:iris", "-k", 3, "--out", "-")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "intarsia: -: needs a folder; standard output has no room for several files\n"
    assert not list(tmp_path.iterdir())


def test_hyperplanes_take_no_number_of_clusters(intarsia):
    outcome = intarsia("ensemble", "demo:iris", "--hyperplanes", 2, "-k", 3, "--out", "e.npz")
    assert outcome.code == 2
    assert "leave -k away" in outcome.err


@pytest.mark.parametrize("words", ["fit -k 2 --method kmeans", "bag -k 2 --rounds 2", "multi -k 2"])
def test_classes_that_are_all_missing_agree_with_nothing(intarsia, tmp_path, words):
    path = tmp_path / "points.csv"
    path.write_text("x,y,class\n" + "".join(f"{i},{i * i % 7},\n" for i in range(20)))
    command, *options = words.split()
    outcome = intarsia(command, path, *options, "--json")
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["adjusted_rand_index"] is None


def test_missing_values(intarsia, fit_facts, tmp_path):
    gaps = FRAME.copy()
    gaps.iloc[[3, 7], 0] = np.nan
    gaps.to_csv(tmp_path / "x.csv", index=False, na_rep="?")
    outcome = intarsia("fit", "x.csv", *QUICK)
    assert outcome.code == 2
    assert "2 of 20 points miss a value: --missing drop" in outcome.err
    facts, _ = fit_facts("x.csv", "--missing", "drop", "--labels", "l.csv")
    assert (facts["n_samples"], facts["notes"]) == (18, ["2 points with missing values left out"])
    labels = np.loadtxt(tmp_path / "l.csv", skiprows=1, dtype=int)
    assert np.flatnonzero(labels == -1).tolist() == [3, 7]  # a label for every row of the file
    assert fit_facts("x.csv", "--missing", "median")[0]["n_samples"] == 20


def test_semicolons_and_decimal_commas(intarsia, fit_facts, tmp_path):
    FRAME.to_csv(tmp_path / "x.csv", index=False, sep=";", decimal=",")
    assert "--decimal ','" in intarsia("fit", "x.csv", *QUICK).err
    assert fit_facts("x.csv", "--decimal", ",")[0]["n_features"] == 2


def test_weights_with_and_without_a_name(fit_facts, tmp_path):
    FRAME.to_csv(tmp_path / "x.csv", index=False)
    rows = "\n".join(["2", *(f"{w:.2f}" for w in RNG.uniform(0.1, 0.9, 19))]) + "\n"
    costs = []
    for text in (rows, f"weight\n{rows}"):
        (tmp_path / "w.csv").write_text(text)
        costs.append(fit_facts("x.csv", "--weights", "w.csv")[0]["cost"])
    assert costs[0] == costs[1]


@pytest.fixture
def standard_input(monkeypatch):
    def feed(content: bytes) -> None:
        read._standard_input.cache_clear()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    yield feed
    read._standard_input.cache_clear()


def test_standard_input_and_output(intarsia, tmp_path, standard_input):
    FRAME.to_csv(tmp_path / "x.csv", index=False)
    assert intarsia("fit", "x.csv", *QUICK, "--labels", "l.csv").code == 0
    for words in (("--out", "-"), ("--labels", "-")):
        standard_input((tmp_path / "x.csv").read_bytes())
        outcome = intarsia("fit", "-", *QUICK, *words)
        assert outcome.out == (tmp_path / "l.csv").read_text()
        assert "stdin: 20 points" in outcome.err
    standard_input((tmp_path / "l.csv").read_bytes())
    assert "20 of 20" in intarsia("compare", "-", "l.csv").out
    standard_input((tmp_path / "l.csv").read_bytes())
    outcome = intarsia("combine", "-", "-k", 2, "--out", "-", "--quiet")
    assert (outcome.out.splitlines()[0], outcome.out.count("\n")) == ("label", 21)
    standard_input(b"\n")
    assert intarsia("fit", "-", *QUICK).err == "intarsia: standard input: is empty.\n"
    standard_input(b"u,v\n1,x\n")
    assert "standard input: line 2, column 2 ('x')" in intarsia("fit", "-", *QUICK).err


def test_an_address_is_no_file(intarsia):
    outcome = intarsia("fit", "https://example.org/x.csv", "-k", 2)
    assert outcome.code == 2
    assert "https://example.org/x.csv: is an address, not a file" in outcome.err


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("n_samples=5 should be >= n_clusters=8.", "number of points 5 should be >= -k 8."),
        ("label_column='kind' or drop=['a', -1] helps.", "--label-column kind or --drop a,-1 helps."),
        ("read with decimal=',' or delimiter=';'.", "read with --decimal ',' or --delimiter ';'."),
        ("header=True; header=False", "--header yes; --header no"),
        ("key=1/x.csv: no such file.", "key=1/x.csv: no such file."),
        ("n_clusters * min_size = 9 is too much.", "-k * --min-size = 9 is too much."),
        ("n_clusters.csv: no such file.", "n_clusters.csv: no such file."),
        ("criterion='bic' takes no sample_weight.", "--criterion bic takes no --weights."),
        ("k=200 should be <= n_samples=150.", "-k 200 should be <= number of points 150."),
        ("seed=0, not 4; cooling=2.0 should be less.", "--seed 0, not 4; --cooling 2.0 should be less."),
    ],
)
def test_messages_name_options(message, words):
    assert in_options(message) == words


REFUSED_EARLY = """
import sys
from intarsia.cli.core.main import main
code = main(sys.argv[1:])
slow = [name for name in ("sklearn", "scipy", "pandas", "highspy") if name in sys.modules]
print(code, *slow)
"""


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        ("fit missing.csv -k 3", "missing.csv: no such file"),
        ("fit demo:iris -k 0", "-k/--clusters: needs a whole number of at least 1, got '0'"),
        ("fit demo:iris -k 3 --checkpoint afile", "afile: needs to be a folder, but is a file"),
        ("fit demo:iris -k 3 --log-dir afile", "afile: needs to be a folder, but is a file"),
        ("ensemble missing.csv --out e.npz", "missing.csv: no such file"),
        ("combine missing.csv -k 3", "missing.csv: no such file"),
        ("compare missing.csv afile", "missing.csv: no such file"),
        ("predict nowhere missing.csv", "missing.csv: no such file"),
    ],
)
def test_refused_before_anything_slow_is_imported(tmp_path, words, needle):
    (tmp_path / "afile").write_text("x")
    command = [sys.executable, "-c", REFUSED_EARLY, *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert done.stdout == "2\n"
    assert needle in done.stderr
    assert done.stderr.count("\n") == 1


WITHOUT_SKLEARN = """
import sys
from intarsia.cli.core.main import main
for line in sys.argv[1:]:
    print(main(line.split()), "sklearn" in sys.modules)
"""


def codes_without_sklearn(folder, *lines):
    (folder / "points.csv").write_text("x,y,class\n" + "".join(f"{i},{i % 3},{i % 2}\n" for i in range(30)))
    (folder / "bad.csv").write_text("x,y\n1,2\n3,hello\n")
    command = [sys.executable, "-c", WITHOUT_SKLEARN, *lines]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=60)
    return done.stdout.splitlines()


def test_these_commands_never_wait_for_scikit_learn(tmp_path):
    codes = codes_without_sklearn(
        tmp_path,
        "fit points.csv -k 3 --quiet",
        "fit points.csv -k 3 --effort paper --base-runs 3 --min-size 5 --checkpoint ck --quiet",
        "fit points.csv -k 3 --method kmeans --out result --quiet",
        "predict result points.csv --out labels.csv --quiet",
        "fit points.csv -k 3 --method single-link --quiet",
        "fit points.csv -k 3 --method spectral --quiet",
        "multi points.csv -k 3 --resamples 2 --out several --quiet",
        "ensemble points.csv -k 3 --members 4 --out members.npz --quiet",
        "combine members.npz -k 3 --out one.csv --quiet",
        "compare one.csv labels.csv --json",
    )
    assert [*codes[:9], codes[-1]] == ["0 False"] * 10


def test_data_are_read_before_scikit_learn_is_waited_for(tmp_path):
    commands = ("fit", "boost", "bag", "multi")
    assert codes_without_sklearn(tmp_path, *(f"{name} bad.csv -k 2" for name in commands)) == ["2 False"] * 4


@pytest.mark.parametrize(
    ("words", "needles"),
    [
        ("fitt x.csv -k 3", ["did you mean fit?", "see intarsia --help"]),
        ("fit x.csv -k 3 --lables y", ["did you mean --labels?", "see intarsia fit --help"]),
        ("combine x.csv --methd=vote", ["did you mean --method?", "see intarsia combine --help"]),
        ("fit x.csv -k 3 --method kmean", ["did you mean kmeans?", "see intarsia fit --help"]),
        ("fit x.csv y.csv -k 3", ["unrecognized arguments: y.csv (see intarsia fit --help)"]),
    ],
)
def test_a_slip_is_answered_by_the_nearest(intarsia, words, needles):
    outcome = intarsia(*words.split())
    assert (outcome.code, outcome.out) == (2, "")
    for needle in needles:
        assert needle in outcome.err
