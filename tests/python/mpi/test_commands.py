"""`ensemble`, `combine` and `study` share their work between ranks: the same bytes, said once."""

from __future__ import annotations

import json

import pytest


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".png"}


def run_both(mpirun, alone, tmp_path, *words):
    """Run a command by itself and on two ranks, each in a folder of its own, and return both."""
    ended = []
    for name, run in (("alone", alone), ("ranks", lambda *words: mpirun(2, *words))):
        (tmp_path / name).mkdir(exist_ok=True)
        done = run("-m", "intarsia", *words, "--out", tmp_path / name / "out.csv", "--threads", 1)
        assert done.code == 0, done.err
        ended.append(done)
    return ended


def test_ensemble_and_combine_give_the_same_bytes(mpirun, alone, tmp_path):
    words = ("demo:iris", "--members", 9, "-k", "3-6", "--features", 2, "--json")
    one, two = run_both(mpirun, alone, tmp_path, "ensemble", *words)
    assert {**json.loads(one.out), "seconds": 0, "out": ""} == {
        **json.loads(two.out),
        "seconds": 0,
        "out": "",
    }
    assert files_of(tmp_path / "alone") == files_of(tmp_path / "ranks")
    ensemble = tmp_path / "e.csv"
    (tmp_path / "alone" / "out.csv").rename(ensemble)
    (tmp_path / "ranks" / "out.csv").unlink()
    for choice in (("-k", 3, "--method", "best"), ("--method", "kmodes", "--k-range", "2-4")):
        one, two = run_both(mpirun, alone, tmp_path, "combine", ensemble, *choice, "--json")
        assert {**json.loads(one.out), "seconds": 0} == {**json.loads(two.out), "seconds": 0}
        assert files_of(tmp_path / "alone") == files_of(tmp_path / "ranks")


@pytest.mark.parametrize(
    "words",
    [
        ("soft", "--table", "1.12"),
        ("annealing", "--table", 2),
        ("boosting", "--table", 4, "--figure", "weights"),
        ("multiobjective", "--data", "three"),
    ],
    ids=lambda w: w[0],
)
def test_studies_give_the_same_bytes(mpirun, alone, tmp_path, words):
    one, two = run_both(mpirun, alone, tmp_path, "study", *words, "--quick", "--json")
    assert json.loads(one.out) == json.loads(two.out)
    files = files_of(tmp_path / "alone" / "out.csv")
    assert files
    assert files == files_of(tmp_path / "ranks" / "out.csv")


@pytest.mark.parametrize("command", ["boost", "bag"])
def test_rounds_give_the_same_bytes(mpirun, alone, tmp_path, command):
    words = (command, "demo:iris", "-k", "2-3", "--repeats", 2, "--rounds", 3, "--json")
    one, two = run_both(mpirun, alone, tmp_path, *words)
    machine = {"seconds": 0, "ranks": 0}
    assert {**json.loads(one.out), **machine} == {**json.loads(two.out), **machine}
    names = ("labels.csv", "rounds.csv")
    found = [
        {name: (tmp_path / who / "out.csv" / name).read_bytes() for name in names}
        for who in ("alone", "ranks")
    ]
    assert found[0] == found[1]


def test_multi_gives_the_same_bytes(mpirun, alone, tmp_path):
    grid = ("--algorithm", "kmeans:n_clusters=2-4", "--algorithm", "single-link:n_clusters=5,15")
    words = ("multi", "demo:spirals-and-blob", "-k", 3, *grid, "--min-size", 5, "--resamples", 4, "--json")
    one, two = run_both(mpirun, alone, tmp_path, *words)
    machine = {"seconds": 0, "ranks": 0}
    assert {**json.loads(one.out), **machine} == {**json.loads(two.out), **machine}
    for name in ("labels.csv", "clusters.csv"):
        found = [(tmp_path / who / "out.csv" / name).read_bytes() for who in ("alone", "ranks")]
        assert found[0] == found[1]


def test_a_fit_warns_once_of_what_its_criterion_remarks(mpirun, alone, tmp_path):
    words = ("fit", "demo:iris", "-k", 5, "--criterion", "entropy", "--effort", "paper", "--base-runs", 6)
    one, two = run_both(mpirun, alone, tmp_path, *words, "--quiet")
    assert one.err.startswith("intarsia: warning: --criterion entropy: --min-size 12, the default of")
    assert two.err == one.err
    labels = [tmp_path / name / "out.csv" / "labels.csv" for name in ("alone", "ranks")]
    assert labels[0].read_bytes() == labels[1].read_bytes()


def test_study_of_fits_writes_once_and_says_the_same(mpirun, alone, tmp_path, data_dir):
    words = ("examce", "--quick", "--table", 7, "--data-dir", data_dir, "--json")
    one, two = run_both(mpirun, alone, tmp_path, "study", *words)
    costs = [[row["as printed"] for row in json.loads(done.out)["sheets"][0]["rows"]] for done in (one, two)]
    assert costs[0] == costs[1]
    assert sorted(files_of(tmp_path / "ranks" / "out.csv")) == ["table-7.csv", "table-7.md"]


@pytest.mark.parametrize(
    "words",
    [
        ("ensemble", "nowhere.csv", "--out", "e.npz"),
        ("combine", "nowhere.csv", "-k", 3),
        ("study", "soft", "--data-dir", "."),
    ],
    ids=lambda words: words[0],
)
def test_what_rank_0_cannot_read_is_said_once(mpirun, words, tmp_path):
    done = mpirun(2, "-m", "intarsia", *words)
    assert done.code == 2
    assert done.err.count("intarsia: ") == 1
    assert done.out == ""


def test_a_benchmark_is_measured_and_printed_by_one_rank(mpirun):
    done = mpirun(
        2, "-m", "intarsia", "bench", "consensus", "--sizes", 200, "--methods", "plain-mcla", "--json"
    )
    assert done.code == 0, done.err
    assert len(json.loads(done.out)["runs"]) == 1
