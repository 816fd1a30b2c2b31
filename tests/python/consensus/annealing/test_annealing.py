"""Annealing: optimal on tiny cases by exhaustive search, sound on degenerate ones, options checked."""

from itertools import product

import numpy as np
import pytest

from intarsia import Ensemble
from intarsia.consensus import (
    METHODS,
    Schedule,
    anneal,
    choose_k,
    combine,
    combine_full,
    mean_agreement,
    refine,
)
from intarsia.consensus.annealing.agreement import MEASURES
from intarsia.consensus.problem import solve_rows
from intarsia.consensus.protocol import ConsensusOptions

pytestmark = pytest.mark.kernels

METHOD_OF = {"corrected-rand": "sa-ri", "jaccard": "sa-ji", "wallace": "sa-wi", "nmi": "sa-nmi"}


def ensemble_of(n, r, k, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.resize(np.arange(k), n)
    members = [np.where(rng.random(n) < noise, rng.integers(k + 1, size=n), truth) for _ in range(r)]
    return np.column_stack(members)


def partitions(n, k):
    """All label vectors with k clusters numbered by first appearance."""
    for labels in product(range(k), repeat=n - 1):
        vector = np.array((0, *labels))
        firsts = [int(np.argmax(vector == c)) for c in range(k) if (vector == c).any()]
        if len(firsts) == k and firsts == sorted(firsts):
            yield vector


def best_of_all(labels, n, k, measure):
    ensemble = labels if isinstance(labels, Ensemble) else Ensemble.from_labels(labels)
    return max(mean_agreement(ensemble, p, measure) for p in partitions(n, k))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("n", "k", "seed"), [(6, 2, 0), (7, 3, 1), (8, 3, 2), (9, 2, 3)])
def test_exhaustive_search_finds_nothing_better(measure, n, k, seed):
    labels = ensemble_of(n, 4, k, noise=0.5, seed=seed)
    found = combine_full(labels, k, METHOD_OF[measure], start="random", n_chains=20, random_state=seed)
    assert found.objective == pytest.approx(best_of_all(labels, n, k, measure), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_weights_and_missing_labels_against_exhaustive_search(measure):
    labels = ensemble_of(8, 5, 3, noise=0.5, seed=4)
    labels[[0, 3, 5], [1, 2, 4]] = -1
    weighted = Ensemble.from_labels(labels, [1, 2, 1, 0.5, 3])
    found = combine_full(weighted, 3, METHOD_OF[measure], start="random", n_chains=20, random_state=0)
    assert found.objective == pytest.approx(best_of_all(weighted, 8, 3, measure), abs=1e-12)


@pytest.mark.parametrize("acceptance", ["threshold", "metropolis"])
@pytest.mark.parametrize("choice", ["first", "best"])
@pytest.mark.parametrize("batch", [1, 64])
def test_every_schedule_finds_the_planted_partition(acceptance, choice, batch):
    labels = ensemble_of(150, 9, 4, noise=0.35)
    found = combine_full(
        labels, 4, "sa-ri", start="random", acceptance=acceptance, choice=choice, batch=batch,
        random_state=1, n_chains=2,
    )  # fmt: skip
    truth = np.resize(np.arange(4), 150)
    assert found.objective >= mean_agreement(labels, truth)
    assert mean_agreement([truth], found.labels) > 0.95
    assert found.objective == pytest.approx(mean_agreement(labels, found.labels), abs=1e-12)


def test_never_below_start_or_any_loop():
    labels = ensemble_of(200, 6, 5)
    start = np.resize(np.arange(5), 200)
    found = combine_full(labels, 5, "sa-wi", start=start, random_state=0)
    assert found.history[0] == pytest.approx(mean_agreement(labels, start, "wallace"), abs=1e-12)
    assert found.objective >= max(found.history) - 1e-12


def test_paper_temperature_is_the_default_up_to_500_points():
    labels = ensemble_of(300, 5, 3)
    runs = [
        combine_full(labels, 3, "sa-ri", start="random", temperature=t, random_state=0)
        for t in ("paper", "scaled")
    ]
    assert runs[0].history == runs[1].history
    hot = Schedule(temperature="paper").core_options(5000, 1, 0, 0)
    scaled = Schedule().core_options(5000, 1, 0, 0)
    assert (hot.start_share, scaled.start_share) == pytest.approx((0.1, 0.01))


@pytest.mark.parametrize("method", METHOD_OF.values())
def test_degenerate_ensembles(method):
    n = 12
    halves, thirds = np.arange(n) % 2, np.arange(n) % 3
    cases = {
        "one member": [thirds],
        "identical members": [thirds, thirds, thirds],
        "all singletons": [np.arange(n)],
        "one cluster": [np.zeros(n, int), thirds],
        "two that contradict": [halves, thirds],
    }
    for members in cases.values():
        for k in (1, 2, 3):
            labels = combine(members, k, method, start="random", random_state=0)
            assert sorted(set(labels)) == list(range(k))


@pytest.mark.parametrize("method", METHOD_OF.values())
def test_identical_members_are_the_answer(method):
    thirds = np.arange(30) % 3
    found = combine_full([thirds] * 4, 3, method, start="random", n_chains=8, random_state=0)
    assert found.objective == pytest.approx(1.0)
    assert np.array_equal(found.labels, thirds)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("batch", [1, 16])
def test_no_cluster_vanishes_unless_allowed(measure, batch):
    # members know two clusters: the measures would empty the other three
    halves = np.arange(40) % 2
    ensemble = Ensemble.from_labels([halves, halves])
    start = np.resize(np.arange(5), 40)
    kept = anneal(ensemble, start, 5, measure, Schedule(batch=batch))
    assert len(np.unique(kept.labels)) == 5
    free = anneal(ensemble, start, 5, measure, Schedule(batch=batch, allow_empty=True))
    assert len(np.unique(free.labels)) < 5
    assert free.objective == pytest.approx(1.0)


def test_label_names_and_member_order_do_not_matter():
    labels = ensemble_of(80, 5, 3)
    renamed = np.column_stack([9 - labels[:, q] for q in (3, 0, 4, 2, 1)])
    results = [combine(m, 3, "sa-ri", start="random", random_state=2) for m in (labels, renamed)]
    assert np.array_equal(*results)


@pytest.mark.parametrize("measure", MEASURES)
def test_refine_ends_where_no_single_change_gains(measure):
    labels = ensemble_of(40, 4, 3, noise=0.5)
    start = np.resize(np.arange(3), 40)
    found = refine(Ensemble.from_labels(labels), start, measure)
    assert found.objective >= mean_agreement(labels, start, measure)
    for point, label in product(range(40), range(3)):
        other = found.labels.copy()
        other[point] = label
        if len(np.unique(other)) == 3:
            assert mean_agreement(labels, other, measure) <= found.objective + 1e-12


@pytest.mark.parametrize("refined", [True, "jaccard"])
def test_refine_after_any_consensus_function(monkeypatch, refined):
    from intarsia.consensus import Consensus

    def first_member(ensemble, k, options):
        return Consensus(
            np.minimum(ensemble.labels[:, 0], k - 1), memberships=np.eye(k)[ensemble.labels[:, 0] % k]
        )

    monkeypatch.setitem(METHODS, "first", first_member)
    labels = ensemble_of(90, 6, 3)
    plain = combine_full(labels, 3, "first", random_state=0)
    better = combine_full(labels, 3, "first", random_state=0, refine=refined)
    measure = "corrected-rand" if refined is True else refined
    assert better.objective > mean_agreement(labels, plain.labels, measure)
    assert better.objective == pytest.approx(mean_agreement(labels, better.labels, measure), abs=1e-12)
    assert better.memberships is None
    assert f"refined by {measure}" in better.note


def test_starts_from_registered_functions_and_keeps_the_best(monkeypatch):
    from intarsia.consensus import Consensus

    monkeypatch.setitem(METHODS, "first", lambda e, k, o: Consensus(np.minimum(e.labels[:, 0], k - 1)))
    labels = ensemble_of(60, 5, 3, noise=0.6)
    alone = [combine_full(labels, 3, "sa-ri", start="first", random_state=0).objective]
    both = combine_full(labels, 3, "sa-ri", start=["first", "random"], random_state=0)
    assert both.objective >= alone[0]


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"start": "nothing"}, ValueError, "start='nothing' should be one of"),
        ({"start": "sa-ri"}, ValueError, "start='sa-ri' should be one of"),
        ({"start": 3}, TypeError, "start=3 should be a name"),
        ({"start": [0, 1]}, ValueError, r"labels.shape=\(2,\) should be \(30,\)"),
        ({"start": np.arange(30)}, ValueError, "start has 30 clusters"),
        ({"cooling": 1.0}, ValueError, "cooling=1.0 should be a number between 0 and 1"),
        ({"threshold": 0}, ValueError, "threshold=0 should be"),
        ({"temperature": -1.0}, ValueError, "temperature=-1.0 should be"),
        ({"temperature": "hot"}, ValueError, "temperature='hot' should be one of"),
        ({"acceptance": "always"}, ValueError, "acceptance='always' should be"),
        ({"n_chains": 0}, ValueError, "n_chains=0 should be >= 1"),
        ({"loops": 4}, TypeError, "sa-ri has no option 'loops'"),
    ],
)
def test_bad_options(params, error, message):
    labels = ensemble_of(30, 3, 3)
    with pytest.raises(error, match=message):
        combine(labels, 3, "sa-ri", random_state=0, **{"start": "random", **params})


def test_a_loop_limit_is_said():
    labels = ensemble_of(60, 5, 3)
    start = ensemble_of(60, 1, 2, noise=0.1)[:, 0]
    found = combine_full(labels, 3, "sa-ri", start=start, max_loops=3, random_state=0)
    assert found.note == "stopped after 3 loops"
    assert len(found.history) == 4


@pytest.mark.parametrize("method", ["sa-ri", "sa-nmi"])
def test_whoever_asks_anneals_points(method):
    labels, seed = ensemble_of(60, 3, 3, noise=0.4, seed=4), {"random_state": 1}
    alone = combine_full(labels, 3, method, **seed)
    chosen = choose_k(labels, method, k_range=(3, 3), n_resamples=2, **seed).consensus
    np.testing.assert_array_equal(chosen.labels, alone.labels)
    assert chosen.history == alone.history
    np.testing.assert_array_equal(combine(labels, 3, "best", methods=[method], **seed), alone.labels)
    # merged rows move as one: another walk
    rows = Ensemble.from_labels(labels).canonical().merged()[0]
    assert rows.n_samples < 60
    assert solve_rows(rows, 3, method, ConsensusOptions(seed=1)).history != alone.history
