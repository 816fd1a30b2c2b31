"""`Ensemble.generate`: each kind of member, who computes does not matter, bad options are refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, MiniBatchKMeans
from sklearn.mixture import GaussianMixture

from intarsia import Ensemble, load_demo, metrics
from intarsia.executor import ThreadExecutor

IRIS = load_demo("iris").X

KINDS = {
    "plain": {},
    "hk-means": {"base": "hk-means"},
    "fixed k": {"k": 3},
    "features": {"features": 2},
    "share of features": {"features": 0.5},
    "line": {"projection": 1},
    "hyperplanes": {"hyperplanes": 3},
    "bootstrap": {"bootstrap": True},
    "subsample": {"subsample": 0.7},
    "foreign": {"base": MiniBatchKMeans(n_init=1)},
    "foreign without predict": {"base": AgglomerativeClustering(), "bootstrap": True},
    "foreign soft": {"base": GaussianMixture(reg_covar=1e-3), "soft": True, "k": (2, 4)},
    "foreign soft parts": {"base": GaussianMixture(reg_covar=1e-3), "soft": True, "k": 3, "subsample": 0.7},
    "selected": {"select": 4},
}


@pytest.mark.parametrize("kind", KINDS)
def test_members_are_functions_of_number_and_seed(kind):
    options = {"k": (2, 6), **KINDS[kind]}
    a = Ensemble.generate(IRIS, n_members=8, random_state=5, n_threads=1, **options)
    b = Ensemble.generate(IRIS, n_members=8, random_state=5, executor=ThreadExecutor(3), **options)
    np.testing.assert_array_equal(a.labels, b.labels)
    assert a.is_soft == options.get("soft", False)
    if a.is_soft:
        np.testing.assert_array_equal(a.memberships, b.memberships)
    c = Ensemble.generate(IRIS, n_members=8, random_state=6, n_threads=1, **options)
    assert a.labels.shape != c.labels.shape or (a.labels != c.labels).any()
    assert a.n_members == options.get("select", 8)
    assert a.n_samples == 150


@pytest.mark.parametrize("base", ["gmm", "fcm"])
@pytest.mark.parametrize("more", [{}, {"bootstrap": True}, {"subsample": 0.8}], ids=str)
def test_soft_bases_of_the_package(base, more):
    options = {"k": 3, "n_members": 9, "random_state": 0, **more}
    soft = Ensemble.generate(IRIS, base, soft=True, **options)
    hard = Ensemble.generate(IRIS, base, **options)
    assert soft.memberships.shape == (150, 27)
    known = soft.labels >= 0
    np.testing.assert_array_equal(known, hard.labels >= 0)
    agreement = metrics.adjusted_rand_index(soft.labels[:, 0], hard.labels[:, 0])
    assert agreement > 0.99


def test_several_bases_take_turns():
    mixed = Ensemble.generate(IRIS, ["kmeans", "gmm-random"], 4, 3, random_state=0)
    for base, own in (("kmeans", 0), ("gmm-random", 1)):
        alone = Ensemble.generate(IRIS, base, 4, 3, random_state=0)
        np.testing.assert_array_equal(mixed.labels[:, own::2], alone.labels[:, own::2])
    with pytest.raises(ValueError, match="at least one base clusterer"):
        Ensemble.generate(IRIS, [], 4, 3)
    with pytest.raises(ValueError, match="'kmeans' has no memberships"):
        Ensemble.generate(IRIS, ["gmm", "kmeans"], 4, 3, soft=True)


def test_em_from_random_points_differs_more_than_from_k_means():
    apart = {
        base: metrics.diversity(Ensemble.generate(IRIS, base, 8, 3, random_state=0))
        for base in ("gmm", "gmm-random")
    }
    assert apart["gmm-random"] > apart["gmm"]


def test_more_members_begin_with_the_same_ones():
    few = Ensemble.generate(IRIS, n_members=3, random_state=0)
    many = Ensemble.generate(IRIS, n_members=6, random_state=0)
    np.testing.assert_array_equal(few.labels, many.labels[:, :3])


def test_k_is_within_its_range():
    e = Ensemble.generate(IRIS, n_members=30, k=(3, 5), random_state=0)
    assert set(e.n_classes.tolist()) == {3, 4, 5}


def test_subsample_leaves_the_rest_missing_and_bootstrap_does_not():
    part = Ensemble.generate(IRIS, n_members=10, k=3, subsample=100, random_state=0)
    np.testing.assert_array_equal((part.labels >= 0).sum(axis=0), np.full(10, 100))
    boot = Ensemble.generate(IRIS, n_members=3, k=3, bootstrap=True, random_state=0)
    assert (boot.labels >= 0).all()
    unpredictable = Ensemble.generate(
        IRIS, AgglomerativeClustering(), n_members=20, k=3, bootstrap=True, random_state=0
    )
    assert 0.25 < (unpredictable.labels < 0).mean() < 0.5


def test_hyperplanes_cut_into_cells():
    e = Ensemble.generate(IRIS, n_members=10, hyperplanes=2, random_state=0)
    assert e.n_classes.max() <= 4
    assert e.n_classes.min() >= 1


def test_features_differ_between_members():
    whole = Ensemble.generate(IRIS, n_members=10, k=3, random_state=0)
    parts = Ensemble.generate(IRIS, n_members=10, k=3, features=1, random_state=0)
    assert metrics.diversity(parts) > metrics.diversity(whole)


def test_selected_members_are_nearest_to_the_median():
    every = Ensemble.generate(IRIS, n_members=9, k=(2, 8), random_state=0)
    kept = Ensemble.generate(IRIS, n_members=9, k=(2, 8), select=4, random_state=0)
    mean = np.array([np.mean(np.delete(1 - row, q)) for q, row in enumerate(metrics.pairwise(every))])
    nearest = np.sort(np.argsort(np.abs(mean - np.median(mean)), kind="stable")[:4])
    np.testing.assert_array_equal(kept.labels, every.labels[:, nearest])


BAD = {
    "base": ({"base": "magic"}, ValueError, "base='magic'"),
    "base of no kind": ({"base": 3}, TypeError, "base=3"),
    "soft k-means": ({"soft": True}, ValueError, "no memberships"),
    "soft foreign": ({"base": MiniBatchKMeans(), "soft": True}, ValueError, "predict_proba"),
    "k": ({"k": 200}, ValueError, "k=200 should be <= n_samples=150"),
    "k of zero": ({"k": 0}, ValueError, "k=0"),
    "k turned round": ({"k": (5, 3)}, ValueError, "the smaller number first"),
    "k of three": ({"k": (1, 2, 3)}, TypeError, "a pair"),
    "features": ({"features": 5}, ValueError, "features=5 should be at most 4"),
    "no features": ({"features": 0.0}, ValueError, "features=0.0"),
    "projection": ({"projection": 0}, ValueError, "projection=0"),
    "hyperplanes": ({"hyperplanes": 0}, ValueError, "hyperplanes=0"),
    "soft hyperplanes": ({"hyperplanes": 2, "soft": True, "base": "gmm"}, ValueError, "hard labels"),
    "both samples": ({"bootstrap": True, "subsample": 0.5}, ValueError, "exclude each other"),
    "subsample": ({"subsample": 1.5}, ValueError, "subsample=1.5"),
    "too small a subsample": ({"subsample": 5, "k": 2}, ValueError, "drawn for no member"),
    "members": ({"n_members": 0}, ValueError, "n_members=0"),
    "select": ({"select": 9, "n_members": 8}, ValueError, "select=9 should be at most n_members=8"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_options(kind):
    options, error, message = BAD[kind]
    with pytest.raises(error, match=message):
        Ensemble.generate(IRIS, random_state=0, **options)
