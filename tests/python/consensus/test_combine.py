"""`combine` and what is around it: bad input, repair, best, all, choosing k, the way back to all points."""

from __future__ import annotations

import numpy as np
import pytest

from intarsia import Ensemble, choose_k, combine, combine_all, combine_full, metrics
from intarsia.consensus import METHODS, Consensus
from intarsia.consensus.repair import fill_empty

TABLE = [[0, 0, 0, 1, 1, 2, 2], [1, 1, 1, 2, 2, 0, 0], [0, 0, 1, 1, 2, 2, 2]]


def planted(rng, k=4, n=200, r=10):
    truth = rng.integers(0, k, n)
    table = np.column_stack([rng.permutation(k)[truth] for _ in range(r)])
    noise = rng.uniform(size=table.shape) < 0.1
    table[noise] = rng.integers(0, k, noise.sum())
    return truth, table


@pytest.mark.parametrize(
    ("n_clusters", "error", "message"),
    [
        (8, ValueError, "n_samples=7 should be >= n_clusters=8"),
        (6, ValueError, "distinct rows of the ensemble=5 should be >= n_clusters=6"),
        (0, ValueError, "n_clusters=0"),
        (2.5, TypeError, "n_clusters=2.5"),
    ],
)
def test_bad_k(n_clusters, error, message):
    with pytest.raises(error, match=message):
        combine(TABLE, n_clusters, "vote")


@pytest.mark.parametrize("labels", [[0, 1, 2], [-1, 0, 1]], ids=["too many", "missing"])
def test_a_function_that_gives_other_labels_than_asked_for_is_told_so(monkeypatch, labels):
    monkeypatch.setitem(METHODS, "vote", lambda rows, *_: Consensus(np.resize(labels, rows.n_samples)))
    with pytest.raises(ValueError, match=f"vote gave labels from {labels[0]} to {labels[-1]}, need 0 to 1"):
        combine(TABLE, 2, "vote")


def test_unknown_method_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"method='magic' should be one of .*'vote'"):
        combine(TABLE, 2, "magic")


@pytest.mark.parametrize("n_clusters", [1, 5])
def test_one_cluster_and_one_for_each_row(n_clusters):
    found = combine(TABLE, n_clusters, "vote")
    np.testing.assert_array_equal(found, [0] * 7 if n_clusters == 1 else [0, 0, 1, 2, 3, 4, 4])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_clusters", [1, 5])
def test_unknown_options_are_refused_where_nothing_is_run(method, n_clusters):
    with pytest.raises(TypeError, match=f"{method} has no option 'passes'"):
        combine(TABLE, n_clusters, method, passes=3)


def test_options_that_exist_do_no_harm_where_nothing_is_run():
    np.testing.assert_array_equal(combine(TABLE, 1, "vote", max_passes=3), [0] * 7)


def test_meta_clusters_and_memberships_are_those_of_the_given_ensemble():
    found = combine_full(TABLE, 3, "vote")
    # the majority of each point: 0 0 0 1 1 2 2 after matching members 0, 1 (names turned round) and 2
    np.testing.assert_array_equal(found.labels, [0, 0, 0, 1, 1, 2, 2])
    np.testing.assert_array_equal(found.meta_clusters, [0, 1, 2, 2, 0, 1, 0, 1, 2])
    np.testing.assert_allclose(found.memberships[2], [2 / 3, 1 / 3, 0])


def test_member_weights_decide_votes():
    weighted = Ensemble.from_labels(TABLE, member_weights=[1, 1, 9])
    np.testing.assert_array_equal(combine(weighted, 3, "vote"), [0, 0, 1, 1, 2, 2, 2])


def lazy_partitioner(ensemble, k, options):
    return Consensus(np.zeros(ensemble.n_samples, dtype=np.int32))


def test_a_method_that_gives_fewer_clusters_is_repaired(monkeypatch):
    monkeypatch.setitem(METHODS, "lazy", lazy_partitioner)
    found = combine_full(TABLE, 3, "lazy")
    assert set(found.labels.tolist()) == {0, 1, 2}
    assert "lazy gave 1 of 3 clusters; 2 split off" in found.note


def test_fill_empty_takes_what_belongs_together():
    rng = np.random.default_rng(0)
    truth, table = planted(rng, k=2)
    rows, inverse = Ensemble.from_labels(table).canonical().merged()
    labels = fill_empty(rows, np.zeros(rows.n_samples, dtype=np.int32), 2)
    assert metrics.adjusted_rand_index(truth, labels[inverse]) > 0.9


def test_fill_empty_leaves_full_partitions_alone():
    rows, _ = Ensemble.from_labels(TABLE).merged()
    labels = np.array([0, 1, 2, 0, 1], dtype=np.int32)
    np.testing.assert_array_equal(fill_empty(rows, labels, 3), labels)


def refusing(ensemble, k, options):
    raise ValueError("not today")


def test_best_keeps_the_highest_average_nmi(monkeypatch):
    monkeypatch.setitem(METHODS, "lazy", lazy_partitioner)
    monkeypatch.setitem(METHODS, "refusing", refusing)
    _, table = planted(np.random.default_rng(1))
    names = ["lazy", "refusing", "vote"]
    found = combine_full(table, 4, "best", methods=names)
    scores = {m: metrics.anmi(combine(table, 4, m), table) for m in ("lazy", "vote")}
    np.testing.assert_array_equal(found.labels, combine(table, 4, max(scores, key=scores.get)))
    assert found.objective == pytest.approx(max(scores.values()))
    assert "refusing refused: not today" in found.note


def test_best_of_nothing(monkeypatch):
    monkeypatch.setitem(METHODS, "refusing", refusing)
    _, table = planted(np.random.default_rng(1))
    with pytest.raises(ValueError, match="no method gave an answer"):
        combine(table, 4, "best", methods=["refusing"])
    with pytest.raises(ValueError, match="methods='best'"):
        combine(table, 4, "best", methods=["best"])
    with pytest.raises(ValueError, match="at least one"):
        combine(table, 4, "best", methods=[])


def test_all_methods_side_by_side(monkeypatch):
    monkeypatch.setitem(METHODS, "refusing", refusing)
    _, table = planted(np.random.default_rng(2), n=60)
    found = combine_all(table, 4, random_state=0)
    assert found.refusals["refusing"] == "not today"
    np.testing.assert_array_equal(found.answers["vote"].labels, combine(table, 4, "vote", random_state=0))
    labels = combine(table, 4, "all", random_state=0)
    names = [name for name in METHODS if name != "best"]
    assert labels.shape == (60, len(names))
    np.testing.assert_array_equal(labels[:, names.index("refusing")], -1)
    np.testing.assert_array_equal(labels[:, names.index("vote")], found.answers["vote"].labels)
    with pytest.raises(TypeError, match="'max_passes'"):
        combine(table, 4, "all", max_passes=3)


def test_choosing_k_finds_the_planted_one():
    truth, table = planted(np.random.default_rng(3))
    choice = choose_k(table, "vote", k_range=(2, 7), random_state=0)
    assert choice.n_clusters == 4
    assert [score.n_clusters for score in choice.scores] == [2, 3, 4, 5, 6, 7]
    assert min(choice.scores, key=lambda score: score.pac).n_clusters == 4
    assert metrics.adjusted_rand_index(truth, choice.consensus.labels) > 0.99
    best = max(choice.scores, key=lambda score: score.anmi)
    assert best.anmi == pytest.approx(metrics.anmi(choice.consensus.labels, table))
    np.testing.assert_array_equal(combine(table, None, "vote", random_state=0), choice.consensus.labels)


def test_choosing_k_without_resamples_and_with_few_members():
    choice = choose_k([[0, 0, 1, 1, 2]], "vote", n_resamples=0)
    assert choice.n_clusters == 3
    assert all(np.isnan(score.pac) for score in choice.scores)
    holes = [[0, 0, 1, 1, 2, -1], [0, 0, -1, 1, 2, 2]]
    assert choose_k(holes, "vote", k_range=(2, 3), random_state=0).n_clusters == 3


@pytest.mark.parametrize("k_range", [(5, 3), (0, 2), (2, 99)])
def test_bad_range_of_k(k_range):
    with pytest.raises(ValueError, match=r"k_range|n_clusters"):
        choose_k(TABLE, "vote", k_range=k_range)
