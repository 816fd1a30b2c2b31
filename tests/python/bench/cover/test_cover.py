"""`bench cover`: the pools it builds and its quick form."""

from __future__ import annotations

import json

import numpy as np
import pytest

from intarsia.bench.cover.cover import improve_for, prove
from intarsia.bench.cover.pools import bracket_pool, bracket_sizes
from intarsia.bench.quality.instances import instance_points, parse_instance


@pytest.fixture(scope="module")
def pooled():
    instance = parse_instance("iris:12")
    return bracket_pool(instance, instance_points(instance, None), n_runs=12, seed=0)


@pytest.mark.parametrize("k", [3, 30, 100, 500])
def test_runs_are_spread_over_the_bracket_and_k_has_the_largest_share(k):
    sizes = dict(bracket_sizes(k, 150, 10_000))
    assert sum(sizes.values()) == 150
    assert sizes[k] == max(sizes.values())
    assert min(sizes) >= k - k // 10
    assert max(sizes) <= k + k // 10


def test_columns_are_distinct_and_cost_what_numpy_says(pooled):
    pool = pooled.pool
    columns = np.split(pool.members, pool.offsets[1:-1])
    assert len({tuple(members) for members in columns}) == len(pool)
    costs = [((pooled.X[members] - pooled.X[members].mean(axis=0)) ** 2).sum() for members in columns]
    np.testing.assert_allclose(pool.costs, costs, rtol=1e-9, atol=1e-9)


def test_a_copy_of_the_pool_is_the_same_pool(pooled):
    copy = pooled.copy_pool()
    np.testing.assert_array_equal(copy.members, pooled.pool.members)
    np.testing.assert_array_equal(copy.costs, pooled.pool.costs)


def test_both_solvers_prove_the_same_optimum(pooled):
    proof = prove(pooled)
    assert proof.same
    assert proof.status == "optimal"
    assert proof.ratio == pytest.approx(proof.highs_s / proof.ours_s)


def test_improvement_is_never_worse_than_the_cover_and_leaves_the_pool_alone(pooled):
    before = len(pooled.pool)
    assert improve_for(pooled, seconds=2.0) <= prove(pooled).ours_cost * (1 + 1e-9)
    assert len(pooled.pool) == before


def test_quick_form(intarsia):
    outcome = intarsia(
        "bench", "cover", "--quick", "--cases", "iris:12", "--runs", 10, "--seconds", 0.5, "--json"
    )
    result = json.loads(outcome.out)
    assert result["proofs"][0]["same"] is True
    assert result["races"][0]["ours_cost"] <= result["races"][0]["highs_cost"] * (1 + 1e-9)
    assert result["peak_mb"] > 10


def test_quick_table_names_what_it_lacks(intarsia):
    outcome = intarsia("bench", "cover", "--quick", "--cases", "iris:12", "no-such-set:3", "--runs", 10)
    assert outcome.code == 0
    assert "HiGHS CPU s" in outcome.out
    assert "no data for no-such-set" in outcome.out
