"""`intarsia fit --criterion`: p-medians and BIC from the command line, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from intarsia import Examce, PMedian, load_demo
from intarsia.base.registry import BASES
from intarsia.examce.criteria import CRITERIA

SMALL = ("--effort", "paper", "--base-runs", 6, "--threads", 1)
X = load_demo("iris").X


def fit_json(intarsia, *words):
    outcome = intarsia("fit", *words, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    return json.loads(outcome.out)


def labels_of(folder):
    return np.loadtxt(folder / "labels.csv", skiprows=1, dtype=int)


def test_medians_are_those_of_the_estimator_and_predict_measures_alike(intarsia, tmp_path):
    words = ("demo:iris", "-k", 3, "--criterion", "pmedian", "--metric", "manhattan", *SMALL)
    found = fit_json(intarsia, *words, "--out", tmp_path / "out")
    model = Examce(3, criterion=PMedian("manhattan"), effort="paper", n_base_runs=6, random_state=0).fit(X)
    assert (found["cost"], found["parameters"]) == (model.inertia_, {"metric": "manhattan"})
    assert (found["base"], found["medoid_indices"]) == ("greedy", model.medoid_indices_.tolist())
    np.testing.assert_array_equal(labels_of(tmp_path / "out"), model.labels_)
    outcome = intarsia("predict", tmp_path / "out", "demo:iris", "--out", tmp_path / "labels.csv")
    assert outcome.code == 0
    np.testing.assert_array_equal(labels_of(tmp_path), model.labels_)


@pytest.mark.parametrize("name", CRITERIA)
def test_base_runs_of_the_criterion_itself_are_offered(intarsia, name):
    row = CRITERIA[name]
    assert set(row.bases) == set(row.load().bases) - set(BASES)
    for base in row.bases:
        asked = fit_json(intarsia, "demo:iris", "-k", 3, "--criterion", name, "--base", base, *SMALL)
        same = Examce(3, criterion=name, base=base, effort="paper", n_base_runs=6, random_state=0).fit(X)
        assert (asked["base"], asked["cost"]) == (base, same.inertia_)


def test_base_runs_of_another_criterion_are_refused(intarsia):
    refused = intarsia("fit", "demo:iris", "-k", 3, "--base", "greedy")
    assert refused.err == "intarsia: --base greedy is for --criterion pmedian, not for mssc\n"


def test_a_matrix_of_distances_has_no_centres(intarsia, tmp_path):
    np.savetxt(tmp_path / "d.csv", cdist(X, X), delimiter=",")
    words = ("--header", "no", "--label-column", "none", "-k", 3, "--criterion", "pmedian", *SMALL)
    found = fit_json(intarsia, tmp_path / "d.csv", *words, "--precomputed", "--out", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["labels.csv", "result.json"]
    plain = fit_json(intarsia, "demo:iris", "-k", 3, "--criterion", "pmedian", *SMALL)
    for name in ("cost", "silhouette"):
        assert found[name] == pytest.approx(plain[name], rel=1e-9)
    assert found["parameters"] == {"metric": "precomputed"}
    refused = intarsia("fit", "demo:iris", "-k", 3, "--criterion", "pmedian", "--precomputed")
    assert refused.err == "intarsia: --metric precomputed: shape=(150, 4) should be square.\n"


@pytest.mark.parametrize("k", [("-k", "2-6"), (), ("-k", "none")], ids=["range", "free", "none"])
def test_bic_finds_a_number_of_clusters(intarsia, tmp_path, k):
    found = fit_json(intarsia, "demo:iris", *k, "--criterion", "bic", *SMALL, "--out", tmp_path / "out")
    assert found["n_clusters"] == labels_of(tmp_path / "out").max() + 1
    assert found["n_clusters"] >= 2
    assert "n_clusters" in found
    people = intarsia("fit", "demo:iris", *k, "--criterion", "bic", *SMALL)
    assert f"k = {found['n_clusters']} found" in people.out
    assert f"\nbic        {found['bic']:.10g}\n" in people.out


def test_entropy_is_told_beside_the_cost(intarsia):
    words = ("demo:iris", "-k", 3, "--criterion", "entropy", "--min-size", 1, *SMALL)
    found = fit_json(intarsia, *words)
    assert found["entropy"] == found["cost"] - 1
    assert f"\nentropy    {found['entropy']:.10g}\n" in intarsia("fit", *words).out


def test_shards_of_a_range_are_put_together(intarsia, tmp_path):
    words = ("demo:iris", "-k", "2-5", "--criterion", "bic", "--variance", "own", *SMALL)
    whole = fit_json(intarsia, *words)
    for index in (1, 2):
        assert intarsia("fit", *words, "--shard", f"{index}/2", "--out", tmp_path).code == 0
    merged = json.loads(intarsia("merge", tmp_path, "--json").out)
    assert (merged["cost"], merged["n_clusters"]) == (whole["cost"], whole["n_clusters"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-k", "3", "--metric", "cosine"], "--metric is for --criterion pmedian, not for mssc"),
        (
            ["-k", "3", "--method", "kmeans", "--variance", "own"],
            "--variance is for --criterion bic, not for",
        ),
        (["-k", "3-4", "--criterion", "pmedian"], "-k 3-4: one number is needed; a range is for --criterion"),
        (["-k", "3", "--criterion", "pmedian", "--metric", "x"], "argument --metric: invalid choice: 'x'"),
        (
            ["-k", "3", "--criterion", "pmedian", "--metric", "cosine", "--precomputed"],
            "argument --precomputed: not allowed with argument --metric",
        ),
        (
            ["-k", "3", "--criterion", "pmedian", "--precomputed", "--scale", "standard"],
            "--scale is for points, not for the distances of --precomputed",
        ),
        (["--method", "kmeans"], "needs -k K, the number of clusters"),
    ],
)
def test_what_is_refused(intarsia, words, message):
    outcome = intarsia("fit", "demo:iris", *words)
    assert outcome.code == 2
    assert outcome.err.startswith(f"intarsia: {message}")


def test_weights_that_a_criterion_does_not_take(intarsia, tmp_path):
    np.savetxt(tmp_path / "w.csv", np.ones(150))
    outcome = intarsia("fit", "demo:iris", "-k", 3, "--criterion", "bic", "--weights", tmp_path / "w.csv")
    assert outcome.err == "intarsia: --criterion bic takes no --weights.\n"
