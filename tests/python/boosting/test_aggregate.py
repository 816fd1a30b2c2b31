"""The rounds handed to consensus functions, and new points labelled by their rows."""

import numpy as np
import pytest

from intarsia import BaggingClustering, BoostClustering, combine, load_demo
from intarsia.consensus import METHODS
from intarsia.ensemble.row_labels import RowLabels
from intarsia.metrics import adjusted_rand_index

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2)) + np.repeat([[0, 0], [7, 0]], 100, axis=0)
NEW = RNG.normal(size=(50, 2)) + np.repeat([[0, 0], [7, 0]], 25, axis=0)


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"vote"}))
def test_every_consensus_function(method):
    model = BoostClustering(2, aggregate=method, round_clusters=5, random_state=3, n_threads=1).fit(X)
    expected = combine(model.ensemble_, 2, method, random_state=3, n_threads=1)
    assert adjusted_rand_index(model.labels_, expected) > 0.95  # equal rows stay together here
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert set(model.predict(NEW)) <= {0, 1}


def test_a_function_of_ones_own():
    seen = []

    def first_member(ensemble, n_clusters):
        seen.append((ensemble, n_clusters))
        return ensemble.labels[:, 0]

    model = BoostClustering(3, aggregate=first_member, random_state=0).fit(X)
    assert seen == [(model.ensemble_, 3)]
    assert adjusted_rand_index(model.labels_, model.ensemble_.labels[:, 0]) == 1
    with pytest.raises(ValueError, match=r"aggregate returned shape \(3,\) of int"):
        BoostClustering(3, aggregate=lambda e, k: np.arange(3), random_state=0).fit(X)


def test_options_of_the_function_are_passed_on():
    options = {"aggregate": "eac", "round_clusters": 8, "random_state": 0}
    single = BaggingClustering(2, aggregate_params={"linkage": "single"}, **options).fit(X)
    expected = combine(single.ensemble_, 2, "eac", linkage="single", random_state=0)
    assert adjusted_rand_index(single.labels_, expected) == 1
    with pytest.raises(TypeError, match="eac has no option 'link'"):
        BaggingClustering(2, aggregate_params={"link": "single"}, **options).fit(X)


def test_memberships_come_from_a_vote_only():
    assert hasattr(BoostClustering(2), "predict_proba")
    assert not hasattr(BoostClustering(2, aggregate="eac"), "predict_proba")
    model = BoostClustering(2, aggregate="eac", random_state=0).fit(X)
    assert all(record.names is None for record in model.rounds_)


def test_new_points_go_with_the_rows_most_alike():
    model = BaggingClustering(2, aggregate="eac", round_clusters=6, n_rounds=15, random_state=1).fit(X)
    truth = np.repeat([0, 1], 25)
    assert adjusted_rand_index(model.predict(NEW), truth) > 0.9


def test_rows_most_alike_by_brute_force():
    rng = np.random.default_rng(1)
    rows = rng.integers(4, size=(60, 5)).astype(np.int32)
    weights = np.array([0.5, 1.0, 2.0, 0.75, 0.75])
    labels = rng.integers(3, size=60).astype(np.int32)
    _, first = np.unique(rows, axis=0, return_index=True)
    rows, labels = rows[np.sort(first)], labels[np.sort(first)]
    table = RowLabels(rows, labels, weights)
    np.testing.assert_array_equal(table.label(rows, 1), labels)
    asked = rng.integers(4, size=(40, 5)).astype(np.int32)
    for row, found in zip(asked, table.label(asked, 1), strict=True):
        alike = (rows == row) @ weights
        assert found in labels[alike == alike.max()]


def test_equal_rows_get_their_commonest_label():
    rows = np.array([[1, 2], [1, 2], [1, 2], [0, 0], [0, 0]], dtype=np.int32)
    table = RowLabels(rows, np.array([0, 1, 1, 2, 0], dtype=np.int32), np.ones(2))
    np.testing.assert_array_equal(table.label(rows, 1), [1, 1, 1, 0, 0])


def test_rounds_of_many_small_clusters_by_default():
    model = BaggingClustering(2, aggregate="eac", n_rounds=2, random_state=0).fit(X)
    assert all(len(record.sizes) == 14 for record in model.rounds_)  # 200 points
    many = BaggingClustering(30, aggregate="eac", n_rounds=2, random_state=0).fit(X)
    assert all(len(record.sizes) == 30 for record in many.rounds_)
    few = np.repeat(X[:6], 50, axis=0)  # 300 points, 6 of them distinct
    model = BaggingClustering(2, aggregate="eac", n_rounds=2, random_state=0).fit(few)
    assert all(len(record.sizes) == 3 for record in model.rounds_)
    assert all(len(r.sizes) == 2 for r in BaggingClustering(2, n_rounds=2, random_state=0).fit(X).rounds_)


def test_evidence_finds_clusters_that_a_vote_cannot():
    points = load_demo("two-moons")
    model = BoostClustering(2, aggregate="eac", stop=False, max_rounds=20, random_state=1)
    assert adjusted_rand_index(points.labels, model.fit_predict(points.X)) > 0.9
    vote = BoostClustering(2, stop=False, max_rounds=20, random_state=1)
    assert adjusted_rand_index(points.labels, vote.fit_predict(points.X)) < 0.7
