"""The choice of clusters: hill climbing and branch and bound against all choices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from intarsia.multiobjective.candidates import SelectionData
from intarsia.multiobjective.exact import _clique_rows
from intarsia.multiobjective.search import SearchSettings, choose

pytestmark = pytest.mark.kernels


def random_data(seed, n_candidates=12, n=80):
    """Overlapping stretches of a line, some of them twice as good."""
    rng = np.random.default_rng(seed)
    starts, lengths = rng.integers(0, n - 8, n_candidates), rng.integers(5, 30, n_candidates)
    rows = [np.arange(a, min(n, a + m), dtype=np.int32) for a, m in zip(starts, lengths, strict=True)]
    return SelectionData.of_rows(rows, rng.uniform(0.3, 1, n_candidates), n, "min", 1)


def settings(n_clusters, search, most=6):
    return SearchSettings(n_clusters, search, 0.4, 5.0, 3, most, 200, None)


def best_of_all(data, wanted):
    costs = wanted.costs()
    problem = data.problem(*costs, wanted.n_clusters is None)
    counts = [wanted.n_clusters] if wanted.n_clusters else range(1, wanted.max_clusters + 1)
    return min(
        problem.objective(np.array(chosen, dtype=np.int32))
        for k in counts
        for chosen in combinations(range(len(data)), k)
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_clusters", [1, 3, 5, None])
def test_exact_search_is_enumeration(seed, n_clusters):
    data, wanted = random_data(seed), settings(n_clusters, "exact", most=5)
    best = best_of_all(data, wanted)
    found = choose(data, wanted, 0, 1)
    assert found.objective == pytest.approx(best, abs=1e-9)
    assert found.is_proved
    assert found.lower_bound <= best + 1e-9
    assert found.lower_bound >= best - 2e-6


def test_twenty_candidates():
    data, wanted = random_data(50, 20), settings(4, "exact")
    assert choose(data, wanted, 0, 1).objective == pytest.approx(best_of_all(data, wanted), abs=1e-9)


@pytest.mark.parametrize("n_clusters", [3, None])
def test_branch_and_bound_finds_what_hill_climbing_missed(n_clusters, monkeypatch):
    for seed in range(4):
        data, wanted = random_data(seed), settings(n_clusters, "exact", most=5)
        best = best_of_all(data, wanted)
        lame = SearchSettings(n_clusters, "exact", 0.4, 5.0, 3, 5, 1, None)
        assert choose(data, lame, seed, 1).objective == pytest.approx(best, abs=1e-9)


def test_hill_climbing_alone_proves_nothing():
    found = choose(random_data(0), settings(3, "hill"), 0, 1)
    assert found.lower_bound == -np.inf
    assert not found.is_proved
    assert found.objective == found.hill_objective


def test_a_limit_of_nodes_leaves_a_gap_or_a_proof():
    data = random_data(3, 40, 300)
    found = choose(data, SearchSettings(6, "auto", 0.4, 5.0, 3, 6, 200, 1), 0, 1)
    assert -np.inf < found.lower_bound <= found.objective


def test_every_choice_where_all_are_needed():
    data = random_data(1, 4)
    assert choose(data, settings(4, "exact"), 0, 1).chosen.tolist() == [0, 1, 2, 3]
    alone = SelectionData.of_rows([np.arange(5, dtype=np.int32)], np.array([0.5]), 9, "min", 1)
    for n_clusters in (1, None):
        assert choose(alone, settings(n_clusters, "exact"), 0, 1).chosen.tolist() == [0]


def test_cliques_hold_every_banned_pair_and_no_other():
    rng = np.random.default_rng(0)
    banned = np.triu(rng.random((15, 15)) < 0.4, 1)
    banned |= banned.T
    rows = _clique_rows(banned).toarray().astype(bool)
    covered = np.zeros_like(banned)
    for row in rows:
        members = np.flatnonzero(row)
        pairs = np.ix_(members, members)
        assert banned[pairs][~np.eye(len(members), dtype=bool)].all()
        covered[pairs] = True
    np.fill_diagonal(covered, False)
    np.testing.assert_array_equal(covered, banned)
    assert _clique_rows(np.zeros((3, 3), dtype=bool)).shape == (0, 3)
