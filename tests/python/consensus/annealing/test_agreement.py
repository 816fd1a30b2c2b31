"""Mean agreement against scikit-learn's measures and against plain counting of pairs."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import pair_confusion_matrix

from intarsia import Ensemble
from intarsia.consensus import mean_agreement
from intarsia.consensus.annealing.agreement import MEASURES

pytestmark = pytest.mark.kernels


def jaccard(a, b):
    (_, only_a), (only_b, both) = pair_confusion_matrix(a, b)
    return both / (both + only_a + only_b)


def wallace(a, b):
    (_, only_a), (only_b, both) = pair_confusion_matrix(a, b)
    return both / np.sqrt((both + only_a) * (both + only_b))


def nmi(a, b):
    return normalized_mutual_info_score(a, b, average_method="geometric")


REFERENCES = {"corrected-rand": adjusted_rand_score, "jaccard": jaccard, "wallace": wallace, "nmi": nmi}


def members(n=200, r=6, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.column_stack([rng.integers(rng.integers(2, 7), size=n) for _ in range(r)])
    labels[rng.random((n, r)) < missing] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    return labels, rng.integers(4, size=n)


def reference(measure, labels, partition, weights):
    known = [labels[:, q] >= 0 for q in range(labels.shape[1])]
    values = [REFERENCES[measure](partition[at], labels[at, q]) for q, at in enumerate(known)]
    return np.average(values, weights=weights)


def test_every_measure_has_a_reference():
    assert set(REFERENCES) == set(MEASURES)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_values(measure, missing):
    labels, partition = members(missing=missing)
    expected = reference(measure, labels, partition, None)
    assert mean_agreement(labels, partition, measure) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_member_weights_are_weights_of_the_mean(measure):
    labels, partition = members(missing=0.1)
    weights = np.array([1.0, 2.0, 0.5, 3.25, 0.1, 1.0])
    found = mean_agreement(Ensemble.from_labels(labels, weights), partition, measure)
    assert found == pytest.approx(reference(measure, labels, partition, weights), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_point_weights_are_copies(measure):
    rng = np.random.default_rng(3)
    labels, _ = members(n=60)
    repeated = np.repeat(labels, rng.integers(1, 5, 60), axis=0)
    merged, inverse = Ensemble.from_labels(repeated).merged()
    partition = rng.integers(3, size=merged.n_samples)
    expected = mean_agreement(repeated, partition[inverse], measure)
    assert mean_agreement(merged, partition, measure) == pytest.approx(expected, abs=1e-13)


TRIVIAL = {"one cluster": np.zeros(6, int), "singletons": np.arange(6)}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("member", TRIVIAL)
@pytest.mark.parametrize("partition", TRIVIAL)
def test_trivial_partitions_agree_fully_with_themselves(measure, member, partition):
    value = mean_agreement([TRIVIAL[member]], TRIVIAL[partition], measure)
    assert value == pytest.approx(1.0 if member == partition else 0.0, abs=1e-15)


@pytest.mark.parametrize("measure", MEASURES)
def test_names_of_labels_do_not_matter(measure):
    labels, partition = members()
    renamed = 100 - 7 * partition
    assert mean_agreement(labels, renamed, measure) == pytest.approx(
        mean_agreement(labels, partition, measure), abs=1e-15
    )


def test_bad_input():
    labels, partition = members()
    with pytest.raises(ValueError, match=r"measure='rand' should be one of"):
        mean_agreement(labels, partition, "rand")
    with pytest.raises(ValueError, match=r"labels.shape=\(3,\) should be \(200,\)"):
        mean_agreement(labels, [0, 1, 2])
