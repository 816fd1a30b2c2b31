"""Evidence accumulation: dendrograms as SciPy's, cuts at k, at a similarity, at the largest jump."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble, _core
from intarsia.consensus import combine
from intarsia.consensus.evidence.eac import accumulate, cut_evidence

pytestmark = pytest.mark.kernels

LINKAGES = ("single", "average", "complete")


def without_ties(n, seed):
    """An ensemble whose pairs of points are all differently similar: members with weights 1, 2, 4, ..."""
    rng = np.random.default_rng(seed)
    soft = [rng.dirichlet(np.full(5, 0.3), n) for _ in range(4)]
    return Ensemble.from_memberships(soft), np.mean([s @ s.T for s in soft], axis=0)


def scipy_tree(similarity, linkage):
    distances = 1.0 - similarity
    np.fill_diagonal(distances, 0)
    return hierarchy.linkage(squareform(distances, checks=False), linkage)


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("seed", range(4))
def test_dendrogram_is_scipys(linkage, seed):
    ensemble, similarity = without_ties(50, seed)
    tree, _ = accumulate(ensemble, 1, 2, linkage, None)
    theirs = scipy_tree(similarity, linkage)
    np.testing.assert_allclose(np.sort(1.0 - tree.similarity), theirs[:, 2], atol=1e-6)
    for k in (2, 3, 7, 20, 49):
        expected = hierarchy.fcluster(theirs, k, "maxclust")
        assert adjusted_rand_score(tree.cut_at(k), expected) == 1.0


@pytest.mark.parametrize("linkage", LINKAGES)
def test_merged_rows_count_as_their_points(linkage):
    rng = np.random.default_rng(5)
    rows = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 2], [2, 1, 1, 2], [2, 2, 3, 3]])
    labels = rows[np.concatenate([np.arange(5), rng.integers(5, size=60)])]
    similarity = (labels[:, None] == labels).mean(axis=2)
    expected = hierarchy.fcluster(scipy_tree(similarity, linkage), 3, "maxclust")
    assert adjusted_rand_score(combine(labels, 3, "eac", linkage=linkage), expected) == 1.0


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("k", [2, 5, 17, 60])
def test_exactly_k_clusters_in_spite_of_ties(linkage, k):
    labels = np.random.default_rng(0).integers(3, size=(300, 5))
    assert len(np.unique(combine(labels, k, "eac", linkage=linkage))) == k


def test_single_link_on_the_fly_is_single_link_of_a_matrix():
    labels = np.random.default_rng(1).integers(4, size=(200, 9)).astype(np.int32)
    similarity = _core.coassociation(labels, labels, np.ones(9))
    tree = _core.spanning_tree(similarity)
    chain = _core.agglomerate(similarity, np.ones(200), "single", 1)
    np.testing.assert_array_equal(np.sort(tree[2]), np.sort(chain[2]))


@pytest.mark.parametrize("linkage", LINKAGES)
def test_cut_at_a_similarity(linkage):
    ensemble, similarity = without_ties(60, 9)
    for threshold in (0.2, 0.4, 0.6):
        found = cut_evidence(ensemble, threshold, linkage=linkage).labels
        expected = hierarchy.fcluster(scipy_tree(similarity, linkage), 1.0 - threshold, "distance")
        assert adjusted_rand_score(found, expected) == 1.0


@pytest.mark.parametrize("linkage", LINKAGES)
def test_largest_jump_finds_the_number_of_clusters(linkage):
    truth = np.repeat(np.arange(4), 30)
    rng = np.random.default_rng(3)
    copies = np.array([truth] * 10)
    copies[rng.random(copies.shape) < 0.03] = 0
    found = cut_evidence(list(copies), linkage=linkage).labels
    if linkage == "average":
        assert adjusted_rand_score(truth, found) == 1.0
    assert len(np.unique(found)) >= 2


def test_soft_ensembles_are_linked_completely_unless_told_otherwise():
    ensemble, _ = without_ties(40, 11)
    default = combine(ensemble, 4, "eac")
    np.testing.assert_array_equal(default, combine(ensemble, 4, "eac", linkage="complete"))


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_that_is_no_similarity_is_refused(threshold):
    with pytest.raises(ValueError, match=r"should be in \[0, 1\]"):
        cut_evidence([[0, 1, 1]], threshold)
