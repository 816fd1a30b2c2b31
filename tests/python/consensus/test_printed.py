"""Every function as printed against a plain transcription of its paper, from the same start or METIS call."""

from __future__ import annotations

import numpy as np
import pymetis
import pytest
from scipy.special import logsumexp
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble, _core, combine, combine_full
from intarsia.consensus import AS_PRINTED, METHODS, ConsensusOptions
from intarsia.consensus.graph import hbgf, meta_graph, metis, neighbour_graph
from intarsia.consensus.labels.plain_em import plain_em
from intarsia.consensus.labels.random_start import random_labels, random_multinomials, random_points

N, R, K = 90, 7, 3


def members(seed=0, noise=0.45, k=K):
    rng = np.random.default_rng(seed)
    truth = np.resize(np.arange(k), N)
    labels = [np.where(rng.random(N) < noise, rng.integers(k + 1, size=N), truth) for _ in range(R)]
    return Ensemble.from_labels(labels).canonical()


def soft_members(seed=0):
    rng = np.random.default_rng(seed)
    truth = np.resize(np.arange(K), N)
    blocks = []
    for _ in range(4):
        shares = rng.dirichlet(np.ones(K), N) + 1.5 * np.eye(K)[truth]
        blocks.append(shares / shares.sum(axis=1, keepdims=True))
    return Ensemble.from_memberships(blocks).canonical()


def printed(method, ensemble, k=K, seed=0, **more):
    return METHODS[method](ensemble, k, ConsensusOptions(seed=seed, params={**AS_PRINTED[method], **more}))


def indicators(ensemble):
    return np.hstack([np.eye(c)[ensemble.labels[:, q]] for q, c in enumerate(ensemble.n_classes)])


def lloyd(labels, cost_of):
    """Move every row to its cheapest cluster (it stays where that is as cheap) until none moves."""
    while True:
        costs = cost_of(labels)
        own = costs[np.arange(len(labels)), labels]
        moved = np.where(costs.min(axis=1) < own - 1e-12, costs.argmin(axis=1), labels)
        if np.array_equal(moved, labels):
            return labels
        labels = moved


def mismatches(ensemble, rows):
    return (ensemble.labels[:, None, :] != np.asarray(rows)[None]).sum(axis=2)


def random_start(ensemble, init, seed, task=0):
    if init == "partition":
        return random_labels(N, K, seed, task)
    return mismatches(ensemble, ensemble.labels[random_points(ensemble, K, seed, task)]).argmin(axis=1)


@pytest.mark.parametrize("init", ["random", "partition"])
@pytest.mark.parametrize("seed", range(3))
def test_k_modes(init, seed):
    ensemble = members(seed)
    start = random_start(ensemble, init, seed)

    def cost_of(labels):
        modes = [[np.bincount(ensemble.labels[labels == c, q]).argmax() for q in range(R)] for c in range(K)]
        return mismatches(ensemble, modes)

    found = printed("kmodes", ensemble, seed=seed, init=init)
    np.testing.assert_array_equal(found.labels, lloyd(start, cost_of))


@pytest.mark.parametrize("init", ["random", "partition"])
@pytest.mark.parametrize("seed", range(3))
def test_qmi_is_k_means_on_indicators(init, seed):
    ensemble = members(seed)
    H = indicators(ensemble) - indicators(ensemble).mean(axis=0)
    start = random_start(ensemble, init, seed)

    def cost_of(labels):
        centres = np.array([H[labels == c].mean(axis=0) for c in range(K)])
        return ((H[:, None] - centres) ** 2).sum(axis=2)

    found = printed("qmi", ensemble, seed=seed, init=init)
    np.testing.assert_array_equal(found.labels, lloyd(start, cost_of))


@pytest.mark.parametrize("seed", range(3))
def test_em_of_the_multinomial_mixture(seed):
    ensemble = members(seed)
    H = indicators(ensemble)
    theta = random_multinomials(ensemble, K, seed, 0)
    np.testing.assert_allclose(np.add.reduceat(theta, ensemble.offsets[:-1], axis=1), 1.0)
    logs = H @ np.log(theta).T
    shares = np.exp(logs - logsumexp(logs, axis=1)[:, None])
    before = -np.inf
    for _ in range(100):
        theta = (shares.T @ H + 1e-9) / (
            shares.sum(axis=0)[:, None] + 1e-9 * np.repeat(ensemble.n_classes, ensemble.n_classes)
        )
        logs = np.log(shares.mean(axis=0)) + H @ np.log(theta).T
        likelihood = logsumexp(logs, axis=1)
        shares = np.exp(logs - likelihood[:, None])
        if likelihood.sum() - before < 1e-6 * N:
            break
        before = likelihood.sum()
    found = printed("mixmns", ensemble, seed=seed)
    np.testing.assert_allclose(found.memberships, shares, atol=1e-9)
    np.testing.assert_array_equal(found.labels, shares.argmax(axis=1))
    assert found.objective == pytest.approx(likelihood.sum())


def test_several_plain_starts_of_em_keep_the_likeliest():
    ensemble = members(3)
    starts = [random_multinomials(ensemble, K, 5, task) for task in range(4)]
    alone = [plain_em(ensemble, start, 100, 1e-9, 1e-6) for start in starts]
    found = printed("mixmns", ensemble, seed=5, n_init=4)
    best = max(alone, key=lambda fit: fit.history[-1])
    assert best is not alone[0]
    assert found.objective == best.history[-1]
    np.testing.assert_array_equal(found.memberships, best.shares)


def test_what_the_kernel_of_em_finds_is_at_rest_under_plain_em():
    ensemble = members(1)
    H, smoothing = indicators(ensemble), 0.01
    shares = METHODS["mixmns"](
        ensemble, K, ConsensusOptions(params={"tol": 1e-12, "max_iter": 1000})
    ).memberships
    counts = shares.T @ H + smoothing
    theta = counts / np.repeat(
        np.add.reduceat(counts, ensemble.offsets[:-1], axis=1), ensemble.n_classes, axis=1
    )
    found = plain_em(ensemble, theta, 1000, smoothing, 1e-12)
    assert found.converged
    np.testing.assert_allclose(found.shares, shares, atol=1e-4)


def draws_below(seed, chain, loop):
    """The chain's own random numbers, word by word."""
    words, block = [], 0
    while True:
        if not words:
            words = list(_core.philox4x64([20, chain, loop, block], [seed, 0]))
            block += 1
        bound = yield None
        yield (int(words.pop(0)) * bound) >> 64


def shuffled(order, seed, loop):
    draws = draws_below(seed, 0, loop)
    for i in range(len(order), 1, -1):
        next(draws)
        j = draws.send(i)
        order[i - 1], order[j] = order[j], order[i - 1]


def corrected_rand(both, own, theirs, pairs):
    chance = own * theirs / pairs
    return (both - chance) / ((own + theirs) / 2 - chance)


def jaccard(both, own, theirs, pairs):
    return both / (own + theirs - both)


def wallace(both, own, theirs, pairs):
    return both / np.sqrt(own * theirs)


@pytest.mark.parametrize(
    ("method", "measure"), [("sa-ri", corrected_rand), ("sa-ji", jaccard), ("sa-wi", wallace)]
)
def test_one_annealing_chain_to_its_end(method, measure):
    n, seed = 40, 5
    ensemble = Ensemble.from_labels(list(members(3, noise=0.5, k=2).labels[:n].T))
    start = combine(ensemble, 2, "kmodes", random_state=seed, **AS_PRINTED["kmodes"])
    H, pairs = indicators(ensemble), n * (n - 1) / 2
    theirs = np.add.reduceat(H.sum(axis=0) * (H.sum(axis=0) - 1) / 2, ensemble.offsets[:-1])

    def value(labels):
        shared = np.eye(2)[labels].T @ H
        both = np.add.reduceat((shared * (shared - 1) / 2).sum(axis=0), ensemble.offsets[:-1])
        own = sum(size * (size - 1) / 2 for size in np.bincount(labels))
        return np.mean(measure(both, own, theirs, pairs))

    labels, now = start.copy(), value(start)
    history, temperature, idle, loop, order = [now], 0.1 * now, 0, 0, list(range(n))
    while idle < 2:
        loop += 1
        shuffled(order, seed, loop)
        n_changes = 0
        for point in order:
            other = labels.copy()
            other[point] = 1 - labels[point]
            change = value(other) - now
            if len(set(other)) == 2 and (change > 1e-12 or np.exp(change / temperature) > 0.85):
                labels, now, n_changes = other, now + change, n_changes + 1
        idle = idle + 1 if n_changes == 0 else 0
        temperature *= 0.99
        history.append(now)
    found = combine_full(ensemble, 2, method, random_state=seed, **AS_PRINTED[method])
    np.testing.assert_allclose(found.history, history, atol=1e-9)
    assert found.objective == pytest.approx(now)  # the best seen is where it ends
    assert adjusted_rand_score(found.labels, labels) == 1.0


def test_objective_of_annealing_is_the_mean_corrected_rand_index():
    ensemble = members(3, noise=0.5, k=2)
    found = combine_full(ensemble, 2, "sa-ri", random_state=5, **AS_PRINTED["sa-ri"])
    by_hand = [adjusted_rand_score(found.labels, ensemble.labels[:, q]) for q in range(R)]
    assert found.objective == pytest.approx(np.mean(by_hand))


def bisected(graph, weights, k, seed):
    """METIS's recursive bisection of a graph whose weights are rounded to a sum of 10^8."""
    edges = np.rint(graph * (1e8 / graph.sum())).astype(np.int64)
    adjacency = [np.flatnonzero(row) for row in edges]
    starts = np.cumsum([0, *map(len, adjacency)])
    sizes = weights if (weights == np.rint(weights)).all() else np.rint(weights * 2**24 / weights.max())
    found = pymetis.part_graph(
        k,
        pymetis.CSRAdjacency(starts, np.concatenate(adjacency)),
        vweights=sizes.astype(np.int64),
        eweights=np.concatenate([row[row > 0] for row in edges]),
        recursive=True,
        options=pymetis.Options(seed=seed),
    )
    return np.array(found.vertex_part)


@pytest.fixture
def seen(monkeypatch):
    """What METIS was given, and what it gave back."""
    calls = []

    def watched(graph, weights, k, seed, style):
        parts = metis.partition(graph, weights, k, seed, style)
        calls.append((graph.toarray(), weights, parts))
        if style == "published":
            np.testing.assert_array_equal(parts, bisected(graph.toarray(), weights, k, seed))
        return parts

    for module in (hbgf, meta_graph, neighbour_graph):
        monkeypatch.setattr(module, "partition", watched)
    return calls


def without_diagonal(graph):
    return graph - np.diag(np.diag(graph))


def test_cspa_cuts_the_points_coassociation(seen):
    ensemble = members()
    labels = combine(ensemble, K, "cspa", random_state=0, **AS_PRINTED["cspa"])
    (graph, weights, parts), H = seen[0], indicators(ensemble)
    np.testing.assert_allclose(graph, without_diagonal(H @ H.T / R), atol=1e-6)
    assert np.array_equal(weights, np.ones(N))
    assert adjusted_rand_score(parts, labels) == 1


def test_soft_cspa_cuts_the_points_label_space(seen):
    ensemble = soft_members()
    labels = combine(ensemble, K, "scspa", random_state=0, **AS_PRINTED["scspa"])
    (graph, weights, parts), S = seen[0], ensemble.memberships
    distances = ((S[:, None] - S) ** 2).sum(axis=2)
    np.testing.assert_allclose(graph, without_diagonal(np.exp(-distances)), atol=1e-5)
    assert np.array_equal(weights, np.ones(N))
    assert adjusted_rand_score(parts, labels) == 1


@pytest.mark.parametrize("method", ["hbgf", "shbgf"])
def test_hbgf_cuts_the_graph_of_points_and_clusters(seen, method):
    ensemble = members() if method == "hbgf" else soft_members()
    labels = combine(ensemble, K, method, random_state=0, **AS_PRINTED[method])
    assert len(seen) == 1
    graph, weights, parts = seen[0]
    edges = indicators(ensemble) if method == "hbgf" else ensemble.memberships
    np.testing.assert_allclose(graph[:N, N:], edges)
    assert not graph[:N, :N].any()
    assert np.array_equal(weights, np.ones(len(graph)))
    assert adjusted_rand_score(parts[:N], labels) == 1


def association(ensemble, columns, meta):
    return np.array([columns[:, meta == c].mean(axis=1) for c in range(K)]).T


def in_competition(labels, strengths):
    strongest = strengths >= strengths.max(axis=1, keepdims=True) - 1e-9
    assert strongest[np.arange(N), labels].all()
    return strongest.sum(axis=1)


def test_mcla(seen):
    rng = np.random.default_rng(0)
    ensemble = Ensemble.from_labels(rng.integers(K, size=(N, 2))).canonical()  # contradictory: many ties
    found = printed("mcla", ensemble)
    (graph, weights, parts), H = seen[0], indicators(ensemble)
    shared = H.T @ H
    sizes = H.sum(axis=0)
    np.testing.assert_array_equal(weights, sizes)
    np.testing.assert_allclose(graph, without_diagonal(shared / (sizes + sizes[:, None] - shared)))
    np.testing.assert_array_equal(found.meta_clusters, parts)
    n_strongest = in_competition(found.labels, association(ensemble, H, parts))
    tied = n_strongest > 1
    assert tied.sum() > 5
    again = printed("mcla", ensemble, ties="first").labels
    assert (again != found.labels)[tied].any()
    np.testing.assert_array_equal(again[~tied], found.labels[~tied])


def test_soft_mcla_by_distances(seen):
    ensemble = soft_members()
    found = printed("smcla", ensemble)
    (graph, weights, parts), S = seen[0], ensemble.memberships
    np.testing.assert_allclose(weights, S.sum(axis=0))
    squares = ((S.T[:, None] - S.T) ** 2).sum(axis=2)
    member = np.repeat(np.arange(4), K)
    counts = member[:, None] != member  # all members have the target k
    expected = np.where(counts, np.exp(-squares / np.median(squares[counts])), 0.0)
    np.testing.assert_allclose(graph, expected, atol=1e-9)
    in_competition(found.labels, association(ensemble, S, parts))


def test_itk_is_the_best_of_ten_random_starts():
    ensemble, smoothing = soft_members(), 0.01
    S = (1 - smoothing) * ensemble.memberships / 4 + smoothing / (4 * K)

    def cost_of(labels):
        means = np.array([S[labels == c].mean(axis=0) for c in range(K)])
        return (S[:, None] * np.log(S[:, None] / means)).sum(axis=2)

    def total(labels):
        return cost_of(labels)[np.arange(N), labels].sum()

    starts = [(seed, random_start(ensemble, "random", seed)) for seed in range(12)]
    whole = [(seed, start) for seed, start in starts if len(set(start)) == K]  # others are repaired first
    assert len(whole) > 3
    for seed, start in whole:
        found = printed("itk", ensemble, seed=seed, n_init=1)
        np.testing.assert_array_equal(found.labels, lloyd(start, cost_of))
    best = printed("itk", ensemble)
    tasks = [random_start(ensemble, "random", 0, task) for task in range(10)]
    costs = [total(lloyd(start, cost_of)) for start in tasks if len(set(start)) == K]
    assert best.objective == pytest.approx(total(best.labels))
    assert best.objective <= min(costs) + 1e-9


def test_random_points_are_distinct_and_named_by_seed_and_task():
    ensemble = Ensemble.from_labels([np.repeat([0, 1, 2], 30)])
    for task in range(5):
        chosen = random_points(ensemble, 3, 0, task)
        assert set(ensemble.labels[chosen, 0]) == {0, 1, 2}
    firsts = {int(random_points(ensemble, 3, 0, task)[0]) for task in range(5)}
    assert len(firsts) > 1


def test_points_stay_apart_where_parts_are_balanced(seen):
    labels = np.repeat([[0, 0], [1, 1]], [50, 10], axis=0)
    combine(labels, 2, "cspa", random_state=0)
    assert len(seen[-1][0]) == 60
    combine(labels, 2, "hbgf", random_state=0, merge=True)
    assert len(seen) == 1 or len(seen[-1][0]) < 60
    even = combine(labels, 2, "hbgf", random_state=0, merge=False, refine_cut=False)
    assert np.bincount(even).max() <= 35  # METIS tears equal points apart for the sake of balance


def test_clusters_may_vanish_where_allowed():
    halves = np.arange(40) % 2
    start = np.resize(np.arange(5), 40)
    odd = np.r_[1, 2, 3, [0] * 37]  # five distinct rows, as combine asks for
    members_of_five = [halves, halves, halves, odd]
    options = {"start": start, "random_state": 0}
    assert len(np.unique(combine(members_of_five, 5, "sa-ri", **options))) == 5
    free = combine(members_of_five, 5, "sa-ri", allow_empty=True, **options)
    assert sorted(set(free)) == list(range(len(set(free))))
    assert len(set(free)) < 5


@pytest.mark.parametrize(
    ("method", "options", "error", "message"),
    [
        ("kmodes", {"init": "none"}, ValueError, "init='none' should be one of 'spread'"),
        ("mixmns", {"init": "spread"}, ValueError, "init='spread' should be one of 'hard', 'random'"),
        ("mixmns", {"init": "random", "n_init": 0}, ValueError, "n_init=0 should be >= 1"),
        ("mcla", {"ties": "last"}, ValueError, "ties='last' should be one of"),
        ("mcla", {"balance": "none"}, ValueError, "balance='none' should be one of 'count', 'size'"),
        ("smcla", {"balance": "size"}, ValueError, "balance='size' needs refine_cut=False"),
        ("cspa", {"metis": "old"}, ValueError, "metis='old' should be one of 'best', 'published'"),
        ("scspa", {"alike": 2}, ValueError, "alike=2 should be a number from 0 to 1"),
        ("hbgf", {"thin": True}, TypeError, "hbgf has no option 'thin'"),
    ],
)
def test_bad_options(method, options, error, message):
    with pytest.raises(error, match=message):
        combine(members(), K, method, random_state=0, **options)
