"""Measures of ensembles against plain definitions, and the ratio tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import normalized_mutual_info_score

from intarsia import Ensemble, metrics

pytestmark = pytest.mark.kernels

quick = settings(max_examples=40, deadline=None)


def nmi(a, b):
    both = (a >= 0) & (b >= 0)
    return normalized_mutual_info_score(a[both], b[both], average_method="geometric")


@st.composite
def tables(draw):
    n, r = draw(st.integers(2, 15)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = rng.integers(0, 3, (n, r))
    if r > 2:
        holes = rng.uniform(size=(n, r)) < 0.2
        holes[:, 0] = False
        holes[:2] = False
        table[holes] = -1
    return table, rng.uniform(0.5, 2, r)


@given(tables())
@quick
def test_anmi_is_the_weighted_mean_of_nmi(case):
    table, weights = case
    labels = np.arange(len(table)) % 3
    expected = np.average([nmi(labels, member) for member in table.T], weights=weights)
    assert metrics.anmi(labels, Ensemble.from_labels(table, weights)) == pytest.approx(expected, abs=1e-12)


@given(tables())
@quick
def test_diversity_is_the_mean_over_pairs(case):
    table = case[0]
    scores = [1 - nmi(a, b) for a, b in combinations(table.T, 2)]
    assert metrics.diversity(table) == pytest.approx(np.mean(scores) if scores else 0.0, abs=1e-12)
    matrix = metrics.pairwise(table)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)


def test_anmi_counts_point_weights():
    table = np.array([[0, 0], [0, 0], [1, 1], [1, 0], [1, 0]])
    ensemble = Ensemble.from_labels(table)
    rows, inverse = ensemble.merged()
    labels = np.array([0, 1, 1])
    assert metrics.anmi(labels, rows) == pytest.approx(metrics.anmi(labels[inverse], ensemble), abs=1e-12)


def plain_values(table, weights):
    values = []
    for a, b in combinations(table, 2):
        both = (a >= 0) & (b >= 0)
        values.append(weights[both & (a == b)].sum() / weights[both].sum() if both.any() else 0.0)
    return np.array(values)


@given(tables())
@quick
def test_consensus_cdf_and_pac_count_all_pairs(case):
    table, weights = case
    ensemble = Ensemble.from_labels(table, weights)
    values = plain_values(table, ensemble.member_weights)
    thresholds, cdf = metrics.consensus_cdf(ensemble)
    expected = [(values <= t + 1e-12).mean() for t in thresholds]
    np.testing.assert_allclose(cdf, expected, atol=1e-12)
    ambiguous = ((values > 0.1 + 1e-12) & (values <= 0.9 + 1e-12)).mean()
    assert metrics.pac(ensemble) == pytest.approx(ambiguous, abs=1e-12)


def test_random_pairs_come_close_to_all_pairs():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 3, (400, 7))
    _, exact = metrics.consensus_cdf(table)
    _, sampled = metrics.consensus_cdf(table, n_pairs=200_000)
    assert np.abs(exact - sampled).max() < 4 * 0.5 / np.sqrt(200_000)


def test_random_pairs_never_pair_a_point_with_itself():
    table = np.arange(3)[:, None]
    _, cdf = metrics.consensus_cdf(table, [0.0], n_pairs=1000)
    assert cdf[0] == 1.0


def test_agreeing_members_have_no_ambiguous_pairs():
    assert metrics.pac([[0, 0, 1, 1]] * 4) == 0.0


def test_geometric_mean_ratio():
    assert metrics.geometric_mean_ratio([0.8, 0.2], [0.4, 0.4]) == pytest.approx(1.0)
    assert metrics.geometric_mean_ratio([0.5, 0.5], [0.5, 0.0]) == pytest.approx(np.sqrt(0.5 / 1e-5))
    table = metrics.gmr_table({"x": [0.2, 0.4], "y": [0.4, 0.4]})
    assert table["x"]["y"] == pytest.approx(np.sqrt(2))
    assert table["y"]["x"] == pytest.approx(1 / np.sqrt(2))
    assert table["x"]["x"] == 1.0


@pytest.mark.parametrize("scores", [[], [[1.0]], [np.nan]])
def test_bad_scores(scores):
    with pytest.raises(ValueError, match="scores"):
        metrics.geometric_mean_ratio(scores, scores)


def test_a_partition_of_another_length():
    with pytest.raises(ValueError, match=r"labels.shape=\(2,\) should be \(3,\)"):
        metrics.anmi([0, 1], [[0, 1, 1]])
