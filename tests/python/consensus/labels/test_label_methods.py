"""k-modes, QMI, ITK and the multinomial mixture against brute force and plain NumPy."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp, rel_entr
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from intarsia import Ensemble, _core, combine, combine_full

pytestmark = pytest.mark.kernels

METHODS = ["kmodes", "qmi", "itk", "mixmns"]


def planted(sizes, seed=0, r=20, noise=0.1, missing=0.02):
    rng = np.random.default_rng(seed)
    k = len(sizes)
    truth = rng.permutation(np.repeat(np.arange(k), sizes))
    members = []
    for _ in range(r):
        labels = rng.permutation(k)[truth]
        noisy = rng.random(len(truth)) < noise
        labels[noisy] = rng.integers(k, size=noisy.sum())
        labels[rng.random(len(truth)) < missing] = -1
        members.append(labels)
    return truth, members


def random_rows(n=30, n_classes=(3, 4, 2), seed=0, missing=0.1):
    rng = np.random.default_rng(seed)
    labels = np.column_stack([rng.integers(c, size=n) for c in n_classes]).astype(np.int32)
    labels[rng.random(labels.shape) < missing] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    member_weights = rng.uniform(0.5, 2, len(n_classes))
    point_weights = rng.integers(1, 4, n).astype(float)
    return labels, np.array(n_classes), member_weights, point_weights


def kernel(labels, n_classes, member_weights, point_weights, memberships=None):
    return _core.LabelEnsemble(labels, n_classes, memberships, member_weights, point_weights)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sizes", [(120,) * 5, (400, 150, 80, 40, 20), (60,) * 9])
@pytest.mark.parametrize("seed", [0, 1])
def test_planted_partitions_are_recovered(method, sizes, seed):
    truth, members = planted(sizes, seed)
    labels = combine(members, len(sizes), method, random_state=seed)
    assert adjusted_rand_score(truth, labels) >= 0.99
    assert len(np.unique(labels)) == len(sizes)


@pytest.mark.parametrize("method", METHODS)
def test_names_order_and_repeated_points_do_not_matter(method):
    _, members = planted((50, 30, 20), seed=3, r=7, noise=0.4)
    rng = np.random.default_rng(0)
    renamed = [np.where(m < 0, -1, rng.permutation(3)[m]) for m in members]
    shuffled = [renamed[j] for j in rng.permutation(7)]
    first = combine(members, 3, method, random_state=0)
    np.testing.assert_array_equal(first, combine(shuffled, 3, method, random_state=0))
    twice = combine([np.repeat(m, 2) for m in members], 3, method, random_state=0)
    np.testing.assert_array_equal(np.repeat(first, 2), twice)


@pytest.mark.parametrize("method", METHODS)
def test_members_of_different_k_and_a_heavy_member(method):
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=200)
    fine = truth * 2 + rng.integers(2, size=200)
    noise = [rng.integers(c, size=200) for c in (2, 3, 4, 5)]
    ensemble = Ensemble.from_labels([fine, truth, *noise], member_weights=[50, 50, 1, 1, 1, 1])
    assert adjusted_rand_score(truth, combine(ensemble, 3, method, random_state=0)) == 1


@pytest.mark.parametrize("method", METHODS)
def test_options_are_checked(method):
    _, members = planted((10, 10), r=3)
    with pytest.raises(TypeError, match=f"{method} has no option 'speed'"):
        combine(members, 2, method, speed=3)
    with pytest.raises(ValueError, match="n_init=0 should be >= 1"):
        combine(members, 2, method, n_init=0)


def mode_cost(labels, part, member_weights, point_weights, k):
    cost = 0.0
    for c, j in product(range(k), range(labels.shape[1])):
        inside = (part == c) & (labels[:, j] >= 0)
        counts = np.bincount(labels[inside, j], weights=point_weights[inside], minlength=1)
        cost += member_weights[j] * (counts.sum() - counts.max())
    return cost


def test_kmodes_reaches_the_optimum_of_few_rows():
    for seed in range(5):
        labels, n_classes, mw, pw = random_rows(n=8, seed=seed)
        rows = kernel(labels, n_classes, mw, pw)
        found = rows.improve_kmodes(rows.seeded(2, seed, 0, 1), 2, 100, 20, seed, 1)
        costs = [mode_cost(labels, np.array(p), mw, pw, 2) for p in product((0, 1), repeat=8)]
        assert found[1] == pytest.approx(mode_cost(labels, found[0], mw, pw, 2))
        assert found[1] == pytest.approx(min(costs))


def test_kmodes_never_gets_worse_and_costs_what_it_says():
    labels, n_classes, mw, pw = random_rows(n=400, n_classes=(4, 5, 3, 6, 2))
    rows = kernel(labels, n_classes, mw, pw)
    plain = rows.kmodes(rows.seeded(5, 0, 0, 1), 5, 100, 1)
    better = rows.improve_kmodes(plain[0], 5, 100, 5, 0, 1)
    assert np.all(np.diff(plain[4]) <= 1e-9)
    assert plain[1] == pytest.approx(mode_cost(labels, plain[0], mw, pw, 5))
    assert better[1] == pytest.approx(mode_cost(labels, better[0], mw, pw, 5))
    assert better[1] <= plain[1]
    assert set(better[0]) == set(range(5))


def test_rows_go_to_the_modes_they_share_most_with():
    labels, n_classes, mw, pw = random_rows(n=300, n_classes=(4, 5, 3))
    modes = np.random.default_rng(1).integers(n_classes, size=(4, 3)).astype(np.int32)
    rows = kernel(labels, n_classes, mw, pw)
    shared = (labels[:, None] == modes) @ mw
    agreed = shared[np.arange(300), rows.nearest(modes, 2)]
    np.testing.assert_allclose(agreed, shared.max(axis=1))


def test_kmodes_reaches_the_cost_of_the_kmodes_package_from_its_start():
    package = pytest.importorskip("kmodes.kmodes", reason="kmodes is not installed")
    rng = np.random.default_rng(7)
    modes = rng.integers(6, size=(5, 8))
    labels = modes[rng.integers(5, size=1500)]
    noisy = rng.random(labels.shape) < 0.3
    labels[noisy] = rng.integers(6, size=noisy.sum())
    labels = np.ascontiguousarray(labels, dtype=np.int32)
    start = np.ascontiguousarray(np.unique(labels, axis=0)[::200][:5])
    theirs = package.KModes(5, init=start, n_init=1).fit(labels)
    rows = kernel(labels, np.full(8, 6), np.ones(8), np.ones(1500))
    assert rows.improve_kmodes(rows.nearest(start, 1), 5, 100, 20, 0, 1)[1] <= theirs.cost_


def centred_indicators(labels, n_classes, member_weights, point_weights):
    blocks = []
    for j, c in enumerate(n_classes):
        known = labels[:, j] >= 0
        block = np.eye(c)[labels[:, j]]
        mean = np.average(block[known], axis=0, weights=point_weights[known])
        blocks.append(np.sqrt(member_weights[j]) * np.where(known[:, None], block - mean, 0.0))
    return np.hstack(blocks)


def test_qmi_is_k_means_on_centred_indicators():
    labels, n_classes, mw, pw = random_rows(n=300, n_classes=(4, 5, 3))
    rows = kernel(labels, n_classes, mw, pw)
    start = rows.seeded(4, 2, 0, 1)
    part, cost, _, converged, history = rows.qmi(start, 4, 300, 1)
    Z = centred_indicators(labels, n_classes, mw, pw)
    centres = np.stack([np.average(Z[start == c], axis=0, weights=pw[start == c]) for c in range(4)])
    theirs = KMeans(4, init=centres, n_init=1, tol=0, max_iter=300).fit(Z, sample_weight=pw)
    assert converged
    assert cost == pytest.approx(theirs.inertia_, rel=1e-10)
    assert adjusted_rand_score(theirs.labels_, part) == pytest.approx(1)
    assert np.all(np.diff(history) <= 1e-9)


def smoothed(S, n_classes, member_weights, smoothing):
    column_weights = np.repeat(member_weights, n_classes)
    P = S * column_weights
    P /= P.sum(axis=1, keepdims=True)
    even = column_weights / np.repeat(n_classes, n_classes) / member_weights.sum()
    return (1 - smoothing) * P + smoothing * even


@pytest.mark.parametrize("soft", [False, True])
def test_itk_costs_the_divergence_from_the_means(soft):
    labels, n_classes, mw, pw = random_rows(n=200, n_classes=(4, 5, 3))
    S = np.hstack([np.eye(c)[labels[:, j]] * (labels[:, [j]] >= 0) for j, c in enumerate(n_classes)])
    if soft:
        rng = np.random.default_rng(5)
        blocks = [rng.dirichlet(np.ones(c), 200) * (labels[:, [j]] >= 0) for j, c in enumerate(n_classes)]
        S = np.hstack(blocks)
    rows = kernel(labels, n_classes, mw, pw, S if soft else None)
    part, cost, _, converged, history = rows.itk(rows.seeded(4, 0, 0, 1), 4, 300, 0.02, 1)
    P = smoothed(S, n_classes, mw, 0.02)
    Q = np.stack([np.average(P[part == c], axis=0, weights=pw[part == c]) for c in range(4)])
    divergence = np.stack([rel_entr(P, q).sum(axis=1) for q in Q], axis=1)
    own = divergence[np.arange(200), part]
    assert converged
    assert cost == pytest.approx((pw * own).sum(), rel=1e-10)
    assert (own <= divergence.min(axis=1) + 1e-12).all()
    assert np.all(np.diff(history) <= 1e-9)


def plain_mixture(labels, n_classes, mw, pw, start, k, n_iter, smoothing):
    shares = np.eye(k)[start]
    for step in range(n_iter + 1):
        weighted = pw[:, None] * shares
        prior = 0.0
        log_p = np.tile(np.log(weighted.sum(axis=0) / pw.sum()), (len(labels), 1))
        for j, c in enumerate(n_classes):
            known = labels[:, j] >= 0
            counts = np.eye(c)[labels[known, j]].T @ weighted[known] + smoothing
            log_theta = mw[j] * np.log(counts / counts.sum(axis=0))
            log_p[known] += log_theta[labels[known, j]]
            prior += smoothing * log_theta.sum()
        shares = np.exp(log_p - logsumexp(log_p, axis=1, keepdims=True))
        if step == n_iter - 1:
            likelihood = float(pw @ logsumexp(log_p, axis=1)) + prior
    return shares, likelihood


def test_mixture_is_plain_em():
    labels, n_classes, mw, pw = random_rows(n=300, n_classes=(4, 5, 3))
    rows = kernel(labels, n_classes, mw, pw)
    start = rows.seeded(3, 1, 0, 1)
    shares, history, n_iter, converged = rows.mixture(start, 3, 6, 0.5, 0.0, 1)
    expected, likelihood = plain_mixture(labels, n_classes, mw, pw, start, 3, 6, 0.5)
    assert (n_iter, converged) == (6, False)
    np.testing.assert_allclose(shares, expected, rtol=1e-8, atol=1e-12)
    assert history[-1] == pytest.approx(likelihood, rel=1e-11)
    assert np.all(np.diff(history) > 0)


def test_mixmns_gives_memberships():
    truth, members = planted((80, 60, 40), noise=0.3, r=10)
    found = combine_full(members, 3, "mixmns", random_state=0)
    assert found.memberships.shape == (len(truth), 3)
    np.testing.assert_allclose(found.memberships.sum(axis=1), 1)
    np.testing.assert_array_equal(found.memberships.argmax(axis=1), found.labels)


@pytest.mark.parametrize("method", METHODS)
def test_soft_ensembles(method):
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=150)
    members = []
    for _ in range(8):
        shares = 0.4 * np.eye(3)[rng.permutation(3)[truth]] + 0.6 * rng.dirichlet(np.ones(3), 150)
        shares[rng.random(150) < 0.05] = 0
        members.append(shares)
    members[0][(sum(members).sum(axis=1) == 0)] = 1 / 3
    labels = combine(Ensemble.from_memberships(members), 3, method, random_state=0)
    assert adjusted_rand_score(truth, labels) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_as_many_clusters_as_distinct_rows_less_one(method):
    members = [[0, 0, 1, 1, 2, 2], [0, 1, 1, 0, -1, 1]]
    for k in (1, 2, 3, 4, 5, 6):
        assert len(np.unique(combine(members, k, method, random_state=0))) == k


def test_bad_rows_are_refused():
    labels, n_classes, mw, pw = random_rows()
    with pytest.raises(ValueError, match="labels of member 0 should be in"):
        kernel(labels, np.array([1, 4, 2]), mw, pw)
    with pytest.raises(ValueError, match="one entry a member"):
        kernel(labels, n_classes, mw[:2], pw)
    with pytest.raises(ValueError, match=r"label 7 should be in \[0, 3\)"):
        kernel(labels, n_classes, mw, pw).itk(np.full(30, 7, np.int32), 3, 10, 0.01, 1)
