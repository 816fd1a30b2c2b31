"""`intarsia fit` by EXAMCE: its options, what it prints and writes, and what it refuses."""

from __future__ import annotations

import io
import json
import math
import os
import sys
import threading
from dataclasses import dataclass

import numpy as np
import pytest

from intarsia import Examce
from intarsia.base.registry import BASES
from intarsia.cli.fit import command as fit_command
from intarsia.cli.fit import examce as fit_examce
from intarsia.cli.fit.command import Option
from intarsia.cli.fit.run import FILES, FitTask
from intarsia.datasets import load
from intarsia.examce.criteria import CRITERIA, CriterionRow, Setting
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Partition
from intarsia.examce.state import ExamceResult
from intarsia.report.terminal import stage_bar

KEYS = {"cost", "best_base_cost", "pool_bound", "cover_status", "status"}
KEYS |= {"n_rounds", "n_columns", "seconds", "seed", "n_base_runs", "history", "effort"}
SMALL = ("--effort", "paper", "--base-runs", 8)


def refuse_constant(name):
    raise AssertionError(f"{name} is not JSON")


def fit_json(intarsia, *words):
    outcome = intarsia("fit", *words, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    return json.loads(outcome.out, parse_constant=refuse_constant)


def read_labels(folder):
    return np.loadtxt(folder / "labels.csv", skiprows=1, dtype=int)


def cost_by_hand(X, labels):
    return sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum() for j in np.unique(labels))


def test_it_is_the_default_and_equals_the_estimator(intarsia, tmp_path):
    result = fit_json(intarsia, "demo:bananas", "-k", 12, *SMALL, "--seed", 5, "--out", tmp_path / "out")
    X = load("demo:bananas").X
    model = Examce(12, effort="paper", n_base_runs=8, random_state=5).fit(X)
    assert result.keys() >= KEYS
    assert (result["method"], result["effort"], result["n_base_runs"]) == ("examce", "paper", 8)
    assert (result["cost"], result["status"]) == (model.inertia_, "done")
    np.testing.assert_array_equal(read_labels(tmp_path / "out"), model.labels_)
    assert result["cost"] == pytest.approx(cost_by_hand(X, model.labels_), rel=1e-12)
    assert result["cost"] <= result["best_base_cost"]


def test_result_file_has_the_history(intarsia, tmp_path):
    printed = fit_json(intarsia, "demo:iris", "-k", 5, *SMALL, "--out", tmp_path / "out")
    written = json.loads((tmp_path / "out" / "result.json").read_text())
    assert written == printed
    assert len(written["history"]) == written["n_rounds"]
    assert written["history"][-1].keys() >= {"columns", "pool_bound", "cost_cover", "cost", "seconds"}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(FILES)


@pytest.mark.parametrize(
    "words",
    [
        ["--base", "hk-means"],
        ["--base", "random-swap"],
        ["--solver", "highs"],
        ["--solver", "lp"],
        ["--tau", "0"],
        ["--effort", "default"],
    ],
    ids=" ".join,
)
def test_every_way_finds_the_optimum_of_iris(intarsia, words):
    result = fit_json(intarsia, "demo:iris", "-k", 3, "--base-runs", 10, *words)
    assert result[words[0][2:]] == (int(words[1]) if words[1].isdigit() else words[1])
    assert result["cost"] == pytest.approx(78.851441426146, rel=1e-12)


def test_size_limits_are_kept(intarsia, tmp_path):
    limits = ["--min-size", 45, "--max-size", 55]
    result = fit_json(intarsia, "demo:iris", "-k", 3, *SMALL, *limits, "--out", tmp_path / "out")
    sizes = np.bincount(read_labels(tmp_path / "out"))
    assert len(sizes) == 3
    assert sizes.min() >= 45
    assert sizes.max() <= 55
    assert (result["min_size"], result["max_size"]) == (45, 55)
    assert result["cost"] > 78.8514


def test_summary_says_what_matters_and_no_more(intarsia):
    outcome = intarsia("fit", "demo:bananas", "-k", 12, *SMALL)
    facts = [
        "examce, k = 12, effort paper, 8 base runs of kmeans, seed 0",
        "% below the best base run (",
        " rounds, ",
        " columns, ",
        "over its pool",
    ]
    for words in facts:
        assert words in outcome.out
    assert "status" not in outcome.out
    assert "optimal clustering" not in outcome.out


def test_a_time_limit_that_ends_the_search_is_labelled(intarsia):
    words = ["fit", "demo:gauss100", "-k", 30, "--base-runs", 4, "--effort", "high", "--time-limit", 1]
    outcome = intarsia(*words)
    assert outcome.code == 0
    assert "stopped by the time limit: best so far, not reproducible" in outcome.out


@pytest.mark.parametrize("method", ["examce", "kmeans"])
def test_the_time_limit_counts_what_went_before_the_search(intarsia, monkeypatch, method):
    monkeypatch.setattr(FitTask, "seconds_taken", lambda task: 1000.0)
    words = ["fit", "demo:iris", "-k", 3, "--method", method, "--json"]
    assert json.loads(intarsia(*words, "--time-limit", 999).out)["status"] == "time_limit"
    assert json.loads(intarsia(*words, "--time-limit", 9999).out)["status"] == "done"


@pytest.mark.parametrize("output", ["--out", "--labels"])
def test_the_time_limit_leaves_time_for_writing(intarsia, monkeypatch, tmp_path, output):
    written = []
    monkeypatch.setattr("intarsia.cli.fit.run.write_labels", lambda path, labels: written.append(str(path)))
    words = ["fit", "demo:iris", "-k", 3, "--method", "kmeans", output, tmp_path / "there"]
    intarsia(*words)
    assert os.devnull not in written
    intarsia(*words, "--time-limit", 99, "--force")
    assert written.count(os.devnull) == 2


def result_with(**changes):
    cost = changes.pop("cost", 90.0)
    facts = {
        "partition": Partition(np.zeros(1, np.int32), cost, cost, np.zeros((1, 1))),
        "best_base_cost": 100.0,
        "pool_bound": 89.0,
        "cover_status": "gap",
        "cover_gap": 0.012,
        "status": "done",
        "n_base_runs": 8,
        "n_rounds": 3,
        "n_columns": 1234,
        "history": (),
        "seconds": 1.0,
        "seed": 0,
    }
    return ExamceResult(**{**facts, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "1.2 % of the bound over its pool, not proved optimal"),
        ({"cover_status": "optimal"}, "the last proved optimal over its pool"),
        ({"cover_status": "none", "cover_gap": math.inf}, "none with a bound"),
        ({}, "10 % below the best base run (100)"),
        ({"cost": 100.0}, "the same as the best base run"),
        ({"cost": 0.0, "best_base_cost": 0.0}, "the same as the best base run"),
        ({"cost": -110.0, "best_base_cost": -100.0}, "10 % below the best base run (-100)"),
        ({"cost": -1.0, "best_base_cost": 0.0}, "below the best base run (0)"),
        ({"best_base_cost": math.inf}, "no base run to compare with"),
        ({"status": "interrupted"}, "interrupted: best so far, not reproducible"),
    ],
)
def test_words_for_every_kind_of_result(changes, words):
    result = result_with(**changes)
    args = type("Args", (), {"effort": "paper", "base": "kmeans", "clusters": 3, "seed": 0})
    assert words in "\n".join(text for _, text in fit_examce._lines(args, result))


RANDOM = [name for name, row in BASES.items() if row.is_random]
SEEDED = [name for name, row in BASES.items() if "init" in row.options]
MISPLACED = {
    "--runs 3": f"--runs is for {', '.join(RANDOM)}; examce takes --base-runs",
    "--float32": f"--float32 is for {', '.join(RANDOM)}; examce computes in double precision",
    "--init random": f"--init is for {', '.join(SEEDED)}, not for examce",
    "--swaps 9": "--swaps is for random-swap, vns, not for examce",
    "--method kmeans --base-runs 3": "--base-runs is for examce; kmeans takes --runs",
    "--method kmeans --effort high": "--effort is for examce, not for kmeans",
    "--method gmm --init random": f"--init is for {', '.join(SEEDED)}, not for gmm",
    "--method fcm --swaps 9": "--swaps is for random-swap, vns, not for fcm",
    "--method gmm --min-size 2": "--min-size is for examce, not for gmm",
    "--method hk-means --swaps 9": "--swaps is for random-swap, vns, not for hk-means",
}

BAD = {
    "--effort most": ["--effort", "most", "paper"],
    "--solver magic": ["--solver", "magic", "highs"],
    "--base magic": ["--base", "magic", "hk-means"],
    "--base-runs 0": ["--base-runs", "'0'"],
    "--time-limit 0": ["--time-limit", "'0'"],
    "--tau=-1": ["--tau", "'-1'"],
    "--min-size 0": ["--min-size", "'0'"],
    "--min-size 60": ["-k * --min-size", "180", "150"],
    "--max-size 40": ["-k * --max-size", "120", "150"],
    "--min-size 50 --max-size 40": ["--min-size 50", "--max-size 40"],
}


@pytest.mark.parametrize("words", MISPLACED)
def test_an_option_of_another_method_is_refused(intarsia, tmp_path, words):
    outcome = intarsia("fit", "demo:iris", "-k", 3, *words.split(), "--out", tmp_path / "out")
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"intarsia: {MISPLACED[words]}\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", BAD)
def test_bad_values_and_infeasible_sizes_are_refused(intarsia, tmp_path, words):
    outcome = intarsia("fit", "demo:iris", "-k", 3, *words.split(), "--out", tmp_path / "out")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "out").exists()
    for needle in BAD[words]:
        assert needle in outcome.err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_is_drawn_again_between_steps_with_what_is_going_on(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    asked = []
    with stage_bar("examce") as show:
        drawn_thrice = threading.Event()

        def now():
            asked.append(None)
            if len(asked) >= 3:
                drawn_thrice.set()
            return f"search 3, a cover, best 123.5, drawn {min(len(asked), 3)}"

        show.now = now
        show("search", 3, 40, 123.5)
        assert drawn_thrice.wait(60)  # no step ends meanwhile
        show("search", 4, 40, 123.5)
    for words in ("examce", "search 3, a cover, best 123.5", "drawn 3"):
        assert words in sys.stderr.getvalue()


@dataclass(frozen=True)
class Spread(Mssc):
    """The sum of squares with a factor, so that a criterion with a setting can be asked for."""

    factor: float = 1.0

    name = "spread"

    def check(self, X, weights, counts):
        super().check(X, weights, counts)
        if self.factor <= 0:
            raise ValueError(f"factor={self.factor} should be > 0.")


@pytest.fixture
def spread(monkeypatch):
    row = CriterionRow("mssc:Spread", "a test", (Setting("factor", "by what", float, flag="--by"),), True)
    monkeypatch.setattr(CriterionRow, "load", lambda row: Mssc if row.home == "mssc:Mssc" else Spread)
    monkeypatch.setitem(CRITERIA, "spread", row)
    monkeypatch.setattr(Spread, "takes_ranges", True)


@pytest.mark.usefixtures("spread")
def test_a_criterion_is_chosen_with_its_settings(intarsia, tmp_path, monkeypatch):
    choices = {"choices": tuple(CRITERIA), "help": ""}
    options = (Option("--criterion", ("examce",), "mssc", choices), *fit_command.EXAMCE_OPTIONS[1:])
    monkeypatch.setattr(fit_command, "EXAMCE_OPTIONS", options)
    words = ("demo:iris", "-k", 3, *SMALL, "--criterion", "spread", "--by", "0.5")
    result = fit_json(intarsia, *words, "--out", tmp_path / "out")
    assert (result["criterion"], result["parameters"]) == ("spread", {"factor": 0.5})
    for index in (1, 2):
        intarsia("fit", *words, "--shard", f"{index}/2", "--out", tmp_path / "shards")
    merged = intarsia("merge", tmp_path / "shards", "--json")
    assert json.loads(merged.out)["cost"] == result["cost"]
    free = fit_json(intarsia, "demo:iris", "-k", "2-3", *SMALL, "--criterion", "spread")
    assert free["n_clusters"] == 3
    refused = intarsia("fit", "demo:iris", "-k", 3, "--criterion", "spread", "--by", "-1")
    assert refused.err == "intarsia: factor=-1.0 should be > 0.\n"  # options of the list have their own words
    refused = intarsia("fit", "demo:iris", "-k", 3, "--by", "2")
    assert refused.err == "intarsia: --by is for --criterion spread, not for mssc\n"
    refused = intarsia("fit", "demo:iris", "-k", 3, "--method", "kmeans", "--by", "2")
    assert refused.err == "intarsia: --by is for --criterion spread, not for kmeans\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "needs -k K, the number of clusters"),
        (["-k", "3-5"], "-k 3-5: one number is needed"),
        (["-k", "5-3"], "argument -k/--clusters: needs the smaller number first, got '5-3'"),
        (["-k", "3", "--criterion", "sse"], "argument --criterion: invalid choice: 'sse'"),
    ],
)
def test_wrong_numbers_and_criteria_are_refused(intarsia, words, message):
    outcome = intarsia("fit", "demo:iris", *words)
    assert outcome.code == 2
    assert outcome.err.startswith(f"intarsia: {message}")


def test_entropy_with_its_options(intarsia, tmp_path):
    words = ("demo:iris", "-k", 3, *SMALL, "--criterion", "entropy", "--alpha", 0.8, "--neighbours", 20)
    outcome = intarsia("fit", *words, "--json", "--out", tmp_path / "out")
    result = json.loads(outcome.out)
    assert outcome.code == 0
    assert (result["criterion"], result["parameters"]["alpha"]) == ("entropy", 0.8)
    assert result["parameters"]["neighbours"] == 20
    assert not (tmp_path / "out" / "centers.csv").exists()
    labels = np.loadtxt(tmp_path / "out" / "labels.csv", delimiter=",", skiprows=1, dtype=int)
    assert np.bincount(labels.ravel()[-150:] if labels.ndim == 1 else labels[:, -1]).min() >= 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--alpha", 0), "--alpha 0.0 should be > 0"),
        (("--radius", -1), "--radius -1.0 should be > 0"),
        (("--radius", 1, "--neighbours", 3), "--neighbours 3 and --radius 1.0 should not both be given"),
    ],
)
def test_bad_options_of_entropy_are_refused_in_one_line(intarsia, words, message):
    outcome = intarsia("fit", "demo:iris", "-k", 3, "--criterion", "entropy", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.filterwarnings("default:criterion='entropy'")
def test_a_warning_about_the_answer_is_one_line(intarsia):
    words = ("demo:iris", "-k", 3, *SMALL, "--criterion", "entropy", "--neighbours", 1)
    outcome = intarsia("fit", *words, "--quiet")
    assert outcome.code == 0
    assert "150 of 150 points have nobody around them but themselves" in outcome.err
