"""Kernels of the graph methods against their definitions in NumPy, member by member and pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from intarsia import Ensemble, _core
from intarsia.consensus.graph.cspa import coassociation
from intarsia.consensus.graph.label_space import (
    cosine_similarity,
    decay_similarity,
    kl_similarity,
    presence,
    product_similarity,
    soft_rows,
)
from intarsia.consensus.graph.mcla import jaccard
from intarsia.consensus.graph.metis import LARGEST, whole_numbers
from intarsia.consensus.graph.neighbour_graph import neighbour_graph
from intarsia.consensus.graph.smcla import column_distances, column_similarity

pytestmark = pytest.mark.kernels


def random_labels(n, k_of_members, missing, seed):
    rng = np.random.default_rng(seed)
    labels = np.column_stack([rng.integers(k, size=n) for k in k_of_members])
    labels[rng.random(labels.shape) < missing] = -1
    labels[:, 0] = np.where((labels < 0).all(axis=1), 0, labels[:, 0])
    return labels


def random_soft(n, k_of_members, missing, seed, member_weights=None):
    rng = np.random.default_rng(seed)
    members = [rng.dirichlet(np.ones(k), n) for k in k_of_members]
    for member in members[1:]:
        member[rng.random(n) < missing] = 0.0
    return Ensemble.from_memberships(members, member_weights=member_weights)


def matrix(similarity, n):
    return np.array([similarity.row(i) for i in range(n)])


def blocks(ensemble):
    """Memberships and presence of each member, with its weight."""
    rows = soft_rows(ensemble)
    for q, weight in enumerate(ensemble.member_weights):
        yield rows[:, ensemble.offsets[q] : ensemble.offsets[q + 1]], ensemble.labels[:, q] >= 0, weight


def mean_over_members(ensemble, of_pair):
    """Weighted mean over the members that know both rows of what `of_pair` says, 0 where there is none."""
    n = ensemble.n_samples
    total, known = np.zeros((n, n)), np.zeros((n, n))
    for block, there, weight in blocks(ensemble):
        both = there[:, None] & there
        total += np.where(both, weight * of_pair(block), 0.0)
        known += weight * both
    return np.divide(total, known, out=np.zeros_like(total), where=known > 0), known > 0


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 3.0, 1.0]])
@pytest.mark.parametrize("largest_k", [4, 300])
def test_coassociation(missing, weights, largest_k):
    labels = random_labels(2_300, [3, 2, largest_k, 5, 4], missing, 0)  # more rows than a tile
    ensemble = Ensemble.from_labels(labels, member_weights=weights)
    similarity = coassociation(ensemble)
    w = ensemble.member_weights
    for i in (0, 1, 2_299):
        both = (labels[i] >= 0) & (labels >= 0)
        same = ((labels[i] == labels) & both) @ w
        known = both @ w
        expected = np.divide(same, known, out=np.zeros(len(labels)), where=known > 0)
        np.testing.assert_allclose(similarity.row(i), expected, rtol=1e-6)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5]])
def test_mean_dot_product(missing, weights):
    ensemble = random_soft(40, [3, 4, 2], missing, 1, weights)
    found = product_similarity(
        soft_rows(ensemble), presence(ensemble), ensemble.member_weights, ensemble.n_classes
    )
    expected, _ = mean_over_members(ensemble, lambda s: s @ s.T)
    np.testing.assert_allclose(matrix(found, 40), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5]])
def test_decay_of_euclidean_distance(missing, weights):
    ensemble = random_soft(40, [3, 4, 2], missing, 2, weights)
    mean, known = mean_over_members(ensemble, lambda s: ((s[:, None] - s) ** 2).sum(axis=2))
    expected = np.where(known, np.exp(-3 * mean), 0.0)  # three members of mean weight 1
    np.testing.assert_allclose(matrix(decay_similarity(ensemble), 40), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5]])
def test_decay_of_symmetric_kullback_leibler(missing, weights):
    ensemble = random_soft(40, [3, 4, 2], missing, 3, weights)

    def divergence(s):
        p = (s + 1e-6) / (1 + 1e-6 * s.shape[1])
        one_way = (p[:, None] * np.log(p[:, None] / p)).sum(axis=2)
        return (one_way + one_way.T) / 2

    mean, known = mean_over_members(ensemble, divergence)
    expected = np.where(known, np.exp(-mean), 0.0)
    np.testing.assert_allclose(matrix(kl_similarity(ensemble), 40), expected, rtol=1e-4, atol=1e-6)


def test_cosine():
    ensemble = random_soft(40, [3, 4, 2], 0.0, 4, [1.0, 2.0, 0.5])
    rows = np.hstack([np.sqrt(weight) * block for block, _, weight in blocks(ensemble)])
    lengths = np.sqrt((rows**2).sum(axis=1))
    expected = rows @ rows.T / (lengths[:, None] * lengths)
    np.testing.assert_allclose(matrix(cosine_similarity(ensemble), 40), expected, rtol=1e-5)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_jaccard_over_points_that_both_members_know(missing):
    labels = random_labels(200, [3, 2, 5], missing, 5)
    ensemble = Ensemble.from_labels(labels)
    clusters = [(q, c) for q in range(3) for c in range(ensemble.n_classes[q])]
    expected = np.zeros((len(clusters), len(clusters)))
    for x, (q, a) in enumerate(clusters):
        for y, (p, b) in enumerate(clusters):
            both = (labels[:, q] >= 0) & (labels[:, p] >= 0)
            one, other = both & (labels[:, q] == a), both & (labels[:, p] == b)
            expected[x, y] = (one & other).sum() / max((one | other).sum(), 1)
    np.testing.assert_allclose(jaccard(ensemble, 1), expected, rtol=1e-12)


@pytest.mark.parametrize("hard", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_distance_of_membership_columns(hard, missing):
    if hard:
        ensemble = Ensemble.from_labels(random_labels(150, [3, 2, 4], missing, 6))
    else:
        ensemble = random_soft(150, [3, 2, 4], missing, 6)
    columns = [(block[:, c], there) for block, there, _ in blocks(ensemble) for c in range(block.shape[1])]
    expected = [
        [((a - b) ** 2)[ta & tb].sum() * len(a) / (ta & tb).sum() for b, tb in columns] for a, ta in columns
    ]
    np.testing.assert_allclose(column_distances(ensemble, 1), expected, rtol=1e-9, atol=1e-9)


def test_column_similarity_has_no_edges_inside_a_member_when_all_have_k():
    ensemble = random_soft(60, [3, 3, 3], 0.0, 7)
    squares = column_distances(ensemble, 1)
    outside = np.kron(np.eye(3), np.ones((3, 3))) == 0
    expected = np.where(outside, np.exp(-squares / np.median(squares[outside])), 0.0)
    np.testing.assert_allclose(column_similarity(ensemble, 3, None, 1), expected)
    printed = np.where(~np.eye(9, dtype=bool), np.exp(-squares), 0.0)
    np.testing.assert_allclose(column_similarity(ensemble, 4, 1.0, 1), printed)


def test_top_neighbours_are_the_most_similar_rows():
    labels = random_labels(120, [4] * 6, 0.1, 8)
    similarity = coassociation(Ensemble.from_labels(labels))
    rows, values = _core.top_neighbours(similarity, 7, 1)
    full = matrix(similarity, 120)
    np.fill_diagonal(full, -1)
    np.testing.assert_array_equal(np.sort(values, axis=1), np.sort(full, axis=1)[:, -7:])
    np.testing.assert_array_equal(np.take_along_axis(full, rows.astype(np.int64), axis=1), values)
    assert (np.diff(rows, axis=1) > 0).all()


def test_best_targets_are_the_most_similar_ones():
    labels = np.random.default_rng(3).integers(4, size=(60, 5)).astype(np.int32)
    found = _core.best_targets(_core.coassociation(labels, labels[:7].copy(), np.ones(5)), 2)
    shared = (labels[:, None] == labels[:7]).mean(axis=2)
    np.testing.assert_allclose(shared[np.arange(60), found], shared.max(axis=1))


def test_equal_similarities_do_not_make_the_same_rows_everybodys_neighbours():
    same = np.zeros((400, 3), dtype=np.int32)
    rows, _ = _core.top_neighbours(_core.coassociation(same, same, np.ones(3)), 10, 1)
    assert np.bincount(rows.ravel(), minlength=400).max() < 40


def test_edges_between_merged_rows_weigh_as_all_edges_between_their_points():
    labels = random_labels(60, [2, 3, 2], 0.0, 9)
    rows, inverse = Ensemble.from_labels(labels).merged()
    n = rows.n_samples
    graph = neighbour_graph(coassociation(rows), rows.point_weights, n - 1, 1).toarray()
    between = (labels[:, None] == labels).mean(axis=2)
    chooser = np.eye(n)[inverse]
    expected = chooser.T @ between @ chooser
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(graph, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0.0, 2.0, 7.0], [0, 2, 7]),
        ([0.0, 1e-12, 0.25, 0.5], [0, 1, LARGEST / 2, LARGEST]),
        ([0.0, 0.0], [0, 0]),
    ],
)
def test_whole_numbers_for_metis(weights, expected):
    np.testing.assert_array_equal(whole_numbers(np.array(weights)), expected)


def test_bad_labels_and_sizes_are_refused_by_the_core():
    labels, offsets = np.zeros((4, 2), dtype=np.int32), np.array([0, 1, 2])
    with pytest.raises(ValueError, match="one weight for each member"):
        _core.coassociation(labels, labels, np.ones(3))
    with pytest.raises(ValueError, match="labels should be -1 or below"):
        _core.cluster_overlap(labels + 1, offsets, np.ones(4), 1)
    with pytest.raises(ValueError, match="parts should be in"):
        _core.meta_association(
            labels, offsets, np.empty((0, 0)), np.ones(2), np.array([0, 3], np.int32), 2, 1
        )
    with pytest.raises(ValueError, match="n_neighbours should be in"):
        _core.top_neighbours(_core.coassociation(labels, labels, np.ones(2)), 4, 1)
