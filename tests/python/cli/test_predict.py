"""`intarsia predict`: a saved result labels points as the fit did, and refuses what it cannot label."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import StandardScaler

from intarsia import Examce
from intarsia.base.registry import BASES
from intarsia.cli.fit.run import sampled_silhouette

RNG = np.random.default_rng(5)
X = (np.vstack([RNG.normal(c, 1, (15, 3)) for c in (0, 4, 8)]) * [1, 10, 100]).round(3)
NEW = RNG.normal(4, 4, (30, 3)) * [1, 10, 100]
KINDS = np.repeat(["a", "b", "c"], 15)
EXAMCE = ("-k", 3, "--base-runs", 4, "--effort", "paper")


@pytest.fixture
def data(tmp_path):
    frame = pd.DataFrame(X, columns=["u", "v", "w"]).assign(kind=KINDS)
    frame.to_csv(tmp_path / "x.csv", index=False)
    pd.DataFrame(NEW, columns=["u", "v", "w"])[["w", "u", "v"]].to_csv(tmp_path / "new.csv", index=False)
    np.save(tmp_path / "x.npy", X.astype(np.float32))
    return tmp_path


@pytest.mark.parametrize("scale", ["standard", "minmax", "none"])
@pytest.mark.parametrize(
    "words",
    [EXAMCE, ("-k", 3, "--method", "kmeans", "--float32"), ("-k", 3, "--method", "fcm", "--runs", 2)],
    ids=["examce", "kmeans", "fcm"],
)
def test_the_training_file_gets_its_labels(intarsia, data, scale, words):
    for name, more in (("x.csv", ("--label-column", "kind")), ("x.npy", ())):
        assert intarsia("fit", name, *words, *more, "--scale", scale, "--out", f"r-{name}").code == 0
        outcome = intarsia("predict", f"r-{name}", name)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.encode() == (data / f"r-{name}" / "labels.csv").read_bytes()


@pytest.mark.parametrize("method", BASES)
def test_a_base_keeps_a_rule_only_where_the_nearest_centre_is_one(intarsia, data, method):
    runs = ("--runs", 1) if BASES[method].is_random else ()
    assert intarsia("fit", "x.npy", "-k", 3, "--method", method, *runs, "--out", "r").code == 0
    outcome = intarsia("predict", "r", "x.npy")
    assert outcome.code == (0 if BASES[method].nearest_centre else 2), outcome.err
    assert not outcome.code or "no rule for new points" in outcome.err


def test_new_points_as_python_labels_them(intarsia, data):
    words = ("x.csv", *EXAMCE, "--label-column", "kind", "--scale", "standard", "--seed", 3)
    assert intarsia("fit", *words, "--out", "r").code == 0
    outcome = intarsia("predict", "r", "new.csv", "--out", "l.csv")
    assert "30 points" in outcome.out
    labels = np.loadtxt(data / "l.csv", skiprows=1, dtype=int)
    scaler = StandardScaler().fit(X)
    model = Examce(3, n_base_runs=4, effort="paper", random_state=3).fit(scaler.transform(X))
    np.testing.assert_array_equal(labels, model.predict(scaler.transform(NEW)))
    loaded = Examce.load(data / "r")
    np.testing.assert_array_equal(loaded.predict(pd.DataFrame(NEW, columns=["u", "v", "w"])), labels)
    facts = json.loads(intarsia("predict", "r", "new.csv", "--json").out)
    assert facts["labels"] == labels.tolist()


def test_saved_and_loaded_in_python(tmp_path):
    model = Examce(3, n_base_runs=4, effort="paper", random_state=0).fit(X)
    model.save(tmp_path / "m.npz")
    loaded = Examce.load(tmp_path / "m.npz")
    np.testing.assert_array_equal(loaded.predict(NEW), model.predict(NEW))
    np.testing.assert_array_equal(loaded.transform(NEW), model.transform(NEW))
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    assert loaded.score(NEW) == model.score(NEW)
    assert (loaded.inertia_, loaded.n_clusters, loaded.effort) == (model.inertia_, 3, "paper")


def test_refusals_are_one_line(intarsia, data):
    intarsia("fit", "x.csv", *EXAMCE, "--drop", "kind", "--out", "r")
    intarsia("fit", "x.csv", "-k", 3, "--method", "gmm", "--runs", 1, "--drop", "kind", "--out", "g")
    pd.DataFrame(NEW, columns=["u", "v", "z"]).to_csv(data / "other.csv", index=False)
    np.save(data / "narrow.npy", NEW[:, :2])
    (data / "broken.npz").write_bytes((data / "r" / "model.npz").read_bytes()[:-40])
    refused = {
        ("r", "other.csv"): "no column 'w'",
        ("r", "narrow.npy"): "2 features; the result has 3",
        ("nowhere", "new.csv"): "no such file",
        ("broken.npz", "new.csv"): "damaged",
        ("g", "new.csv"): "no rule for new points",
        ("r", "new.csv", "--out", "new.csv"): "would be overwritten",
    }
    for words, needle in refused.items():
        outcome = intarsia("predict", *words)
        assert (outcome.code, outcome.out) == (2, "")
        assert needle in outcome.err
        assert outcome.err.count("\n") == 1


def test_the_summary_has_sizes_and_silhouette(intarsia, data):
    outcome = intarsia("fit", "x.csv", *EXAMCE, "--drop", "kind", "--out", "r")
    labels = np.loadtxt(data / "r" / "labels.csv", skiprows=1, dtype=int)
    facts = json.loads((data / "r" / "result.json").read_text())
    sizes = np.bincount(labels)
    assert facts["sizes"] == {"least": sizes.min(), "median": np.median(sizes), "largest": sizes.max()}
    assert facts["silhouette"] == pytest.approx(silhouette_score(X, labels), rel=1e-9)
    assert f"silhouette {facts['silhouette']:.4f}" in outcome.out
    assert "% below" in outcome.out or "the same as the best base run" in outcome.out


def test_silhouette_of_a_sample():
    labels = RNG.integers(0, 3, 45)
    labels[0] = 7  # alone in its cluster
    assert sampled_silhouette(X, labels) == pytest.approx(silhouette_score(X, labels), rel=1e-9)
    some = np.linspace(0, 44, 20).astype(int)
    expected = silhouette_score(X[some], labels[some])
    assert sampled_silhouette(X, labels, most=20) == pytest.approx(expected, rel=1e-9)
    assert sampled_silhouette(X, np.zeros(45, dtype=int)) is None
    assert sampled_silhouette(X, np.arange(45)) is None


def test_missing_values_of_new_points_get_the_medians_of_the_fit(intarsia, data):
    gaps = pd.DataFrame(X, columns=["u", "v", "w"])
    gaps.iloc[[3, 20], 2] = np.nan
    gaps.to_csv(data / "gaps.csv", index=False)
    fit = ("gaps.csv", "-k", 3, "--method", "kmeans", "--missing", "median", "--scale", "standard")
    assert intarsia("fit", *fit, "--out", "r").code == 0
    assert intarsia("predict", "r", "gaps.csv").out.encode() == (data / "r" / "labels.csv").read_bytes()
    (data / "one.csv").write_text("u,v,w\n8,80,\n")  # has no median of its own
    (data / "two.csv").write_text(f"u,v,w\n8,80,{gaps['w'].median()}\n")
    assert intarsia("predict", "r", "one.csv").out == intarsia("predict", "r", "two.csv").out


def test_columns_of_one_name_are_taken_by_their_places(intarsia, data):
    pd.DataFrame(X, columns=["u", "u", "w"]).to_csv(data / "twins.csv", index=False)
    assert intarsia("fit", "twins.csv", "-k", 3, "--method", "kmeans", "--out", "r").code == 0
    assert intarsia("predict", "r", "twins.csv").out.encode() == (data / "r" / "labels.csv").read_bytes()


@pytest.mark.filterwarnings("always:")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--criterion bic", "bic: points join the nearest mean"),
        ("--min-size 12", "size limits of the fit are not kept"),
        ("--criterion pmedian", ""),
    ],
)
def test_labels_that_may_not_be_those_of_the_fit_are_said_to_be(intarsia, data, words, said):
    fit = ("x.csv", "-k", 3, *words.split(), "--effort", "fast", "--drop", "kind", "--out", "r")
    assert intarsia("fit", *fit).code == 0
    outcome = intarsia("predict", "r", "x.csv")
    assert outcome.code == 0
    assert outcome.err.count("\n") == (1 if said else 0)
    assert said in outcome.err


@pytest.mark.filterwarnings("always:")
def test_a_result_without_centres_says_so(intarsia, data):
    fit = ("x.csv", "-k", 3, "--criterion", "entropy", "--effort", "fast", "--drop", "kind", "--out", "r")
    assert intarsia("fit", *fit).code == 0
    refused = intarsia("predict", "r", "x.csv")
    assert (
        refused.err == "intarsia: r: a result without model.npz: its method has no centres for new points.\n"
    )
