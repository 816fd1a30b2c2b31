"""The benchmarks measure what they say: checked on tiny cases, never for speed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.cluster import KMeans

from intarsia.bench import cases, measure
from intarsia.bench.kernels import hk_means, kmeans
from intarsia.bench.kernels.kmeans_fits import peak_in_subprocess
from intarsia.bench.measure import cost_of

TINY = cases.Case("10k x 5", 10_000, 5, 100)


@pytest.fixture
def tiny_cases(monkeypatch):
    small = (cases.Case("u1060", 60, 2, 5, published=True), cases.Case("blobs", 300, 3, 4))
    monkeypatch.setattr(kmeans, "CASES", small)
    monkeypatch.setattr(kmeans, "peak_in_subprocess", lambda *_: 1.0)
    monkeypatch.setattr(kmeans, "case_file", lambda *_: None)
    monkeypatch.setattr(cases, "case_file", lambda *_: None)


def test_five_cases_of_the_right_sizes():
    sizes = [(case.n_samples, case.n_features, case.n_clusters) for case in cases.CASES]
    assert sizes == [(1060, 2, 100), (3038, 2, 500), (10_000, 5, 100), (100_000, 16, 200), (200_000, 64, 100)]


def test_generated_points_are_the_same_each_time():
    np.testing.assert_array_equal(cases.case_points(TINY, None), cases.case_points(TINY, None))


def test_start_is_distinct_points_of_the_data():
    X = np.repeat(np.arange(6.0)[:, None], 5, axis=0)
    assert sorted(cases.start_of(X, 6)[:, 0]) == [0, 1, 2, 3, 4, 5]


def test_cost_of_labels_is_the_inertia_of_converged_centres():
    X = np.random.default_rng(0).normal(size=(200, 3))
    model = KMeans(5, n_init=1, tol=0, random_state=0).fit(X)
    assert cost_of(X, model.labels_) == pytest.approx(model.inertia_, rel=1e-12)


def test_both_libraries_reach_the_same_inertia():
    X = cases.case_points(cases.Case("blobs", 2000, 3, 8), None)
    found = kmeans.compare(X, cases.start_of(X, 8), repeats=1)
    assert abs(found.relative_difference) < 1e-9
    assert found.ratio > 0


def test_kmeans_table_and_stand_in_note(intarsia, tiny_cases):
    outcome = intarsia("bench", "kmeans", "--quick")
    assert outcome.code == 0
    assert "u1060*" in outcome.out
    assert "* generated points" in outcome.out


def test_kmeans_json(intarsia, tiny_cases):
    outcome = intarsia("bench", "kmeans", "--quick", "--json")
    result = json.loads(outcome.out)
    assert [case["case"] for case in result["cases"]] == ["u1060", "blobs"]
    assert all(abs(case["float64"]["relative_difference"]) < 1e-9 for case in result["cases"])


def test_hk_means_json(intarsia, monkeypatch):
    monkeypatch.setattr(hk_means, "U1060", cases.Case("u1060", 200, 2, 10, published=True))
    monkeypatch.setattr(hk_means, "case_file", lambda *_: None)
    monkeypatch.setattr(cases, "case_file", lambda *_: None)
    outcome = intarsia("bench", "hk-means", "--quick", "--json")
    result = json.loads(outcome.out)
    assert result["stand_in"] is True
    assert result["runs"]["ours"]["mean"] < result["runs"]["sklearn"]["mean"]
    assert result["random_swap"]["best"] <= result["random_swap"]["mean"]


def test_peak_memory_comes_from_a_process_of_its_own():
    hog = np.ones(40_000_000)  # 320 MB here must not show there
    peak = peak_in_subprocess(TINY, "intarsia", None, quick=True)
    assert hog.nbytes / 2**20 > 300
    assert 20 < peak < measure.peak_rss_mb()


def test_a_data_folder_is_taken_only_where_it_is_read(intarsia):
    assert "does not exist" in intarsia("bench", "kmeans", "--data-dir", "nowhere").err
    assert "--data-dir" in intarsia("bench", "base", "--data-dir", ".").err


def test_interleaved_counts_each_round_but_the_first():
    calls: list[str] = []
    times = measure.interleaved([lambda: calls.append("a"), lambda: calls.append("b")], repeats=2)
    assert calls == ["a", "b"] * 3
    assert all(0 <= seen.min_ms <= seen.median_ms for seen in times)
