"""The most stable number of clusters against the plain definition."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from intarsia import BaggingClustering, BoostClustering
from intarsia.boosting import most_stable
from intarsia.executor import SerialExecutor, ThreadExecutor

RNG = np.random.default_rng(0)
X = RNG.normal(scale=0.4, size=(240, 2)) + np.repeat([[0, 0], [8, 0], [0, 9]], 80, axis=0)


@pytest.mark.parametrize("make", [BoostClustering, BaggingClustering])
def test_agreement_is_that_of_runs_with_other_seeds(make):
    found, scores = most_stable(make(random_state=4, n_threads=1), X, (2, 5), n_repeats=3)
    assert [score.n_clusters for score in scores] == [2, 3, 4, 5]
    for score in scores:
        runs = [make(score.n_clusters, random_state=4 + r, n_threads=1).fit_predict(X) for r in range(3)]
        expected = np.mean([adjusted_rand_score(a, b) for a, b in combinations(runs, 2)])
        assert score.agreement == pytest.approx(expected, abs=1e-12)
    best = max(score.agreement for score in scores)
    assert scores[found - 2].agreement == best


def test_of_equally_stable_numbers_the_larger_one():
    far = np.array([[0.0, 0.0], [1.0, 0.0], [100.0, 0.0]]).repeat(30, axis=0)
    model = BaggingClustering(random_state=0, base="hk-means")
    found, scores = most_stable(model, far, (2, 3), n_repeats=3)
    assert [score.agreement for score in scores] == [1, 1]
    assert found == 3


def test_who_computes_does_not_matter():
    model = BoostClustering(random_state=1)
    found = {
        most_stable(model, X, (2, 4), n_repeats=2, executor=who)
        for who in (SerialExecutor(), ThreadExecutor(2))
    }
    assert len(found) == 1


@pytest.mark.parametrize(
    ("k_range", "n_repeats", "complaint"),
    [
        ((1, 3), 3, "one cluster is always stable"),
        ((4, 3), 3, "2 <= least <= most"),
        ((2, 3), 1, "n_repeats=1 should be >= 2"),
    ],
)
def test_bad_input(k_range, n_repeats, complaint):
    with pytest.raises(ValueError, match=complaint):
        most_stable(BoostClustering(), X, k_range, n_repeats=n_repeats)
