"""What holds for every consensus function: planted partitions, invariance, exactly k clusters."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble, combine, combine_full
from intarsia.consensus import METHODS

# These cannot tell a planted partition from others: hgpa makes a balanced cut of whole hyperedges.
FINDS_NO_PLANTED = ("hgpa",)
BALANCED_OR_SPECTRAL = ("cspa", "scspa", "mcla", "smcla", "hbgf", "shbgf")
NEEDS = {"hgpa": "mtkahypar"}


@pytest.fixture(params=METHODS)
def method(request):
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    return request.param


def noised_copies(truth, r, rng):
    """Return r relabelled copies with 10 % random labels and 2 % missing ones."""
    k = int(truth.max()) + 1
    table = np.column_stack([rng.permutation(k)[truth] for _ in range(r)])
    noise = rng.uniform(size=table.shape) < 0.10
    table[noise] = rng.integers(0, k, noise.sum())
    table[rng.uniform(size=table.shape) < 0.02] = -1
    return table


def test_recovers_a_planted_partition_of_equal_clusters(method):
    if method in FINDS_NO_PLANTED:
        pytest.skip("not promised")
    truth = np.repeat(np.arange(5), 80)
    table = noised_copies(truth, 20, np.random.default_rng(0))
    assert adjusted_rand_score(truth, combine(table, 5, method, random_state=0)) >= 0.99


def test_recovers_a_planted_partition_of_unequal_clusters(method):
    if method in (*FINDS_NO_PLANTED, *BALANCED_OR_SPECTRAL) or method.startswith("eac"):
        pytest.skip("promised for other methods")
    truth = np.repeat(np.arange(5), [200, 100, 60, 30, 20])
    table = noised_copies(truth, 20, np.random.default_rng(1))
    assert adjusted_rand_score(truth, combine(table, 5, method, random_state=0)) >= 0.99


def test_names_and_order_do_not_matter(method):
    rng = np.random.default_rng(2)
    table = noised_copies(rng.integers(0, 4, 150), 7, rng)
    table[:, 0] = rng.integers(0, 6, 150)  # members with different k
    other = np.empty_like(table)
    for q in range(table.shape[1]):
        names = rng.permutation(30)
        other[:, q] = np.where(table[:, q] >= 0, names[table[:, q]], -1)
    other = other[:, rng.permutation(table.shape[1])]
    first, second = (combine(t, 4, method, random_state=3) for t in (table, other))
    np.testing.assert_array_equal(first, second)
    assert set(first.tolist()) == {0, 1, 2, 3}


def test_threads_do_not_matter(method):
    rng = np.random.default_rng(4)
    table = noised_copies(rng.integers(0, 3, 700), 5, rng)
    answers = [combine_full(table, 3, method, random_state=0, n_threads=t) for t in (1, 2, 3, 7)]
    for other in answers[1:]:
        np.testing.assert_array_equal(answers[0].labels, other.labels)
        if other.memberships is not None:
            np.testing.assert_array_equal(answers[0].memberships, other.memberships)


def test_soft_members(method):
    rng = np.random.default_rng(5)
    truth = np.repeat(np.arange(3), 60)
    blocks = []
    for _ in range(6):
        block = rng.uniform(0, 0.3, (180, 3))
        block[np.arange(180), truth] += 1
        blocks.append((block / block.sum(axis=1, keepdims=True))[:, rng.permutation(3)])
    labels = combine(Ensemble.from_memberships(blocks), 3, method, random_state=0)
    assert set(labels.tolist()) == {0, 1, 2}
    if method not in FINDS_NO_PLANTED:
        assert adjusted_rand_score(truth, labels) >= 0.99


@pytest.mark.parametrize("k", [1, 2, 6, 12])
def test_exactly_k_clusters(method, k):
    rng = np.random.default_rng(6)
    table = rng.integers(0, 3, (60, 4))  # nothing to find, k above that of every member
    labels = combine(table, k, method, random_state=0)
    assert set(labels.tolist()) == set(range(k))
    assert labels.dtype == np.int32


def test_unknown_option(method):
    with pytest.raises(TypeError, match="no_such_option"):
        combine([[0, 0, 1, 1, 2], [0, 1, 1, 2, 2]], 2, method, no_such_option=1)
