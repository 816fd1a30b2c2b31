"""Every measure of two partitions against scikit-learn or a plain count over pairs of points, to 1e-12."""

from __future__ import annotations

from itertools import combinations, permutations
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from intarsia import metrics

pytestmark = pytest.mark.kernels

TOLERANCE = 1e-12

quick = settings(max_examples=60, deadline=None)


@st.composite
def two_partitions(draw, least=0):
    n = draw(st.integers(1, 30))
    kinds = st.sampled_from(["any", "one", "singletons"])

    def partition():
        kind = draw(kinds)
        if kind == "one":
            return np.zeros(n, dtype=int)
        if kind == "singletons":
            return np.random.default_rng(n).permutation(n)
        k = draw(st.integers(1, 6))
        return np.array(draw(st.lists(st.integers(least, k), min_size=n, max_size=n)))

    return partition(), partition()


def known(a, b):
    both = (a >= 0) & (b >= 0)
    return a[both], b[both]


SKLEARN = {
    "rand": sk.rand_score,
    "adjusted_rand": sk.adjusted_rand_score,
    "fowlkes_mallows": sk.fowlkes_mallows_score,
    "mutual_information": sk.mutual_info_score,
    "nmi_geometric": lambda a, b: sk.normalized_mutual_info_score(a, b, average_method="geometric"),
    "nmi_arithmetic": sk.normalized_mutual_info_score,
    "nmi_max": lambda a, b: sk.normalized_mutual_info_score(a, b, average_method="max"),
    "homogeneity": sk.homogeneity_score,
    "completeness": sk.completeness_score,
    "v_measure": sk.v_measure_score,
}


@given(two_partitions(least=-1))
@quick
def test_against_scikit_learn(pair):
    a, b = known(*pair)
    if len(a) == 0:
        return
    found = metrics.compare(*pair)
    for name, score in SKLEARN.items():
        assert found[name] == pytest.approx(score(a, b), abs=TOLERANCE), name


@given(two_partitions(), st.sampled_from(["geometric", "arithmetic", "max", "min"]))
@quick
def test_adjusted_mutual_information_against_scikit_learn(pair, average):
    a, b = pair
    n_a, n_b = len(set(a.tolist())), len(set(b.tolist()))
    entropies = [sk.mutual_info_score(x, x) for x in pair]
    span = metrics.information.MEANS[average](*entropies) - sk.cluster.expected_mutual_information(
        sk.cluster.contingency_matrix(a, b, sparse=True), len(a)
    )
    if min(n_a, n_b) > 1 and abs(span) < 1e-6:
        return  # 0 / 0 but for rounding
    expected = sk.adjusted_mutual_info_score(a, b, average_method=average)
    found = metrics.adjusted_mutual_information(a, b, average=average)
    assert found == pytest.approx(expected, abs=TOLERANCE / min(1, abs(span) or 1))


def test_adjusted_mutual_information_of_equal_singletons_is_one():
    assert metrics.adjusted_mutual_information(np.arange(9), np.arange(9)[::-1]) == 1.0


def joined_pairs(labels):
    return {(i, j) for i, j in combinations(range(len(labels)), 2) if labels[i] == labels[j]}


@given(two_partitions(least=-1))
@quick
def test_against_a_count_over_pairs(pair):
    a, b = known(*pair)
    if len(a) == 0:
        return
    in_a, in_b = joined_pairs(a), joined_pairs(b)
    both, either = len(in_a & in_b), len(in_a | in_b)
    found = metrics.compare(*pair)
    assert found["jaccard"] == pytest.approx(both / either if either else 1.0, abs=TOLERANCE)
    assert found["wallace_a"] == pytest.approx(both / len(in_a) if both else 0.0, abs=TOLERANCE)
    assert found["wallace_b"] == pytest.approx(both / len(in_b) if both else 0.0, abs=TOLERANCE)
    geometric = sqrt(found["wallace_a"] * found["wallace_b"])
    assert found["fowlkes_mallows"] == pytest.approx(geometric, abs=TOLERANCE)


def plain_entropy(labels):
    return -sum(p * log(p) for p in (np.mean(labels == c) for c in set(labels.tolist())))


@given(two_partitions())
@quick
def test_variation_of_information_by_its_definition(pair):
    a, b = pair
    joint = plain_entropy(a * 1000 + b)
    expected = (joint - plain_entropy(a)) + (joint - plain_entropy(b))
    assert metrics.variation_of_information(a, b) == pytest.approx(expected, abs=TOLERANCE)


@given(two_partitions())
@quick
def test_purity_by_its_definition(pair):
    classes, clusters = pair
    right = sum(np.bincount(classes[clusters == c]).max() for c in set(clusters.tolist()))
    assert metrics.purity(classes, clusters) == pytest.approx(right / len(classes), abs=TOLERANCE)
    assert metrics.cvc_error(classes, clusters) == pytest.approx(1 - right / len(classes), abs=TOLERANCE)


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
    )
)
def test_error_rate_by_trying_every_matching(pair):
    a, b = map(np.array, pair)
    best = max(np.sum(a == np.array(names)[b]) for names in permutations(range(4)))
    assert metrics.error_rate(a, b) == pytest.approx(1 - best / len(a), abs=TOLERANCE)


@given(two_partitions(least=-1), st.integers(0, 2**32 - 1))
@quick
def test_whole_weights_are_repetitions(pair, seed):
    a, b = known(*pair)
    if len(a) == 0:
        return
    weights = np.random.default_rng(seed).integers(1, 4, len(a))
    found = metrics.compare(a, b, sample_weight=weights)
    expected = metrics.compare(np.repeat(a, weights), np.repeat(b, weights))
    for name, value in expected.items():
        if name != "adjusted_mutual_information":  # checked apart, where it is not 0 / 0
            assert found[name] == pytest.approx(value, abs=TOLERANCE), name


@given(two_partitions(least=-1))
@quick
def test_contingency_by_its_definition(pair):
    a, b = pair
    if len(known(a, b)[0]) == 0:
        return
    table = metrics.contingency(a, b)
    kept_a, kept_b = known(a, b)
    expected = sk.cluster.contingency_matrix(kept_a, kept_b)
    np.testing.assert_array_equal(table.dense(), expected)


def test_a_table_too_large_to_count_is_sorted():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 400, 3000), rng.integers(0, 400, 3000)
    np.testing.assert_array_equal(metrics.contingency(a, b).dense(), sk.cluster.contingency_matrix(a, b))
    weights = rng.uniform(size=3000)
    expected = np.zeros((400, 400))
    np.add.at(expected, (a, b), weights)
    found = metrics.contingency(a, b, weights)
    np.testing.assert_array_equal(found.counts, expected[expected > 0])


def test_labels_may_be_text():
    assert metrics.adjusted_rand_index(["x", "x", "y", ""], [1, 1, 2, 2]) == 1.0


BAD = {
    "lengths": (([0, 1], [0, 1, 1]), "a has 2 labels, b has 3"),
    "dimensions": (([[0, 1]], [0, 1]), r"a.shape=\(1, 2\)"),
    "all missing": (([-1, -1], [0, 1]), "a has no labels"),
    "nothing in common": (([-1, 0], [0, -1]), "no point has a label in both"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_partitions(kind):
    pair, message = BAD[kind]
    with pytest.raises(ValueError, match=message):
        metrics.compare(*pair)


def test_fractional_weights_have_no_adjusted_mutual_information():
    with pytest.raises(ValueError, match="whole numbers"):
        metrics.adjusted_mutual_information([0, 0, 1], [0, 1, 1], [0.5, 1, 1])


def test_unknown_average():
    with pytest.raises(ValueError, match="average='mean'"):
        metrics.normalized_mutual_information([0, 1], [0, 1], average="mean")


def test_matching_huge_tables_is_refused():
    with pytest.raises(ValueError, match="6000 with 6000"):
        metrics.error_rate(np.arange(6000), np.arange(6000))
