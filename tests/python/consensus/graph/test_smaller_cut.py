"""Cuts refined by moves and swaps, against every partition of small graphs; alike soft rows in one group."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from intarsia.consensus.graph.mcla import jaccard
from intarsia.consensus.graph.row_groups import group_alike
from intarsia.consensus.graph.smaller_cut import smaller_cut
from intarsia.consensus.graph.smcla import column_jaccard
from intarsia.ensemble import Ensemble


def cut(graph, parts):
    return graph[parts[:, None] != parts].sum() / 2


def random_graph(n, seed):
    half = np.triu(np.random.default_rng(seed).random((n, n)), 1)
    return half + half.T


@pytest.mark.parametrize("seed", range(6))
def test_no_move_and_no_swap_is_left(seed):
    graph, start = random_graph(9, seed), (np.arange(9) % 3).astype(np.int32)
    found = smaller_cut(graph, start, 3)
    assert cut(graph, found) <= cut(graph, start)
    near = [
        np.array(parts)
        for parts in product(range(3), repeat=9)
        if np.bincount(parts, minlength=3).tolist() == [3, 3, 3] and (np.array(parts) != found).sum() <= 2
    ]
    assert cut(graph, found) <= min(cut(graph, parts) for parts in near) + 1e-12


def test_planted_parts_are_found_from_a_bad_start():
    planted = np.repeat(np.arange(4), 5)
    graph = np.where(planted[:, None] == planted, 1.0, 0.1) + random_graph(20, 0) * 0.01
    np.fill_diagonal(graph, 0.0)
    found = smaller_cut(graph, (np.arange(20) % 4).astype(np.int32), 4)
    assert len({(a, b) for a, b in zip(planted, found, strict=True)}) == 4


def test_parts_stay_filled_and_no_larger_than_at_the_start():
    graph = np.ones((6, 6)) - np.eye(6)  # one part for all would cut nothing
    found = smaller_cut(graph, np.array([0, 0, 0, 0, 1, 2], dtype=np.int32), 3)
    assert sorted(np.bincount(found)) == [1, 1, 4]


def test_column_jaccard_of_hard_memberships_is_that_of_mcla():
    labels = np.random.default_rng(1).integers(0, 3, (50, 4))
    labels[:3] = [[0] * 4, [1] * 4, [2] * 4]  # codes are numbered as the columns of the memberships are
    soft = Ensemble.from_memberships([np.eye(3)[column] for column in labels.T])
    expected = jaccard(Ensemble.from_labels(labels), 1) * (np.kron(np.eye(4), np.ones((3, 3))) == 0)
    np.testing.assert_allclose(column_jaccard(soft, 3, 1), expected)


def test_soft_rows_that_are_alike_are_one_vertex():
    first = np.array([[0.99, 0.01], [0.97, 0.03], [0.5, 0.5], [0.02, 0.98]])
    ensemble = Ensemble.from_memberships([first, first])
    groups = group_alike(ensemble, 1, 100, 1)
    assert groups.of_row.tolist() == [0, 0, 1, 2]
    assert groups.weights.tolist() == [2, 1, 1]
    assert groups.leaders.tolist() == [0, 2, 3]


def test_rows_are_left_alone_where_too_few_groups_would_remain():
    first = np.array([[0.99, 0.01], [0.97, 0.03], [0.5, 0.5], [0.02, 0.98]])
    groups = group_alike(Ensemble.from_memberships([first]), 2, 100, 1)
    assert groups.of_row.tolist() == [0, 1, 2, 3]


def test_a_part_that_is_empty_from_the_start_is_no_error() -> None:
    graph = np.ones((4, 4)) - np.eye(4)
    parts = smaller_cut(graph, np.array([0, 0, 1, 1], dtype=np.int32), 3)
    assert len(parts) == 4
