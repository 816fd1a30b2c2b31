"""Where two partitions differ, against SciPy's components of scikit-learn's contingency table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import bmat
from scipy.sparse.csgraph import connected_components
from sklearn.metrics.cluster import contingency_matrix

from intarsia import Examce
from intarsia.examce.criteria.protocol import Criterion, Partition
from intarsia.examce.search import population
from intarsia.examce.search.agreement import cross, few_differences, meetings_of
from intarsia.examce.search.population import Population, take_step
from intarsia.examce.settings import EFFORTS
from intarsia.executor import SerialExecutor

Labels = NDArray[np.int32]
K = 40
TRUE = np.repeat(np.arange(K, dtype=np.int32), 5)
X = np.random.default_rng(0).normal(size=(len(TRUE), 2)) + np.stack([TRUE % 8, TRUE // 8], axis=1) * 20.0


def shaken(n_places: int, seed: int) -> Labels:
    """The true labels with one point each of some pairs of neighbouring clusters in the other, renamed."""
    rng = np.random.default_rng(seed)
    labels = TRUE.copy()
    for pair in rng.choice(K // 2, n_places, replace=False):
        labels[10 * pair] = TRUE[10 * pair + 5]
    return rng.permutation(K).astype(np.int32)[labels]


def criterion() -> Criterion:
    return Examce(K, n_threads=1).start_state(X, None, SerialExecutor()).criterion


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_points", [30, 300])
def test_places_are_the_components_of_the_contingency_table(n_points: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ours = (np.arange(n_points) % 12).astype(np.int32)
    theirs = np.where(rng.random(n_points) < 0.04, rng.integers(9, size=n_points), ours % 9).astype(np.int32)
    meetings = meetings_of(ours, theirs)
    table = contingency_matrix(ours, theirs, sparse=True)
    n_components, component = connected_components(bmat([[None, table], [table.T, None]]))
    wanted = [
        (tuple(np.flatnonzero(here[:12])), tuple(np.flatnonzero(here[12:])))
        for here in (component == c for c in range(n_components))
    ]
    differing = [place for place in wanted if max(map(len, place)) > 1]
    places = few_differences(meetings, 12)
    assert places is not None
    assert sorted((tuple(p.ours), tuple(p.theirs)) for p in places) == sorted(differing)
    n_ours = sum(len(ours) for ours, _ in differing)
    assert n_ours == 0 or few_differences(meetings, n_ours - 1) is None
    assert meetings.share_together == pytest.approx(table.max(axis=1).sum() / n_points)


def test_the_same_partition_by_other_names_differs_nowhere() -> None:
    meetings = meetings_of(TRUE, shaken(0, 1))
    assert few_differences(meetings, 0) == []
    assert meetings.share_together == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_crossing_takes_the_better_of_both_in_every_place(seed: int) -> None:
    mssc = criterion()
    a, b = (mssc.partition(shaken(6, 10 * seed + i)) for i in (1, 2))
    places = few_differences(meetings_of(a.labels, b.labels), K)
    assert places is not None
    crossed = cross(a, b, places, mssc)
    # wrong in both: only where both drew the same pair
    common = few_differences(meetings_of(crossed.labels, TRUE), K)
    wrong_in = [few_differences(meetings_of(TRUE, p.labels), K) for p in (a, b)]
    pairs = [{tuple(place.ours) for place in wrong or []} for wrong in wrong_in]
    assert {tuple(place.theirs) for place in common or []} == pairs[0] & pairs[1]
    assert crossed.cost == pytest.approx(mssc.partition(crossed.labels).cost)


@pytest.mark.parametrize(
    ("n_best", "n_chain", "is_hit", "gained"),
    [
        (0, 0, True, False),
        (0, 1, True, False),
        (1, 0, True, True),
        (1, 1, False, False),  # two places, each wrong in one of them
        (0, 3, False, False),
        (3, 0, False, True),
    ],
)
def test_a_chain_arrives_if_it_has_all_but_few_of_the_clusters(
    monkeypatch: pytest.MonkeyPatch, n_best: int, n_chain: int, is_hit: bool, gained: bool
) -> None:
    model = Examce(K, n_threads=1)
    state = model.start_state(X, None, SerialExecutor())
    best: Partition | None = state.incumbent.offer(shaken(n_best, 1), 0)
    assert best is not None

    def chain(working: population._Working, limits: object) -> Partition:
        ended = working._own.offer(shaken(n_chain, 2), 0)
        assert ended is not None
        return ended

    monkeypatch.setattr(population._Working, "_chain", chain)
    settings = replace(state.settings, effort=EFFORTS["default"])
    step = take_step(Population(0, state.incumbent), settings, state.clock, 0.0)
    assert (step.facts.is_hit, step.facts.gained) == (is_hit, gained)
    assert step.facts.cost == pytest.approx(
        min(best.cost, state.criterion.partition(shaken(n_chain, 2)).cost)
    )
