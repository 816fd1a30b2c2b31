"""A whole course against a plain transcription of the algorithm; stop rules, votes, new points, extremes."""

import pickle

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from intarsia import BaggingClustering, BoostClustering, _core
from intarsia.boosting.stopping import ABOVE_HALF, ALL_ROUNDS, NO_LONGER_GROWS, ONE_CLUSTER
from intarsia.metrics import adjusted_rand_index

EXACT = {"rtol": 1e-12, "atol": 1e-12}
BOOSTING = 30  # the stage of the draws


def blobs(n=300, k=4, d=2, spread=1.0, seed=0):
    rng = np.random.default_rng(seed)
    centers = rng.uniform(0, 12, (k, d))
    labels = rng.integers(k, size=n)
    return centers[labels] + rng.normal(scale=spread, size=(n, d)), labels


def memberships(X, centers):
    d = np.sqrt(((X[:, None, :] - centers[None]) ** 2).sum(axis=2))
    with np.errstate(divide="ignore", invalid="ignore"):
        h = 1 / (d[:, :, None] / d[:, None, :]).sum(axis=2)
    on = d == 0
    h[on.any(axis=1)] = on[on.any(axis=1)]
    return h


def quality_of(h, kind, log_base):
    if kind == "minmax":
        return 1 - h.max(axis=1) + h.min(axis=1)
    logs = np.zeros_like(h)
    np.log(h, where=h > 0, out=logs)
    return -(h * logs).sum(axis=1) / np.log(log_base or h.shape[1])


def drawn(weights, seed, number, attempt):
    n = len(weights)
    words = [_core.philox4x64([BOOSTING, number, attempt, block], [seed, 0]) for block in range(n // 4 + 1)]
    uniform = (np.array(words, dtype=np.uint64).reshape(-1)[:n] >> np.uint64(11)) * 2.0**-53
    sums = np.cumsum(weights)
    return np.bincount(np.searchsorted(sums, uniform * sums[-1], side="right"), minlength=n)


def transcribed(X, model, seed, *, quality="minmax", log_base=None, boosted=True, equal_votes=False):
    """Follow the algorithm as it is printed; what the base clusterer found is taken from the model."""
    n, C = len(X), model.n_clusters
    w = np.full(n, 1 / n)
    H = np.zeros((n, C))
    total = 0.0
    for t, record in enumerate(model.rounds_, start=1):
        np.testing.assert_allclose(model.weights_history_[t - 1], w, **EXACT)
        np.testing.assert_array_equal(
            model.draws_history_[t - 1], drawn(model.weights_history_[t - 1], seed, t, len(record.failures))
        )
        h = memberships(X, record.centers)
        order = np.arange(C)
        if t > 1:
            shared = np.array(
                [[np.sum((h.argmax(1) == a) & (H.argmax(1) == b)) for b in range(C)] for a in order]
            )
            order = linear_sum_assignment(-shared)[1]
        np.testing.assert_array_equal(record.names, order)
        cq = quality_of(h, quality, log_base)
        epsilon = 0.5 * np.sum(w * cq)
        assert record.epsilon == pytest.approx(epsilon, rel=1e-12)
        beta = (1 - epsilon) / epsilon
        assert record.beta == pytest.approx(beta, rel=1e-11)
        if boosted:
            w = w * beta**cq
            w /= w.sum()
        vote = 1.0 if equal_votes else np.log(beta)
        total += vote
        H[:, order] += vote * h
    return H / total


# with a small base of the logarithm 20 clusters would stop in round 1
CASES = [(C, quality, None) for C in (2, 4, 20) for quality in ("minmax", "entropy")] + [(2, "entropy", np.e)]


@pytest.mark.parametrize(("n_clusters", "quality", "log_base"), CASES)
@pytest.mark.parametrize("base", ["kmeans", "fcm"])
def test_boosting_is_the_printed_algorithm(n_clusters, quality, log_base, base):
    X, _ = blobs()
    X[3] = X[4] = X[5]
    model = BoostClustering(
        n_clusters, base=base, quality=quality, log_base=log_base, keep_weights=True, random_state=7
    ).fit(X)
    assert all(record.used for record in model.rounds_)
    H = transcribed(X, model, 7, quality=quality, log_base=log_base)
    np.testing.assert_allclose(model.predict_proba(X), H, **EXACT)
    np.testing.assert_array_equal(model.labels_, H.argmax(axis=1))
    np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("votes", ["beta", "equal"])
def test_bagging_keeps_equal_weights(votes):
    X, _ = blobs()
    model = BaggingClustering(3, n_rounds=6, votes=votes, keep_weights=True, random_state=5).fit(X)
    H = transcribed(X, model, 5, boosted=False, equal_votes=votes == "equal")
    np.testing.assert_allclose(model.predict_proba(X), H, **EXACT)
    np.testing.assert_array_equal(model.labels_, H.argmax(axis=1))
    assert model.n_rounds_ == len(model.rounds_) == 6
    assert model.stop_reason_ == ALL_ROUNDS


def test_a_point_on_a_centre():
    X = np.repeat([[0.0, 0.0], [5.0, 0.0], [9.0, 3.0]], 10, axis=0)
    X = np.vstack([X, [[2.0, 2.0]]])
    model = BoostClustering(3, keep_weights=True, random_state=0, max_rounds=4, stop=False).fit(X)
    H = transcribed(X, model, 0)
    np.testing.assert_allclose(model.predict_proba(X), H, rtol=1e-9, atol=1e-9)


def test_points_all_on_centres_have_no_loss():
    X = np.repeat([[0.0, 0.0], [5.0, 0.0], [9.0, 3.0]], 10, axis=0)
    model = BoostClustering(3, random_state=0, keep_weights=True).fit(X)
    assert model.rounds_[0].epsilon == pytest.approx(0, abs=1e-100)
    assert model.rounds_[0].beta == pytest.approx(1e10)
    assert np.isfinite(model.weights_history_).all()
    assert adjusted_rand_index(model.labels_, np.repeat([0, 1, 2], 10)) == 1


def test_one_cluster():
    X, _ = blobs(20)
    model = BoostClustering(1, keep_weights=True).fit(X)
    assert model.stop_reason_ == ONE_CLUSTER
    assert (model.labels_ == 0).all()
    assert (model.predict(X[:3]) == 0).all()
    np.testing.assert_array_equal(model.predict_proba(X[:3]), np.ones((3, 1)))
    assert model.rounds_ == ()
    assert model.ensemble_.n_members == 1


def test_as_many_clusters_as_points():
    X = np.arange(6.0)[:, None] ** 2
    model = BoostClustering(6, random_state=0, max_rounds=3).fit(X)
    assert len(np.unique(model.labels_)) == 6


def test_a_first_round_above_one_half_is_the_answer():
    X, _ = blobs(k=8, spread=3.0)
    model = BoostClustering(8, quality="entropy", log_base=np.e, random_state=0)
    with pytest.warns(
        UserWarning, match=r"the pseudoloss of round 1 is 0\.\d+, above one half: the answer is"
    ):
        model.fit(X)
    assert model.stop_reason_ == ABOVE_HALF
    assert model.n_rounds_ == len(model.rounds_) == 1
    first = memberships(X, model.rounds_[0].centers).argmax(axis=1)
    np.testing.assert_array_equal(model.labels_, first)
    np.testing.assert_array_equal(model.predict(X), first)


@pytest.mark.parametrize("make", [BoostClustering, BaggingClustering])
def test_no_round_below_one_half(make):
    X, _ = blobs(k=8, spread=3.0)
    rounds = {"max_rounds": 4, "stop": False} if make is BoostClustering else {"n_rounds": 4}
    model = make(8, quality=lambda h: np.full(len(h), 1.5), random_state=0, keep_weights=True, **rounds)
    with pytest.warns(UserWarning, match="above one half"):
        model.fit(X)
    assert [record.used for record in model.rounds_] == [True, False, False, False]
    assert (model.weights_history_ == 1 / 300).all()
    np.testing.assert_array_equal(model.labels_, memberships(X, model.rounds_[0].centers).argmax(axis=1))


def test_a_later_round_above_one_half_ends_it_unused():
    X, _ = blobs()
    levels = iter([0.6, 0.7, 1.1])
    model = BoostClustering(3, quality=lambda h: np.full(len(h), next(levels)), random_state=0).fit(X)
    assert model.stop_reason_ == ABOVE_HALF
    assert [record.used for record in model.rounds_] == [True, True, False]
    assert model.n_rounds_ == model.ensemble_.n_members == 2
    assert model.rounds_[2].vote == 0


def test_the_round_that_ends_growth_is_used():
    X, _ = blobs()
    levels = iter([0.6, 0.8, 0.7, 0.8, 0.7, 0.7, 0.7, 0.9])
    model = BoostClustering(3, quality=lambda h: np.full(len(h), next(levels)), random_state=0).fit(X)
    assert model.stop_reason_ == NO_LONGER_GROWS
    assert model.n_rounds_ == len(model.rounds_) == 7
    model = BoostClustering(3, random_state=0, stop=False, max_rounds=15).fit(X)
    assert len(model.rounds_) == 15
    assert model.stop_reason_ == ALL_ROUNDS


def test_a_pseudoloss_of_one_half_still_votes():
    X, _ = blobs()
    model = BoostClustering(3, quality=lambda h: np.ones(len(h)), random_state=0, max_rounds=2).fit(X)
    assert [record.used for record in model.rounds_] == [True, True]
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, **EXACT)
    np.testing.assert_allclose(model.ensemble_.member_weights, 1, **EXACT)


def test_rounds_tell_what_happened():
    X, _ = blobs()
    model = BoostClustering(4, random_state=0, keep_weights=True).fit(X)
    for record, w, draws in zip(model.rounds_, model.weights_history_, model.draws_history_, strict=True):
        assert draws.sum() == len(X)
        assert record.n_drawn == np.count_nonzero(draws)
        assert (record.least_weight, record.largest_weight) == (w.min(), w.max())
        assert record.effective_points == pytest.approx(1 / np.sum(w**2))
        assert record.sizes.sum() == len(X)
        assert record.vote == pytest.approx(np.log(record.beta))
    scaled = np.array([record.vote for record in model.rounds_])
    np.testing.assert_allclose(model.ensemble_.member_weights, scaled / scaled.mean(), **EXACT)
    for column, record in zip(model.ensemble_.labels.T, model.rounds_, strict=True):
        assert adjusted_rand_index(column, memberships(X, record.centers).argmax(axis=1)) == 1


def test_a_fit_is_a_function_of_its_seed():
    X, _ = blobs()
    a, b = (BoostClustering(4, random_state=3).fit(X) for _ in range(2))
    other = BoostClustering(4, random_state=4).fit(X)
    assert [r.epsilon for r in a.rounds_] == [r.epsilon for r in b.rounds_]
    assert [r.epsilon for r in a.rounds_] != [r.epsilon for r in other.rounds_]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_new_points_one_by_one_and_all_at_once(dtype):
    X, _ = blobs(400)
    X = X.astype(dtype)
    model = BoostClustering(4, random_state=0).fit(X[:300])
    at_once = model.predict(X[300:])
    np.testing.assert_array_equal(at_once, [model.predict(row[None])[0] for row in X[300:]])
    np.testing.assert_array_equal(at_once, model.predict_proba(X[300:]).argmax(axis=1))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(at_once, again.predict(X[300:]))


def test_easy_clusters_are_found():
    X, labels = blobs(2000, k=3, spread=0.3, seed=4)
    for base in ("kmeans", "fcm", "hk-means"):
        model = BoostClustering(3, base=base, random_state=1, max_rounds=20, stop=False).fit(X)
        assert adjusted_rand_index(model.labels_, labels) > 0.9
