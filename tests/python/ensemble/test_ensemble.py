"""`Ensemble`: what goes in, the canonical form, merged rows, the matrices H and S as published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from intarsia import Ensemble

# Punera and Ghosh, Soft cluster ensembles (2007), tables 1.1 (the same as 1.3), 1.2 and 1.4
TABLE_1_1 = [[1, 1, 1, 2, 2, 3, 3], [2, 2, 3, 3, 3, 1, 1], [1, 1, 2, 2, 3, 3, 3]]
TABLE_1_2 = [
    [1, 0, 0, 0, 1, 0, 1, 0, 0],
    [1, 0, 0, 0, 1, 0, 1, 0, 0],
    [1, 0, 0, 0, 0, 1, 0, 1, 0],
    [0, 1, 0, 0, 0, 1, 0, 1, 0],
    [0, 1, 0, 0, 0, 1, 0, 0, 1],
    [0, 0, 1, 1, 0, 0, 0, 0, 1],
    [0, 0, 1, 1, 0, 0, 0, 0, 1],
]
TABLE_1_4 = np.array(
    [
        [0.7, 0.2, 0.1, 0.1, 0.7, 0.2, 0.6, 0.3, 0.1],
        [0.9, 0.1, 0.0, 0.0, 0.8, 0.2, 0.8, 0.2, 0.0],
        [0.9, 0.0, 0.1, 0.1, 0.4, 0.5, 0.5, 0.5, 0.0],
        [0.2, 0.6, 0.2, 0.1, 0.2, 0.7, 0.2, 0.7, 0.1],
        [0.1, 0.9, 0.0, 0.0, 0.1, 0.9, 0.0, 0.5, 0.5],
        [0.0, 0.2, 0.8, 0.8, 0.1, 0.1, 0.1, 0.2, 0.7],
        [0.1, 0.2, 0.7, 0.7, 0.1, 0.2, 0.1, 0.3, 0.6],
    ]
)

labels_tables = hnp.arrays(
    np.int64, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(0, 4)
)

quick = settings(max_examples=60, deadline=None)


def test_list_is_members_and_array_is_points():
    a = Ensemble.from_labels([[0, 0, 1], [1, 2, 2]])
    b = Ensemble.from_labels(np.array([[0, 1], [0, 2], [1, 2]]))
    np.testing.assert_array_equal(a.labels, b.labels)
    assert (a.n_samples, a.n_members, a.is_soft) == (3, 2, False)
    assert a.labels.dtype == np.int32
    assert a.labels.flags.c_contiguous
    np.testing.assert_array_equal(a.offsets, [0, 2, 4])


def test_missing_labels_of_every_kind():
    members = [[0, -1, 7], [np.nan, 2.0, 2.0], ["a", "", "b"], np.array(["x", None, "x"], dtype=object)]
    e = Ensemble.from_labels(members)
    np.testing.assert_array_equal(e.labels.T, [[0, -1, 1], [-1, 0, 0], [0, -1, 1], [0, -1, 0]])
    np.testing.assert_array_equal(e.n_classes, [2, 1, 2, 1])


def test_large_label_values():
    e = Ensemble.from_labels([[10**12, -1, 5], [3, 3, 3]])
    np.testing.assert_array_equal(e.labels[:, 0], [1, -1, 0])


def test_nothing_can_be_changed():
    e = Ensemble.from_labels([[0, 1]])
    with pytest.raises(ValueError, match="read-only"):
        e.labels[0, 0] = 5
    with pytest.raises(AttributeError):
        e.labels = np.zeros((2, 1), dtype=np.int32)


def test_weights_have_mean_one():
    e = Ensemble.from_labels([[0, 1], [0, 1]], member_weights=[1, 3])
    np.testing.assert_allclose(e.member_weights, [0.5, 1.5])


BAD_LABELS = {
    "ragged": ([[0, 1], [0, 1, 1]], "member 1 has 3 labels, member 0 has 2"),
    "no members": ([], "at least one member"),
    "no points": ([[]], "at least one point"),
    "two dimensions": ([[[0, 1]]], "member 0 has shape"),
    "three dimensions": (np.zeros((2, 2, 2)), r"\(n_samples, n_members\)"),
    "fraction": ([[0, 1.5]], "member 0, point 1: label 1.5"),
    "infinite": ([[0, np.inf]], "member 0, point 1: label inf"),
    "negative": ([[0, -2]], "member 0, point 1: label -2"),
    "member all missing": ([[0, 1], [-1, -1]], "member 1 has no labels"),
    "point all missing": ([[0, -1, 1], [0, -1, 1]], "point 1 is missing in every member"),
}


@pytest.mark.parametrize("kind", BAD_LABELS)
def test_bad_labels(kind):
    labels, message = BAD_LABELS[kind]
    with pytest.raises(ValueError, match=message) as raised:
        Ensemble.from_labels(labels)
    assert "\n" not in str(raised.value)


BAD_MEMBERSHIPS = {
    "sum": ([[[0.5, 0.6], [1, 0]]], "member 0, point 0: memberships sum to 1.1"),
    "negative": ([[[1, 0], [1.5, -0.5]]], "member 0, point 1: memberships .* >= 0"),
    "not a number": ([[[1, 0], [np.nan, 1]]], "member 0, point 1"),
    "infinite": ([[[1, 0], [np.inf, 1]]], "member 0, point 1"),
    "one dimension": ([[0.5, 0.5]], "member 0 has shape"),
    "ragged": ([[[1, 0], [1, 0]], [[1, 0]]], "member 1 has 1 rows, member 0 has 2"),
    "member all missing": ([[[1, 0]], [[0, 0]]], "member 1 has no memberships"),
    "point all missing": ([[[1, 0], [0, 0]], [[0, 1], [0, 0]]], "point 1 is missing in every member"),
    "no members": ([], "at least one member"),
}


@pytest.mark.parametrize("kind", BAD_MEMBERSHIPS)
def test_bad_memberships(kind):
    memberships, message = BAD_MEMBERSHIPS[kind]
    with pytest.raises(ValueError, match=message) as raised:
        Ensemble.from_memberships(memberships)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("weights", [[1, 0], [1, -1], [1, np.nan], [1], [[1, 1]]])
def test_bad_member_weights(weights):
    with pytest.raises(ValueError, match="member_weights"):
        Ensemble.from_labels([[0, 1], [0, 1]], member_weights=weights)


def test_h_of_table_1_2():
    H = Ensemble.from_labels(TABLE_1_1).indicator()
    np.testing.assert_array_equal(H.toarray(), TABLE_1_2)


def test_s_of_table_1_4_and_its_hard_form():
    e = Ensemble.from_memberships([TABLE_1_4[:, :3], TABLE_1_4[:, 3:6], TABLE_1_4[:, 6:]])
    np.testing.assert_array_equal(e.indicator().toarray(), TABLE_1_4)
    np.testing.assert_array_equal(e.memberships, TABLE_1_4)
    hard = np.array(TABLE_1_1).T - 1
    tied = np.zeros((7, 3), dtype=bool)
    tied[[2, 4], 2] = True  # x_3 and x_5 are split evenly in S(3); a tie goes to the first cluster here
    np.testing.assert_array_equal(e.labels[~tied], hard[~tied])
    np.testing.assert_array_equal(e.labels[tied], hard[tied] - 1)


def relabelled_and_shuffled(table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    out = table.copy()
    for q in range(table.shape[1]):
        names = rng.permutation(50)
        out[:, q] = np.where(table[:, q] >= 0, names[table[:, q]], -1)
    return out[:, rng.permutation(table.shape[1])]


@given(labels_tables, st.integers(0, 2**32 - 1))
@quick
def test_canonical_form_forgets_names_and_order(table, seed):
    other = relabelled_and_shuffled(table, np.random.default_rng(seed))
    a, b = (Ensemble.from_labels(t).canonical() for t in (table, other))
    np.testing.assert_array_equal(a.labels, b.labels)
    np.testing.assert_array_equal(a.n_classes, b.n_classes)


@given(labels_tables, st.integers(0, 2**32 - 1))
@quick
def test_canonical_form_of_soft_members(table, seed):
    rng = np.random.default_rng(seed)
    blocks = [np.stack([rng.integers(1, 3, len(table)) for _ in range(3)], axis=1) for _ in table.T]
    blocks = [block / block.sum(axis=1, keepdims=True) for block in blocks]
    shuffled = [blocks[q][:, rng.permutation(3)] for q in rng.permutation(len(blocks))]
    a, b = (Ensemble.from_memberships(list(m)).canonical() for m in (blocks, shuffled))
    np.testing.assert_array_equal(a.labels, b.labels)
    np.testing.assert_array_equal(a.memberships, b.memberships)


def test_canonical_numbers_by_first_appearance():
    e = Ensemble.from_labels([[5, 5, -1, 2, 9]] * 2 + [[0] * 5]).canonical()
    assert sorted(e.labels.T.tolist()) == [[0, 0, -1, 1, 2], [0, 0, -1, 1, 2], [0, 0, 0, 0, 0]]


@given(labels_tables)
@quick
def test_merged_rows_expand_to_the_same_ensemble(table):
    e = Ensemble.from_labels(table)
    rows, inverse = e.merged()
    np.testing.assert_array_equal(rows.labels[inverse], e.labels)
    assert rows.n_samples == len({tuple(row) for row in table.tolist()})
    np.testing.assert_array_equal(rows.point_weights, np.bincount(inverse))
    first = [int(np.flatnonzero(inverse == i)[0]) for i in range(rows.n_samples)]
    assert first == sorted(first)


def test_merged_with_more_codes_than_fit_in_a_word():
    rng = np.random.default_rng(0)
    distinct = rng.integers(0, 30, (300, 40))
    table = distinct[rng.integers(0, 300, 2000)]
    rows, inverse = Ensemble.from_labels(table).merged()
    assert rows.n_samples == len(np.unique(table, axis=0))
    np.testing.assert_array_equal(rows.labels[inverse], Ensemble.from_labels(table).labels)


def test_merged_soft_rows():
    block = np.array([[0.5, 0.5], [1, 0], [0.5, 0.5], [-0.0, 1], [0.0, 1]])
    rows, inverse = Ensemble.from_memberships([block]).merged()
    np.testing.assert_array_equal(inverse, [0, 1, 0, 2, 2])
    np.testing.assert_array_equal(rows.point_weights, [2, 1, 2])
    np.testing.assert_array_equal(rows.memberships, [[0.5, 0.5], [1, 0], [0, 1]])


def test_an_ensemble_is_a_sequence_of_members():
    ensemble = Ensemble.from_labels([[0, 0, 1], [0, 1, 2], [1, 0, -1]])
    assert repr(ensemble) == "Ensemble(3 hard members, 3 points, 2 to 3 clusters)"
    assert len(ensemble) == 3
    np.testing.assert_array_equal(ensemble[1], [0, 1, 2])
    np.testing.assert_array_equal(ensemble[-1], ensemble.labels[:, 2])
    np.testing.assert_array_equal(np.column_stack(list(ensemble)), ensemble.labels)
    assert repr(ensemble[:2]) == "Ensemble(2 hard members, 3 points, 2 to 3 clusters)"
    np.testing.assert_array_equal(ensemble[[1, 0]].labels, ensemble.labels[:, [1, 0]])
    for wrong in (3, -4, slice(0, 0)):
        with pytest.raises(IndexError):
            ensemble[wrong]
