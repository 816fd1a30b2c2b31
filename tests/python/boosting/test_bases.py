"""Any base clusterer: with centres or without, with weights or without, soft or hard, failing or not."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.neighbors import NearestNeighbors

from intarsia import BaggingClustering, BoostClustering, GaussianMixture, KMeans, _core
from intarsia.base.registry import BASES
from intarsia.boosting.round_fit import MAX_ATTEMPTS
from intarsia.boosting.stopping import BASE_FAILED
from intarsia.metrics import adjusted_rand_index

X = np.random.default_rng(0).normal(size=(240, 2)) + np.repeat([[0, 0], [8, 0], [0, 8]], 80, axis=0)
TRUTH = np.repeat([0, 1, 2], 80)


@pytest.mark.parametrize(
    "base",
    [
        *BASES,
        KMeans(),
        GaussianMixture(),
        SklearnKMeans(n_init=1),
        AgglomerativeClustering(linkage="single"),
    ],
    ids=str,
)
def test_every_base(base):
    model = BoostClustering(3, base=base, random_state=0, max_rounds=8).fit(X)
    assert set(model.labels_) <= {0, 1, 2}
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.predict_proba(X).argmax(axis=1), model.labels_)
    assert adjusted_rand_index(BaggingClustering(3, base=base, random_state=0).fit_predict(X), TRUTH) > 0.5


class Recording(ClusterMixin, BaseEstimator):
    """K-means that remembers what it was given."""

    seen: list = []  # noqa: RUF012

    def __init__(self, n_clusters=3, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        self.seen.append(
            (X.copy(), None if sample_weight is None else sample_weight.copy(), self.random_state)
        )
        self.cluster_centers_ = X[: self.n_clusters].copy()
        self.labels_ = np.zeros(len(X), dtype=int)
        self.labels_[: self.n_clusters] = np.arange(self.n_clusters)
        return self

    def fit_predict(self, X, y=None, sample_weight=None):
        return self.fit(X, sample_weight=sample_weight).labels_


class Weightless(Recording):
    def fit_predict(self, X, y=None):
        return self.fit(X).labels_


def test_a_replicate_as_weights():
    Recording.seen.clear()
    BoostClustering(3, base=Recording(), random_state=9, max_rounds=1).fit(X)
    counts = _core.draw_replicate(np.full(240, 1 / 240), 240, 9, 1, 0)
    ((points, weights, _),) = Recording.seen
    np.testing.assert_array_equal(points, X[counts > 0])
    np.testing.assert_array_equal(weights, counts[counts > 0])


def test_a_replicate_as_copied_rows_where_weights_are_not_taken():
    Recording.seen.clear()
    BoostClustering(3, base=Weightless(), random_state=9, max_rounds=1).fit(X)
    counts = _core.draw_replicate(np.full(240, 1 / 240), 240, 9, 1, 0).astype(int)
    ((points, weights, _),) = Recording.seen
    assert weights is None
    np.testing.assert_array_equal(points, np.repeat(X, counts, axis=0))


def test_every_round_has_a_seed_of_its_own():
    Recording.seen.clear()
    BoostClustering(3, base=Recording(), random_state=0, max_rounds=5, stop=False).fit(X)
    assert len({state for _, _, state in Recording.seen}) == 5


def test_points_without_centres_follow_their_nearest_neighbour():
    base = AgglomerativeClustering(linkage="single")
    model = BaggingClustering(3, base=base, n_rounds=1, random_state=0, keep_weights=True).fit(X)
    rows = np.repeat(np.arange(240), model.draws_history_[0])
    labels = base.set_params(n_clusters=3).fit_predict(X[rows])
    nearest = NearestNeighbors(n_neighbors=1).fit(X[rows]).kneighbors(X, return_distance=False)[:, 0]
    assert adjusted_rand_index(labels[nearest], model.labels_) == 1
    assert model.rounds_[0].centers is None
    assert model.rounds_[0].epsilon == 0  # hard labels: the index sees nothing wrong


def test_soft_bases_speak_for_themselves():
    model = BaggingClustering(3, base="gmm", n_rounds=1, random_state=0).fit(X)
    h = model.predict_proba(X)
    assert model.rounds_[0].centers is None
    assert (h.max(axis=1) > 0.999).mean() > 0.9  # memberships by distance would be far from hard


def test_fewer_clusters_than_wanted():
    model = BoostClustering(5, base=DBSCAN(eps=1.5), random_state=0, max_rounds=4).fit(X)
    assert adjusted_rand_index(model.labels_, TRUTH) > 0.9
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert all(len(record.sizes) == 5 for record in model.rounds_)


def test_more_clusters_than_wanted():
    with pytest.raises(ValueError, match=r"found \d+ clusters, but the vote is among 2: aggregate='eac'"):
        BoostClustering(2, base=DBSCAN(eps=1.0, min_samples=2), random_state=0).fit(X)


class Failing(Recording):
    """Fails in the calls whose numbers are given."""

    calls = 0

    def __init__(self, n_clusters=3, random_state=None, at=()):
        super().__init__(n_clusters, random_state)
        self.at = at

    def fit(self, X, y=None, sample_weight=None):
        type(self).calls += 1
        if type(self).calls in self.at:
            raise RuntimeError(f"call {type(self).calls} went\nwrong")
        return super().fit(X, sample_weight=sample_weight)


@pytest.fixture
def failing():
    def make(*at):
        Failing.calls = 0
        Recording.seen.clear()
        return Failing(at=at)

    return make


def test_a_base_that_fails_is_tried_again_with_another_stream(failing):
    model = BoostClustering(3, base=failing(2, 3), random_state=0, max_rounds=3, keep_weights=True)
    model.fit(X)
    assert [len(record.failures) for record in model.rounds_] == [0, 2, 0]
    assert model.rounds_[1].failures[0] == "RuntimeError: call 2 went wrong"
    draws = _core.draw_replicate(model.weights_history_[1], 240, 0, 2, 2)
    np.testing.assert_array_equal(model.draws_history_[1], draws)
    states = [state for _, _, state in Recording.seen]
    assert len(set(states)) == 3


def test_a_base_that_always_fails_in_round_1(failing):
    complaint = (
        r"^the base clusterer failed in round 1 with all 5 replicates, .* RuntimeError: call 5 went wrong$"
    )
    with pytest.raises(ValueError, match=complaint):
        BoostClustering(3, base=failing(*range(1, 99)), random_state=0).fit(X)
    with pytest.raises(ValueError, match="failed in round 1"):
        BaggingClustering(3, base=failing(*range(1, 99)), random_state=0, n_threads=1).fit(X)


def test_a_base_that_fails_later_leaves_the_rounds_before(failing):
    model = BoostClustering(3, base=failing(*range(3, 99)), random_state=0)
    with pytest.warns(UserWarning, match="failed in round 3 .*; the rounds before it are the answer"):
        model.fit(X)
    assert model.stop_reason_ == BASE_FAILED
    assert model.n_rounds_ == 2
    assert Failing.calls == 2 + MAX_ATTEMPTS


class Lost(Recording):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, sample_weight=sample_weight)
        self.cluster_centers_ = np.full_like(self.cluster_centers_, np.nan)
        return self


def test_centres_that_are_no_numbers_count_as_failing():
    with pytest.raises(ValueError, match=r"failed in round 1 .* centres that are not finite"):
        BoostClustering(3, base=Lost(), random_state=0).fit(X)


def test_too_few_distinct_points_drawn_are_drawn_again():
    few = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = BoostClustering(4, random_state=0, max_rounds=2).fit(few)
    assert any("distinct points were drawn for 4 clusters" in f for r in model.rounds_ for f in r.failures)
    assert sorted(model.labels_) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"n_clusters": 241}, "n_samples=240 should be >= n_clusters=241"),
        ({"n_clusters": 0}, "n_clusters=0 should be >= 1"),
        ({"quality": "best"}, "quality='best' should be one of 'minmax', 'entropy'"),
        ({"log_base": 2.0}, "log_base=2.0 is for quality='entropy'"),
        ({"log_base": 1.0, "quality": "entropy"}, "log_base=1.0 should be > 1"),
        ({"votes": "some"}, "votes='some' should be one of 'beta', 'equal'"),
        ({"max_rounds": 0}, "max_rounds=0 should be >= 1"),
        ({"base": "none"}, "base='none' should be one of"),
        ({"aggregate": "none"}, "aggregate='none' should be one of .*'eac'"),
        ({"aggregate_params": {"linkage": "single"}}, "aggregate_params is for consensus functions"),
        ({"round_clusters": 9}, "round_clusters is for consensus functions"),
        ({"round_clusters": 999, "aggregate": "eac"}, "n_samples=240 should be >= round_clusters=999"),
        ({"quality": lambda h: h}, r"quality returned shape \(240, 3\); it should be \(240,\)"),
        ({"quality": lambda h: h[:, 0] * np.nan}, "quality returned nan for point 0; it should be finite"),
    ],
)
def test_bad_input(parameters, complaint):
    with pytest.raises(ValueError, match=complaint):
        BoostClustering(**{"n_clusters": 3, "random_state": 0, **parameters}).fit(X)


def test_too_few_different_points():
    with pytest.raises(ValueError, match="number of distinct points=2 should be >= n_clusters=3"):
        BoostClustering(3).fit(np.repeat([[0.0], [1.0]], 10, axis=0))
