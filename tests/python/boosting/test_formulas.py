"""Each formula of the paper against a direct NumPy transcription."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from intarsia import _core
from intarsia.boosting.quality import point_quality
from intarsia.boosting.stopping import (
    ABOVE_HALF,
    LEAST_EPSILON,
    NO_LONGER_GROWS,
    StopRule,
    beta_of,
)
from intarsia.metrics.matching import best_names

pytestmark = pytest.mark.kernels

EXACT = {"rtol": 1e-12, "atol": 1e-12}
BOOSTING = 30  # the stage of the draws


def memberships(X, centers):
    """Equation 6; a point on a centre belongs to it fully."""
    d = np.sqrt(((X[:, None, :] - centers[None]) ** 2).sum(axis=2))
    with np.errstate(divide="ignore", invalid="ignore"):
        h = 1 / (d[:, :, None] / d[:, None, :]).sum(axis=2)
    on = d == 0
    h[on.any(axis=1)] = on[on.any(axis=1)]
    return h


def points_and_centers(n_clusters, seed=0, n=400, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * [1, 10, 0.1][:d]
    return X, X[rng.choice(n, n_clusters, replace=False)] + rng.normal(scale=0.2, size=(n_clusters, d))


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 20])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_memberships(n_clusters, dtype):
    X, centers = points_and_centers(n_clusters)
    X = X.astype(dtype)
    centers[0] = X[5]  # a point on a centre
    X[6] = X[5]
    h = _core.fuzzy_memberships(X, centers, 3.0, 1)
    np.testing.assert_allclose(h, memberships(X.astype(float), centers), **EXACT)
    np.testing.assert_allclose(h.sum(axis=1), 1, **EXACT)
    assert h[5, 0] == h[6, 0] == 1


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 20])
def test_qualities(n_clusters):
    X, centers = points_and_centers(n_clusters)
    X[0] = centers[0]
    h = memberships(X, centers)
    minmax = 1 - h.max(axis=1) + h.min(axis=1)
    np.testing.assert_allclose(point_quality(h, "minmax", None, 1), minmax, **EXACT)
    logs = np.zeros_like(h)
    np.log(h, where=h > 0, out=logs)
    entropy = -(h * logs).sum(axis=1)
    np.testing.assert_allclose(point_quality(h, "entropy", np.e, 1), entropy, **EXACT)
    base_c = entropy / np.log(max(n_clusters, 2))
    np.testing.assert_allclose(point_quality(h, "entropy", None, 1), base_c, **EXACT)
    assert base_c.max() <= 1 + 1e-12


def test_own_quality():
    h = np.full((5, 2), 0.5)
    np.testing.assert_array_equal(point_quality(h, lambda m: m[:, 0], None, 1), [0.5] * 5)


@pytest.mark.parametrize(
    ("returned", "complaint"),
    [
        (
            np.array([0.0, np.nan, 1.0, 1.0]),
            r"quality returned nan for point 1; it should be finite and >= 0",
        ),
        (np.array([0.0, 1.0, -1.0, 1.0]), r"quality returned -1 for point 2"),
        (np.zeros((4, 2)), r"quality returned shape \(4, 2\); it should be \(4,\)"),
        (1.0, r"quality returned shape \(\); it should be \(4,\)"),
        (["a", "b", "c", "d"], "quality returned list that is no array of numbers"),
    ],
)
def test_own_quality_that_cannot_be(returned, complaint):
    with pytest.raises(ValueError, match=complaint):
        point_quality(np.full((4, 2), 0.5), lambda m: returned, None, 1)


def test_pseudoloss_and_weights():
    rng = np.random.default_rng(1)
    w, quality = rng.random(4000), rng.random(4000)
    w /= w.sum()
    epsilon = 0.5 * np.sum(w * quality)
    np.testing.assert_allclose(_core.pseudoloss(w, quality, 1), epsilon, **EXACT)
    beta = (1 - epsilon) / epsilon
    assert beta_of(epsilon) == (pytest.approx(beta, rel=1e-12), pytest.approx(np.log(beta), rel=1e-12))
    expected = w * beta**quality
    found = _core.reweighted(w, quality, np.log(beta), 1)
    np.testing.assert_allclose(found, expected / expected.sum(), rtol=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, LEAST_EPSILON / 2])
def test_beta_is_capped(epsilon):
    beta = beta_of(epsilon)
    assert beta.value == pytest.approx(1 / LEAST_EPSILON)
    w = _core.reweighted(np.full(3, 1 / 3), np.array([0.0, 0.5, 1.0]), beta.log, 1)
    assert np.isfinite(w).all()
    assert w.sum() == pytest.approx(1)


def test_beta_of_a_hopeless_round_is_finite_or_nothing():
    assert beta_of(0.5) == (1, 0)
    assert beta_of(0.75).log < 0
    assert beta_of(1.7).value == 0


@pytest.mark.parametrize("seed", range(5))
def test_draws(seed):
    rng = np.random.default_rng(seed)
    w = rng.random(777) ** 5
    w[::7] = 0
    words = [_core.philox4x64([BOOSTING, 4, 2, block], [seed, 0]) for block in range(195)]
    uniform = (np.array(words, dtype=np.uint64).reshape(-1)[:777] >> np.uint64(11)) * 2.0**-53
    sums = np.cumsum(w)
    drawn = np.searchsorted(sums, uniform * sums[-1], side="right")
    expected = np.bincount(drawn, minlength=777)
    np.testing.assert_array_equal(_core.draw_replicate(w, 777, seed, 4, 2), expected)
    assert expected[::7].sum() == 0


def test_aggregate():
    rng = np.random.default_rng(2)
    h = rng.dirichlet(np.ones(4), size=(3, 500))
    votes, log_beta = np.zeros((500, 4)), np.array([0.3, 1.7, 0.9])
    names = np.array([[0, 1, 2, 3], [2, 0, 3, 1], [1, 1, 0, 3]], dtype=np.int32)
    expected = np.zeros((500, 4))
    for t in range(3):
        _core.add_votes(votes, h[t], names[t], log_beta[t], 1)
        for c in range(4):
            expected[:, names[t, c]] += log_beta[t] / log_beta.sum() * h[t][:, c]
    np.testing.assert_allclose(votes / log_beta.sum(), expected, **EXACT)
    np.testing.assert_array_equal(_core.largest_columns(votes, 1), expected.argmax(axis=1))


def test_matching_is_one_to_one_and_best():
    rng = np.random.default_rng(3)
    for _ in range(20):
        overlap = rng.integers(0, 50, (5, 5)).astype(float)
        names = best_names(overlap)
        assert sorted(names) == list(range(5))
        # where no two rows want the same there is nothing to solve
        np.testing.assert_array_equal(best_names(overlap + 50 * np.eye(5)[::-1]), [4, 3, 2, 1, 0])
        best = overlap[linear_sum_assignment(-overlap)].sum()
        assert overlap[np.arange(5), names].sum() == best


def test_matching_of_more_clusters_than_names():
    overlap = np.array([[9.0, 0], [8, 1], [0, 7]])
    np.testing.assert_array_equal(best_names(overlap), [0, 0, 1])


def printed_rule(epsilons):
    """The paper's stopping criteria as they stand there: the round that ends it, and which one does."""
    largest, count = 0.0, 0
    for t, epsilon in enumerate(epsilons, start=1):
        if epsilon > 0.5:
            return t, ABOVE_HALF
        if epsilon < largest:
            count = count + 1
            if count == 3:
                return t, NO_LONGER_GROWS
        else:
            count = 0
            largest = epsilon
    return None, None


def test_stop_rules():
    seen = set()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        epsilons = np.round(rng.uniform(0.3, rng.uniform(0.45, 0.51), 12), 2)  # rounded: equal values occur
        rule, ended = StopRule(), (None, None)
        for t, epsilon in enumerate(epsilons, start=1):
            reason = rule.reason(epsilon)
            if reason is not None:
                ended = (t, reason)
                break
        assert ended == printed_rule(epsilons)
        seen.add(ended[1])
    assert seen == {ABOVE_HALF, NO_LONGER_GROWS, None}
