"""The graph methods: planted partitions, invariances, members of different k, weights, repairs, options."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble
from intarsia.consensus import combine, combine_full
from intarsia.consensus.registry import BALANCED

GRAPH_METHODS = ("cspa", "scspa", "mcla", "smcla", "hbgf", "shbgf", "eac")
WITH_META_CLUSTERS = ("mcla", "smcla", "hbgf", "shbgf")


def noisy_copies(truth, n_members=20, noise=0.1, missing=0.02, seed=0):
    """Relabelled copies of a partition with some labels drawn anew and some missing."""
    rng, k = np.random.default_rng(seed), truth.max() + 1
    copies = np.empty((len(truth), n_members), dtype=int)
    for q in range(n_members):
        copy = rng.permutation(k)[truth]
        drawn = rng.random(len(truth)) < noise
        copy[drawn] = rng.integers(k, size=drawn.sum())
        copy[rng.random(len(truth)) < missing] = -1
        copies[:, q] = copy
    return copies


def softened(labels, seed=0):
    """Memberships around hard labels: most of the weight on the label, missing ones all zero."""
    rng = np.random.default_rng(seed)
    members = []
    for column in labels.T:
        k = column.max() + 1
        soft = rng.dirichlet(np.full(k, 0.5), len(column)) * 0.4
        soft[np.arange(len(column)), np.maximum(column, 0)] += 0.6
        soft[column < 0] = 0.0
        members.append(soft)
    return members


@pytest.fixture(scope="module")
def equal():
    truth = np.random.default_rng(1).permutation(np.repeat(np.arange(5), 80))
    return truth, noisy_copies(truth)


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_planted_partition_of_equal_clusters_is_recovered(method, equal):
    truth, copies = equal
    assert adjusted_rand_score(truth, combine(copies, 5, method, random_state=0)) >= 0.99


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("hbgf", {"solver": "spectral"}),
        ("shbgf", {"solver": "spectral"}),
        ("scspa", {"similarity": "kl"}),
        ("scspa", {"similarity": "cosine"}),
        ("cspa", {"n_neighbours": 40}),
        ("cspa", {"max_rows": 100}),
        ("hbgf", {"max_rows": 50}),
        ("eac", {"linkage": "single"}),
        ("eac", {"linkage": "average", "max_rows": 100}),
    ],
)
def test_every_variant_recovers_it_too(method, params, equal):
    truth, copies = equal
    assert adjusted_rand_score(truth, combine(copies, 5, method, random_state=0, **params)) >= 0.99


@pytest.mark.parametrize("method", ["scspa", "smcla", "shbgf", "eac"])
def test_soft_ensembles(method, equal):
    truth, copies = equal
    soft = Ensemble.from_memberships(softened(copies))
    linkage = {"linkage": "average"} if method == "eac" else {}
    assert adjusted_rand_score(truth, combine(soft, 5, method, random_state=0, **linkage)) >= 0.99


@pytest.mark.parametrize("max_rows", [None, 150])
def test_average_link_recovers_unequal_clusters(max_rows):
    truth = np.random.default_rng(2).permutation(np.repeat(np.arange(4), [250, 100, 40, 20]))
    found = combine(noisy_copies(truth), 4, "eac", linkage="average", max_rows=max_rows)
    assert adjusted_rand_score(truth, found) >= 0.99


@pytest.mark.parametrize("method", [*GRAPH_METHODS, "hgpa"])
def test_neither_label_names_nor_member_order_matter(method, equal):
    if method == "hgpa":
        pytest.importorskip("mtkahypar")
    copies, rng = equal[1], np.random.default_rng(3)
    renamed = copies[:, rng.permutation(copies.shape[1])]
    renamed = np.column_stack([np.where(c < 0, -1, rng.permutation(50)[c]) for c in renamed.T])
    one, other = (combine(labels, 5, method, random_state=7) for labels in (copies, renamed))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_members_with_different_k(method):
    truth = np.repeat(np.arange(4), 60)
    copies = noisy_copies(truth, n_members=12, noise=0.05)
    halves = np.arange(len(truth)) % 2
    for q in range(0, 12, 3):
        copies[:, q] = np.where(copies[:, q] < 0, -1, 2 * copies[:, q] + halves)  # every cluster in two
    found = combine(copies, 4, method, random_state=0)
    assert len(np.unique(found)) == 4
    assert adjusted_rand_score(truth, found) >= 0.99


@pytest.mark.parametrize("method", WITH_META_CLUSTERS)
def test_meta_clusters_and_memberships(method, equal):
    copies = equal[1]
    ensemble = Ensemble.from_labels(copies)
    found = combine_full(ensemble, 5, method, random_state=0)
    assert found.meta_clusters.shape == (ensemble.offsets[-1],)
    np.testing.assert_allclose(found.memberships.sum(axis=1), 1.0)
    columns = ensemble.offsets[:-1] + np.maximum(ensemble.labels, 0)
    agree = (found.meta_clusters[columns] == found.labels[:, None])[ensemble.labels >= 0]
    assert agree.mean() > 0.85
    assert (found.memberships.argmax(axis=1) == found.labels).mean() > 0.95


@pytest.mark.parametrize("method", ["cspa", "mcla", "hbgf", "eac"])
def test_a_heavy_member_decides(method):
    truth, other = np.repeat(np.arange(3), 40), np.tile(np.arange(3), 40)
    labels = np.column_stack([truth, other, truth, other, other])
    decides = Ensemble.from_labels(labels, member_weights=[20, 1, 20, 1, 1])
    assert adjusted_rand_score(truth, combine(decides, 3, method, random_state=0)) == 1.0
    assert adjusted_rand_score(other, combine(labels, 3, method, random_state=0)) == 1.0


@pytest.mark.parametrize("method", [*GRAPH_METHODS, "hgpa"])
@pytest.mark.parametrize("k", [2, 3, 6, 9])
def test_exactly_k_clusters_from_few_distinct_rows(method, k):
    if method == "hgpa":
        pytest.importorskip("mtkahypar")
    rng = np.random.default_rng(k)
    rows = np.unique(rng.integers(0, 3, size=(10, 4)), axis=0)
    labels = rows[rng.integers(len(rows), size=100)]
    labels[: len(rows)] = rows
    assert set(combine(labels, k, method, random_state=0)) == set(range(k))
    together = {"merge": True} if method in BALANCED else {}
    found = combine(labels, k, method, random_state=0, **together)
    assert set(found) == set(range(k))
    for row in rows:  # equal rows stay together, where balanced functions are told so
        assert len(set(found[(labels == row).all(axis=1)])) == 1


def test_hgpa_returns_balanced_parts(equal):
    pytest.importorskip("mtkahypar")
    found = combine(equal[1], 5, "hgpa", random_state=0)
    assert np.bincount(found).max() <= 1.06 * len(found) / 5
    np.testing.assert_array_equal(found, combine(equal[1], 5, "hgpa", random_state=0))


def test_hgpa_without_its_package_names_the_extra(monkeypatch, equal):
    monkeypatch.setitem(sys.modules, "mtkahypar", None)
    with pytest.raises(ImportError, match=r"^hgpa needs .* mtkahypar: pip install 'intarsia\[hgpa\]'\.$"):
        combine(equal[1], 5, "hgpa")


@pytest.mark.parametrize(
    ("method", "params", "error", "words"),
    [
        ("cspa", {"n_neighbours": 0}, ValueError, "n_neighbours=0 should be >= 1"),
        ("cspa", {"max_rows": 5}, ValueError, "max_rows=5 should be >= 6"),
        ("scspa", {"similarity": "dot"}, ValueError, "similarity='dot' should be one of"),
        ("mcla", {"scale": 1.0}, TypeError, "mcla has no option 'scale'"),
        ("smcla", {"scale": 0.0}, ValueError, "scale=0.0 should be > 0"),
        ("smcla", {"scale": "mean"}, TypeError, "scale='mean' should be 'median' or a number"),
        ("hbgf", {"solver": "lp"}, ValueError, "solver='lp' should be one of"),
        ("eac", {"linkage": "ward"}, ValueError, "linkage='ward' should be one of"),
        ("eac", {"max_rows": 2.5}, TypeError, "max_rows=2.5 should be a whole number"),
    ],
)
def test_bad_options_are_refused_in_one_line(method, params, error, words, equal):
    with pytest.raises(error) as caught:
        combine(equal[1], 5, method, **params)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_tiny_ensembles_give_exactly_k_clusters_and_print_nothing(method, capfd):
    rng = np.random.default_rng(4)
    for _ in range(6):
        labels = rng.integers(0, 3, size=(12, 3))
        labels[rng.random(labels.shape) < 0.2] = -1
        labels[(labels < 0).all(axis=1), 0] = 0
        for k in range(1, len(np.unique(Ensemble.from_labels(labels).labels, axis=0)) + 1):
            assert len(np.unique(combine(labels, k, method, random_state=0, n_threads=1))) == k
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("method", GRAPH_METHODS)
def test_members_that_share_no_point(method):
    labels = np.array([[0, 0, 1, 1, -1, -1, -1, -1], [-1, -1, -1, -1, 0, 0, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]])
    assert len(np.unique(combine(list(labels), 2, method, random_state=0))) == 2
