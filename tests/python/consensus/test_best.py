"""`best`: every affordable method is tried with the same allowance, the most agreeing answer is kept."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import normalized_mutual_info_score

from intarsia import Ensemble, choose_k, combine
from intarsia.consensus import METHODS, affordable, combine_full
from intarsia.consensus import best as best_module
from intarsia.executor import ThreadExecutor

DIGITS = Ensemble.generate(load_digits().data[:400], "kmeans", 12, (10, 20), random_state=0)


def mean_nmi(labels):
    return np.mean([normalized_mutual_info_score(m, labels, average_method="geometric") for m in DIGITS])


def test_the_answer_is_that_of_the_best_single_method():
    found = combine_full(DIGITS, 10, "best", random_state=0)
    answers = {name: combine(DIGITS, 10, name, random_state=0) for name in best_module.CANDIDATES}
    scores = {name: mean_nmi(labels) for name, labels in answers.items()}
    winner = max(scores, key=scores.get)
    assert winner == found.method
    np.testing.assert_array_equal(found.labels, answers[winner])
    assert found.objective == pytest.approx(scores[winner])
    for name, score in scores.items():
        assert f"{name} {score:.4f}" in found.note


def test_what_would_take_too_long_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(best_module, "ALLOWANCE", 1e8)
    found = combine_full(DIGITS, 10, "best", random_state=0)
    assert found.note.endswith("left out, too long at this size: sa-nmi")
    monkeypatch.setattr(best_module, "ALLOWANCE", 1.0)
    found = combine_full(DIGITS, 10, "best", random_state=0)
    assert found.note.endswith("left out, too long at this size: eac, cspa, sa-ri, sa-ji, sa-wi, sa-nmi")
    assert combine_full(DIGITS, 10, "best", random_state=0, methods=["eac"]).method == "eac"  # asked for


def test_work_grows_with_the_ensemble():
    few, rows = DIGITS[[0, 1, 2]], DIGITS.merged()[0].n_samples
    for method in METHODS:
        work = affordable.work_of(method, DIGITS, rows, 10)
        assert work >= affordable.work_of(method, few, rows, 10)
        assert work <= affordable.work_of(method, DIGITS, 2 * rows, 20)


def test_threads_do_not_matter():
    ours = [combine_full(DIGITS, 10, "best", random_state=3, executor=ThreadExecutor(n)) for n in (2, 3)]
    alone = combine_full(DIGITS, 10, "best", random_state=3, n_threads=1)
    for found in ours:
        np.testing.assert_array_equal(found.labels, alone.labels)
        assert found.note == alone.note


def test_halves_are_combined_by_the_method_that_won():
    methods = ["vote", "eac"]
    choice = choose_k(DIGITS, "best", k_range=(10, 11), n_resamples=4, random_state=0, methods=methods)
    for score in choice.scores:
        winner = combine_full(DIGITS, score.n_clusters, "best", random_state=0, methods=methods).method
        k = (score.n_clusters, score.n_clusters)
        alone = choose_k(DIGITS, winner, k_range=k, n_resamples=4, random_state=0).scores[0]
        assert (score.anmi, score.pac) == pytest.approx((alone.anmi, alone.pac))
