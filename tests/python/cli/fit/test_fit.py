"""`intarsia fit` on good input: what it prints and writes, checked against scikit-learn."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from intarsia.base.fuzzy_c_means import FuzzyCMeans
from intarsia.base.gaussian_mixture import GaussianMixture
from intarsia.datasets import load

SIZES = {"n_samples", "n_features", "n_clusters"}
KEYS = SIZES | {"method", "cost", "runs", "seed", "seconds", "threads", "version"}


def cost_by_hand(X, labels, weights=None):
    """Sum of weighted squared distances to the weighted means, straight from the definition."""
    weights = np.ones(len(X)) if weights is None else weights
    total = 0.0
    for label in np.unique(labels):
        inside = labels == label
        mean = np.average(X[inside], axis=0, weights=weights[inside])
        total += float(weights[inside] @ ((X[inside] - mean) ** 2).sum(axis=1))
    return total


def fit_json(intarsia, *words):
    outcome = intarsia("fit", *words, "--json")
    assert outcome.code == 0
    assert outcome.err == ""
    return json.loads(outcome.out)


def read_labels(folder):
    return np.loadtxt(folder / "labels.csv", skiprows=1, dtype=int)


def read_centers(folder):
    return np.loadtxt(folder / "centers.csv", delimiter=",", skiprows=1)


@pytest.mark.parametrize("method", ["kmeans", "hk-means", "random-swap"])
def test_json_has_the_facts_and_the_cost_is_that_of_the_labels(intarsia, tmp_path, method):
    words = ["demo:iris", "-k", 3, "--method", method, "--seed", 4, "--out", tmp_path / "out"]
    words += ["--swaps", 50] if method == "random-swap" else []
    result = fit_json(intarsia, *words)
    assert result.keys() >= KEYS
    assert (result["method"], result["seed"], result["runs"]) == (method, 4, 10)
    assert (result["n_samples"], result["n_features"], result["n_clusters"]) == (150, 4, 3)
    X = load("demo:iris").X
    assert result["cost"] == pytest.approx(cost_by_hand(X, read_labels(tmp_path / "out")), rel=1e-12)
    assert result["cost"] == min(result["costs"])
    assert result["mean_cost"] == pytest.approx(np.mean(result["costs"]))


@pytest.mark.parametrize(("method", "model"), [("gmm", GaussianMixture), ("fcm", FuzzyCMeans)])
def test_soft_methods_are_the_best_of_their_estimators_runs(intarsia, tmp_path, method, model):
    words = ["demo:iris", "-k", 3, "--method", method, "--runs", 3, "--max-iter", 20, "--tol", 0.01]
    result = fit_json(intarsia, *words, "--out", tmp_path / "out")
    X = load("demo:iris").X
    fits = [model(3, max_iter=20, tol=0.01, random_state=run).fit(X) for run in range(3)]
    costs = [-fit.lower_bound_ if method == "gmm" else fit.objective_ for fit in fits]
    assert result["costs"] == costs
    best = fits[int(np.argmin(costs))]
    assert adjusted_rand_score(best.labels_, read_labels(tmp_path / "out")) == 1
    centers = best.means_ if method == "gmm" else best.cluster_centers_
    np.testing.assert_allclose(read_centers(tmp_path / "out"), centers, rtol=1e-9)
    assert result.get("init") == (None if method == "gmm" else "k-means++")


def test_a_method_without_centres_has_the_means_of_its_clusters(intarsia, tmp_path):
    words = ("fit", "demo:iris", "-k", 3, "--method", "spectral", "--sigma", 0.5, "--out", tmp_path / "out")
    outcome = intarsia(*words)
    assert outcome.code == 0, outcome.err
    labels = np.loadtxt(tmp_path / "out" / "labels.csv", skiprows=1, dtype=int)
    centers = np.loadtxt(tmp_path / "out" / "centers.csv", skiprows=1, delimiter=",")
    X = load("demo:iris").X
    np.testing.assert_allclose(centers, [X[labels == c].mean(axis=0) for c in range(3)])


def test_out_writes_four_files_that_agree(intarsia, tmp_path):
    out = tmp_path / "deep" / "out"
    printed = fit_json(intarsia, "demo:iris", "-k", 3, "--out", out)
    assert sorted(path.name for path in out.iterdir()) == [
        "centers.csv",
        "labels.csv",
        "model.npz",
        "result.json",
    ]
    assert json.loads((out / "result.json").read_text()) == printed
    points, labels = load("demo:iris"), read_labels(out)
    means = [points.X[labels == j].mean(axis=0) for j in range(3)]
    np.testing.assert_allclose(read_centers(out), means, rtol=1e-12)
    assert printed["adjusted_rand_index"] == pytest.approx(adjusted_rand_score(points.labels, labels))


def test_a_result_of_other_settings_is_not_overwritten_without_force(intarsia, tmp_path):
    words = ["fit", "demo:iris", "-k", 3, "--method", "kmeans", "--out", tmp_path / "out", "--quiet"]
    assert intarsia(*words).code == 0
    assert intarsia(*words, "--threads", 2).code == 0  # which does not matter
    before = (tmp_path / "out" / "result.json").read_bytes()
    refused = intarsia(*words, "--seed", 1)
    assert refused.code == 2
    assert refused.err == (
        f"intarsia: {tmp_path / 'out'}: holds a result of seed 0, not 1; choose another folder, or overwrite "
        "it by --force\n"
    )
    np.savetxt(tmp_path / "x.csv", load("demo:iris").X[::-1], delimiter=",")
    assert "holds a result of points" in intarsia("fit", tmp_path / "x.csv", *words[2:]).err
    assert (tmp_path / "out" / "result.json").read_bytes() == before
    assert intarsia(*words, "--seed", 1, "--force").code == 0
    assert json.loads((tmp_path / "out" / "result.json").read_text())["settings"]["seed"] == 1
    (tmp_path / "out" / "result.json").write_text("{}")
    assert "does not say its settings" in intarsia(*words).err


def test_summary_says_what_matters(intarsia, tmp_path):
    outcome = intarsia("fit", "demo:iris", "-k", 3, "--method", "hk-means", "--out", tmp_path / "out")
    assert outcome.code == 0
    facts = ["iris: 150 points, 4 features", "hk-means, k = 3, 10 runs, seed 0", "78.85", "ARI", "labels.csv"]
    for words in facts:
        assert words in outcome.out


def test_quiet_prints_nothing(intarsia, tmp_path):
    outcome = intarsia("fit", "demo:iris", "-k", 3, "--quiet", "--out", tmp_path / "out")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert (tmp_path / "out" / "result.json").exists()


@pytest.mark.parametrize("words", [["--effort", "paper", "--base-runs", 20], ["--method", "hk-means"]])
def test_same_seed_same_files_for_any_number_of_threads(intarsia, tmp_path, words):
    for threads in (1, 2, 3):
        out = tmp_path / str(threads)
        intarsia("fit", "demo:bananas", "-k", 20, *words, "--threads", threads, "--out", out)
    for name in ("labels.csv", "centers.csv"):
        one, two, three = ((tmp_path / str(threads) / name).read_bytes() for threads in (1, 2, 3))
        assert one == two == three


def test_another_seed_another_search(intarsia):
    words = ["demo:bananas", "-k", 20, "--method", "hk-means"]
    costs = [fit_json(intarsia, *words, "--seed", seed)["costs"] for seed in (1, 2)]
    assert costs[0] != costs[1]


def test_weights_count_as_copies(intarsia, tmp_path):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(40, 2)), rng.integers(1, 4, 40)
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    np.savetxt(tmp_path / "w.csv", weights, fmt="%d")
    words = ["x.csv", "-k", 4, "--weights", "w.csv", "--out", tmp_path / "out"]
    result = fit_json(intarsia, *words)
    labels = read_labels(tmp_path / "out")
    assert result["cost"] == pytest.approx(cost_by_hand(X, labels, weights.astype(float)), rel=1e-12)


@pytest.mark.parametrize("kind", ["standard", "minmax"])
def test_scaling_is_undone_in_the_centres(intarsia, tmp_path, kind):
    X = load("demo:wine").X
    result = fit_json(intarsia, "demo:wine", "-k", 3, "--scale", kind, "--out", tmp_path / "out")
    labels = read_labels(tmp_path / "out")
    spread = X.std(axis=0) if kind == "standard" else np.ptp(X, axis=0)
    assert result["cost"] == pytest.approx(cost_by_hand(X / spread, labels), rel=1e-9)
    means = [X[labels == j].mean(axis=0) for j in range(3)]
    np.testing.assert_allclose(read_centers(tmp_path / "out"), means, rtol=1e-9)


def test_scaling_leaves_a_constant_feature_alone(intarsia, tmp_path):
    (tmp_path / "x.csv").write_text("1,7\n2,7\n8,7\n9,7\n")
    assert fit_json(intarsia, "x.csv", "-k", 2, "--scale", "standard")["cost"] > 0


def test_float32(intarsia):
    words = ["demo:iris", "-k", 3, "--method", "hk-means"]
    double, single = (fit_json(intarsia, *words, *extra) for extra in ([], ["--float32"]))
    assert (double["dtype"], single["dtype"]) == ("float64", "float32")
    assert single["cost"] == pytest.approx(double["cost"], rel=1e-4)


def test_label_column_by_name_and_by_number(intarsia, tmp_path):
    (tmp_path / "x.csv").write_text("kind,x\na,1\na,2\nb,8\nb,9\n")
    for column in ("kind", "0"):
        result = fit_json(intarsia, "x.csv", "-k", 2, "--label-column", column)
        assert result["n_features"] == 1
        assert result["adjusted_rand_index"] == 1.0


def test_brackets_in_a_file_name_are_printed_as_they_are(intarsia, tmp_path):
    (tmp_path / "[red]x.csv").write_text("1\n2\n8\n9\n")
    assert "[red]x" in intarsia("fit", "[red]x.csv", "-k", 2).out


def test_a_shard_says_where_it_is_unless_it_is_to_be_quiet(intarsia, tmp_path):
    words = ("fit", "demo:iris", "-k", 3, "--base-runs", 4, "--shard", "1/2", "--out", tmp_path / "shards")
    path = tmp_path / "shards" / "shard-1-of-2.npz"
    assert intarsia(*words).out == f"wrote {path}\n"
    path.unlink()
    assert intarsia(*words, "--quiet").out == ""
    assert path.exists()
    assert json.loads(intarsia(*words, "--quiet", "--json").out) == {"shard": [1, 2], "file": str(path)}
