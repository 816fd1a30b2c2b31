"""`ConsensusClustering` beyond scikit-learn's contract."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, MiniBatchKMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from intarsia import ConsensusClustering, combine
from intarsia.base.protocol import BaseFit
from intarsia.ensemble.generate.rule import MemberRule, View

X, TRUTH = make_blobs(300, 6, centers=4, cluster_std=0.5, random_state=0)


def test_finds_blobs_and_keeps_what_it_combined():
    model = ConsensusClustering(4, method="vote", random_state=0).fit(X)
    assert adjusted_rand_score(TRUTH, model.labels_) == 1.0
    assert (model.n_clusters_, model.k_scores_) == (4, None)
    assert model.ensemble_.n_members == 20
    assert 4 <= model.ensemble_.n_classes.min() <= model.ensemble_.n_classes.max() <= 8
    np.testing.assert_array_equal(combine(model.ensemble_, 4, "vote", random_state=0), model.labels_)
    np.testing.assert_array_equal(model.consensus_.labels, model.labels_)


def test_chooses_k():
    model = ConsensusClustering(None, method="vote", k=4, k_range=(2, 6), random_state=0, n_members=10)
    model.fit(X)
    assert model.n_clusters_ == 4
    assert [score.n_clusters for score in model.k_scores_] == [2, 3, 4, 5, 6]


def test_threads_do_not_matter():
    labels = [
        ConsensusClustering(4, method="vote", features=3, random_state=1, n_threads=t).fit_predict(X)
        for t in (1, 2, 3, 7)
    ]
    for other in labels[1:]:
        np.testing.assert_array_equal(labels[0], other)


def test_any_clusterer_and_options_of_the_method():
    base = MiniBatchKMeans(n_init=1)
    model = ConsensusClustering(
        4, method="vote", method_params={"max_passes": 2}, base=base, n_members=5, random_state=0
    )
    assert adjusted_rand_score(TRUTH, model.fit_predict(X)) > 0.9
    with pytest.raises(TypeError, match="no option 'speed'"):
        model.set_params(method_params={"speed": 1}).fit(X)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"n_clusters": 301}, "n_samples=300 should be >= n_clusters=301"),
        ({"n_clusters": 0}, "n_clusters=0"),
        ({"method": "magic"}, "method='magic'"),
        ({"base": "magic"}, "base='magic'"),
        ({"features": 7}, "features=7"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        ConsensusClustering(**{"n_clusters": 4, "method": "vote", **params}).fit(X)


VIEWS = {
    "plain": {},
    "features": {"features": 3},
    "directions": {"projection": 2},
    "bootstrap": {"bootstrap": True},
    "selected": {"select": 4},
    "soft": {"base": "gmm", "soft": True},
    "several": {"base": ["kmeans", "fcm"]},
    "foreign": {"base": MiniBatchKMeans(n_init=1)},
    "linked": {"method": "eac"},
}


@pytest.mark.parametrize("view", VIEWS)
def test_training_points_are_predicted_as_they_were_labelled(view):
    params = {"method": "vote", "n_members": 8, "random_state": 0, **VIEWS[view]}
    model = ConsensusClustering(4, **params).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X[:40] + 0.1), model.predict(X[:40] + 0.1))


def test_new_points_go_with_the_training_points_most_members_put_beside_them():
    model = ConsensusClustering(4, n_members=9, features=2, k=(4, 9), random_state=0).fit(X[::2])
    new = np.random.default_rng(1).normal(X[1::2], 3.0)
    features = [rule.view.features for rule in model._rules]
    for point, found in zip(new, model.predict(new), strict=True):
        alike = np.zeros(len(model.labels_))
        for q, chosen in enumerate(features):
            fit = model._rules[q].fit
            nearest = ((fit.centers - point[chosen]) ** 2).sum(axis=1).argmin()
            own = ((fit.centers - X[::2][:, chosen][:, None]) ** 2).sum(axis=2).argmin(axis=1)
            alike += own == nearest
        assert found in model.labels_[alike == alike.max()]


@pytest.mark.parametrize(
    "params", [{"hyperplanes": 3}, {"base": AgglomerativeClustering()}, {"base": "magic"}, {"base": []}]
)
def test_without_a_base_that_predicts_there_is_no_predict(params):
    assert not hasattr(ConsensusClustering(4, **params), "predict")


def test_a_point_in_a_cluster_that_no_training_point_has():
    rule = MemberRule(
        View(None, None), BaseFit(np.zeros(0, np.int32), np.arange(4.0)[:, None]), np.array([0, 2])
    )
    assert rule.label(np.arange(4.0)[:, None]).tolist() == [0, -1, 1, -1]
