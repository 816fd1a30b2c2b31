"""`MultiobjectiveClustering`: what it chooses, what it says of it, and what it refuses."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from intarsia import MultiobjectiveClustering, load_demo

THREE = load_demo("spirals-and-blob")
ALGORITHMS = {
    "kmeans": {"n_clusters": range(2, 5)},
    "single-link": {"n_clusters": [5, 15]},
    "spectral": {"n_clusters": [3], "sigma": [0.3]},
}
QUICK = {"algorithms": ALGORITHMS, "n_resamples": 5, "min_size": 5, "n_init": 2, "random_state": 0}


@pytest.fixture(scope="module")
def fitted():
    return MultiobjectiveClustering(3, n_threads=1, **QUICK).fit(THREE.X)


def test_clusters_that_no_algorithm_finds_alone(fitted):
    assert adjusted_rand_score(fitted.labels_, THREE.labels) == 1
    assert all(adjusted_rand_score(labels, THREE.labels) < 1 for _, labels in fitted.partitions())
    assert len({cluster.algorithm for cluster in fitted.clusters_}) == 2
    assert fitted.objective_ == pytest.approx(-3)
    assert fitted.proven_
    assert fitted.lower_bound_ == pytest.approx(-3, abs=1e-5)


def test_what_is_said_of_the_clusters(fitted):
    for number, cluster in enumerate(fitted.clusters_):
        np.testing.assert_array_equal(cluster.members, np.flatnonzero(fitted.labels_ == number))
        assert cluster.size == 64
        assert cluster.parameters["n_clusters"] in (2, 3, 4, 5, 15)
        assert 0.9 < cluster.goodness <= 1
    assert len(fitted.unassigned_) == len(fitted.conflicting_) == 0
    assert fitted.n_clusters_ == 3
    assert fitted.n_failures_ == 0


def test_a_free_number_of_clusters_and_choosing_again():
    model = MultiobjectiveClustering(n_threads=1, first_guess=3, **QUICK).fit(THREE.X)
    assert adjusted_rand_score(model.labels_, THREE.labels) == 1
    model.choose_again(2)
    assert model.n_clusters_ == 2
    again = MultiobjectiveClustering(2, n_threads=1, **QUICK).fit(THREE.X)
    np.testing.assert_array_equal(model.labels_, again.labels_)
    assert model.objective_ == again.objective_


def test_new_points(fitted):
    np.testing.assert_array_equal(fitted.predict(THREE.X), fitted.labels_)
    other = load_demo("spirals-and-blob", random_state=1)
    known = pickle.loads(pickle.dumps(fitted)).predict(other.X)
    np.testing.assert_array_equal(known, fitted.predict(other.X))
    assert adjusted_rand_score(known[known >= 0], other.labels[known >= 0]) > 0.95
    assert (known >= 0).mean() > 0.9


def overlapping():
    """Two clusters, a few points between them."""
    X, _ = make_blobs([60, 60], centers=[[0, 0], [6, 0]], random_state=0)
    return np.concatenate([X, [[3.0, 9.0], [3.1, 9.0]]])


def test_points_of_no_cluster_and_of_several():
    X = overlapping()
    # DBSCAN finds both and leaves two points out
    model = MultiobjectiveClustering(2, algorithms=[(DBSCAN(eps=1.5), {"min_samples": [5]})], n_resamples=4)
    model.set_params(random_state=0, n_threads=1).fit(X)
    assert {60 + 60, 60 + 61} <= set(model.unassigned_.tolist())
    assert (model.labels_[model.unassigned_] == -1).all()
    full = model.set_params(assign=True).fit(X)
    assert full.labels_.min() == 0
    means = [X[cluster.members].mean(axis=0) for cluster in full.clusters_]
    nearest = ((X[full.unassigned_, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(full.labels_[full.unassigned_], nearest)
    nested = MultiobjectiveClustering(3, overlap_cost=0.0, **QUICK).fit(THREE.X)
    for point in nested.conflicting_:
        own = [c for c, cluster in enumerate(nested.clusters_) if point in cluster.members]
        best = max(own, key=lambda c: (nested.clusters_[c].goodness, -c))
        assert nested.labels_[point] == best


class AlwaysFails(DBSCAN):
    def fit_predict(self, X, y=None, sample_weight=None):
        raise RuntimeError("no")


class FailsOnResamples(DBSCAN):
    def fit_predict(self, X, y=None, sample_weight=None):
        if len(X) < 192:
            raise RuntimeError("no")
        return super().fit_predict(X)


def test_failing_algorithms_are_left_out_with_a_warning():
    algorithms = [*ALGORITHMS.items(), (AlwaysFails(), {})]
    model = MultiobjectiveClustering(3, **{**QUICK, "algorithms": algorithms}, n_threads=1)
    with pytest.warns(
        UserWarning, match=r"AlwaysFails \(.*\) always failed and is left out: RuntimeError: no"
    ):
        model.fit(THREE.X)
    assert adjusted_rand_score(model.labels_, THREE.labels) == 1
    model.set_params(algorithms=[*ALGORITHMS.items(), (FailsOnResamples(), {})])
    with pytest.warns(UserWarning, match="failed on every resample and is left out"):
        model.fit(THREE.X)
    assert model.n_failures_ == 5 * 5
    model.set_params(algorithms=[(AlwaysFails(), {})])
    with (
        pytest.warns(UserWarning, match="left out"),
        pytest.raises(ValueError, match="every algorithm failed, the first with"),
    ):
        model.fit(THREE.X)


class NothingButNoise(DBSCAN):
    """Leaves out every point, of resamples or always."""

    def __init__(self, always=True):
        super().__init__()
        self.always = always

    def fit_predict(self, X, y=None, sample_weight=None):
        return np.full(len(X), -1 if self.always or len(X) < 192 else 0)


def test_an_algorithm_that_finds_nothing_takes_no_part():
    algorithms = [*ALGORITHMS.items(), (NothingButNoise(), {})]
    model = MultiobjectiveClustering(3, **{**QUICK, "algorithms": algorithms}, n_threads=1).fit(THREE.X)
    assert adjusted_rand_score(model.labels_, THREE.labels) == 1
    assert model.n_failures_ == 0
    model.set_params(algorithms=[(NothingButNoise(), {})])
    with pytest.raises(ValueError, match="no cluster found has at least 5 points: give more algorithms"):
        model.fit(THREE.X)


def test_a_cluster_that_no_resample_has_is_worth_nothing():
    algorithms = [(NothingButNoise(always=False), {})]
    model = MultiobjectiveClustering(1, **{**QUICK, "algorithms": algorithms}).fit(THREE.X)
    assert model.clusters_[0].goodness == 0  # and finding nothing is no failure
    assert model.n_failures_ == 0


def test_no_algorithm_that_works_on_resamples():
    model = MultiobjectiveClustering(3, **{**QUICK, "algorithms": [(FailsOnResamples(), {})]})
    with (
        pytest.warns(UserWarning, match="failed on every resample and is left out"),
        pytest.raises(ValueError, match="every algorithm failed on every resample: give others"),
    ):
        model.fit(THREE.X)


def test_numbers_of_clusters_beyond_the_points_fail_alone():
    algorithms = {"single-link": {"n_clusters": [5, 15, 180, 500]}, "kmeans": {"n_clusters": [3]}}
    model = MultiobjectiveClustering(3, **{**QUICK, "algorithms": algorithms}, n_threads=1)
    with pytest.warns(UserWarning, match="is left out") as told:
        model.fit(THREE.X)
    assert [str(one.message).split(":")[0] for one in told] == [
        "single-link (n_clusters=500) always failed and is left out",
        "single-link (n_clusters=180) failed on every resample and is left out.",
    ]
    assert adjusted_rand_score(model.labels_, THREE.labels) == 1


def test_copies_of_as_many_points_as_clusters():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]], 15, axis=0)
    model = MultiobjectiveClustering(3, n_resamples=3, random_state=0).fit(X)
    assert model.labels_.tolist() == [0] * 15 + [1] * 15 + [2] * 15


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ((0,), "n_clusters=0 should be >= 1"),
        ((2.5,), "n_clusters=2.5 should be a whole number"),
        ((500,), "n_samples=192 should be >= n_clusters=500"),
        ((150,), r"n_clusters=150 should be <= \d+, the number"),
        ((None, -3), "first_guess=-3 should be >= 1"),
    ],
)
def test_choosing_again_refuses_what_fit_does_and_stays_as_it_was(fitted, number, words):
    labels = fitted.labels_.copy()
    with pytest.raises((TypeError, ValueError), match=words):
        fitted.choose_again(*number)
    assert (fitted.n_clusters, fitted.first_guess) == (3, None)
    np.testing.assert_array_equal(fitted.labels_, labels)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"n_clusters": 0}, ValueError, "n_clusters=0 should be >= 1"),
        ({"n_clusters": 193}, ValueError, "n_samples=192 should be >= n_clusters=193"),
        ({"n_clusters": 40}, ValueError, r"n_clusters=40 should be <= \d+, the number of different"),
        ({"search": "best"}, ValueError, "search='best' should be one of"),
        ({"overlap": "mean"}, ValueError, "overlap='mean' should be one of"),
        ({"overlap_cost": -1}, ValueError, "overlap_cost=-1 should be >= 0"),
        ({"uncovered_cost": np.inf}, ValueError, "uncovered_cost=inf should be finite"),
        ({"algorithms": "kmeans"}, TypeError, "algorithms should be pairs of a clusterer and its grid"),
        ({"algorithms": ["kmeans"]}, TypeError, "algorithms should be pairs of a clusterer and its grid"),
        ({"algorithms": [("kmeans", [2])]}, TypeError, "the grid of 'kmeans' should map names"),
        ({"min_size": 1.5}, ValueError, "min_size=1.5 should be a share"),
        ({"min_size": 0}, ValueError, "min_size=0 should be >= 1"),
        ({"subsample": 1.5}, ValueError, "subsample=1.5 should be above 0 and at most 1"),
        ({"n_resamples": 0}, ValueError, "n_resamples=0 should be >= 1"),
        ({"resume": True}, ValueError, "resume=True needs a checkpoint"),
    ],
)
def test_wrong_settings_are_refused(settings, error, words):
    with pytest.raises(error, match=words):
        MultiobjectiveClustering(**{"n_clusters": 3, **QUICK, **settings}).fit(THREE.X)


@pytest.mark.parametrize("n_clusters", [1, None])
def test_points_that_are_all_the_same(n_clusters):
    model = MultiobjectiveClustering(n_clusters, n_resamples=2, random_state=0).fit(np.ones((8, 2)))
    assert model.labels_.tolist() == [0] * 8


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_few_points(n):
    X = np.random.default_rng(0).normal(size=(n, 1))
    model = MultiobjectiveClustering(n_resamples=2, random_state=0).fit(X)
    assert model.labels_.shape == (n,)
    assert model.predict(X).shape == (n,)


def test_with_replacement():
    model = MultiobjectiveClustering(3, replace=True, **QUICK).fit(THREE.X)
    assert model.n_clusters_ == 3
