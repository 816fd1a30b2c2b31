"""One list of base clusterers: each keeps the protocol, and any scikit-learn clusterer can join it."""

from __future__ import annotations

import subprocess
import sys
from inspect import signature

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, AgglomerativeClustering, MiniBatchKMeans, SpectralClustering
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.mixture import GaussianMixture as SklearnMixture

from intarsia import FuzzyCMeans, GaussianMixture, KMeans, load_demo
from intarsia.base.registry import BASES, base_clusterer, check_base
from intarsia.base.runs import base_runs, best_run

IRIS = load_demo("iris").X
FOREIGN = {
    "mini-batch": MiniBatchKMeans(n_init=1),
    "ward": AgglomerativeClustering(),
    "mixture": SklearnMixture(reg_covar=1e-3),
    "dbscan": DBSCAN(eps=0.5),
}
EVERY = {**{name: name for name in BASES}, **FOREIGN}
RANDOM = [name for name, row in BASES.items() if row.is_random]


@pytest.mark.parametrize("name", EVERY)
def test_a_fit_is_a_function_of_its_stream(name):
    clusterer, before = base_clusterer(EVERY[name]), IRIS.copy()
    fit = clusterer.fit(IRIS, 3, seed=1, task=2)
    again = clusterer.fit(IRIS, 3, seed=1, task=2, n_threads=2)
    np.testing.assert_array_equal(fit.labels, again.labels)
    np.testing.assert_array_equal(IRIS, before)
    assert fit.labels.dtype == np.int32
    assert fit.labels.shape == (150,)
    assert -1 <= fit.labels.min() <= 0
    assert fit.labels.max() <= 2


@pytest.mark.parametrize("name", [*BASES, "mini-batch"])
def test_another_task_is_another_start(name):
    clusterer = base_clusterer(EVERY[name])
    labels = [clusterer.fit(IRIS, 8, seed=1, task=task).labels.tobytes() for task in range(4)]
    assert (len(set(labels)) > 1) == (name in [*RANDOM, "mini-batch"])


@pytest.mark.parametrize("name", BASES)
def test_rows_say_what_their_clusterers_say(name):
    clusterer, row = base_clusterer(name), BASES[name]
    assert (row.is_soft, row.takes_weights) == (clusterer.is_soft, clusterer.takes_weights)
    assert row.summary
    base_clusterer(name, **{option: 7 for option in row.options if option != "init"})  # it has them
    assert set(row.options) <= set(signature(row.load()).parameters)
    assert set(row.options) <= {"init", "max_iter", "tol", "n_swaps", "sigma", "cooling", "t_min"}


@pytest.mark.parametrize("name", [name for name, row in BASES.items() if row.nearest_centre])
def test_new_points_go_to_the_nearest_centre_where_the_row_says_so(name):
    train, new = IRIS[::2].copy(), IRIS[1::2].copy()
    fit = base_clusterer(name).fit(train, 8, seed=0)
    nearest = ((new[:, None] - fit.centers) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(fit.label(new), nearest)


@pytest.mark.parametrize("name", BASES)
def test_its_own_points_get_their_own_labels(name):
    clusterer = base_clusterer(name)
    fit = clusterer.fit(IRIS, 3, seed=0)
    same = (fit.label(IRIS) == fit.labels).mean()
    moved = name in ("hk-means", "j-means", "vns")  # where moves end, another centre may be nearer
    assert same > 0.97 if moved else same == 1
    if clusterer.is_soft:
        memberships = fit.memberships(IRIS)
        np.testing.assert_allclose(memberships.sum(axis=1), 1)
        np.testing.assert_array_equal(memberships.argmax(axis=1), fit.labels)
    else:
        with pytest.raises(ValueError, match="has no memberships"):
            fit.memberships(IRIS)


@pytest.mark.parametrize("name", [name for name, row in BASES.items() if row.takes_weights])
def test_weights_are_heeded(name):
    # as in scikit-learn's own KMeans: all weight on one blob, so all centres go there
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 100])
    weights = np.repeat([1.0, 0.0], 40)
    fit = base_clusterer(name).fit(X, 3, weights=weights, seed=0)
    assert fit.centers is not None
    assert (fit.centers < 50).all()


def test_named_ones_are_the_estimators():
    fit = base_clusterer("gmm").fit(IRIS, 3, seed=7, task=0)
    state = 7 * 100_003
    mixture = GaussianMixture(3, random_state=state).fit(IRIS)
    np.testing.assert_array_equal(fit.labels, mixture.labels_)
    np.testing.assert_array_equal(fit.memberships(IRIS), mixture.predict_proba(IRIS))
    assert fit.cost == -mixture.lower_bound_
    fuzzy = FuzzyCMeans(3, random_state=state).fit(IRIS)
    assert base_clusterer("fcm").fit(IRIS, 3, seed=7).cost == fuzzy.objective_
    kmeans = KMeans(3, init="random", n_init=1, random_state=7).fit(IRIS)
    fit = base_clusterer("kmeans").fit(IRIS, 3, seed=7)
    np.testing.assert_array_equal(fit.centers, kmeans.cluster_centers_)
    assert (fit.cost, fit.n_iter) == (kmeans.inertia_, kmeans.n_iter_)


def test_options():
    few = base_clusterer("random-swap", n_swaps=3)
    assert few.n_swaps == 3
    assert base_clusterer("gmm", covariance_type="diag").covariance_type == "diag"
    assert base_clusterer("fcm", prefer={"n_swaps": 3, "max_iter": 7}).estimator.max_iter == 7
    given = SklearnKMeans(init="random")
    assert base_clusterer(given, prefer={"init": "k-means++"}, n_init=3).estimator.init == "random"
    assert given.n_init == "auto"
    with pytest.raises(TypeError, match="kmeans has no option 'sigma'; its options: init, max_iter"):
        base_clusterer("kmeans", sigma=1)


def test_new_points_without_predict_go_with_their_nearest_neighbour():
    train, new = IRIS[::2], IRIS[1::2]
    fit = base_clusterer(AgglomerativeClustering()).fit(train, 3)
    nearest = ((new[:, None] - train) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(fit.label(new), fit.labels[nearest])


def test_new_points_beside_noise_go_with_a_cluster():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [9.0], [9.1], [9.2]])
    fit = base_clusterer(DBSCAN(eps=0.15, min_samples=2)).fit(X, 2)
    assert fit.labels.tolist() == [0, 0, 0, -1, 1, 1, 1]
    assert fit.label(np.array([[5.0], [3.0], [8.0]])).tolist() == [1, 0, 1]  # 5 is nearer to 9 than to 0.2
    nothing = base_clusterer(DBSCAN(eps=0.01)).fit(X, 2)
    assert (nothing.labels == -1).all()
    with pytest.raises(ValueError, match="left every point out"):
        nothing.label(X)


class Strange(ClusterMixin, BaseEstimator):
    """Numbers its two halves 10 and 70; new points may be 30."""

    def fit(self, X, y=None):
        self.labels_ = np.where(np.arange(len(X)) < len(X) // 2, 70, 10)
        return self

    def predict(self, X):
        return np.array([70, 10, 30])[: len(X)]


def test_strange_numbers_are_renumbered():
    fit = base_clusterer(Strange()).fit(IRIS, 3)
    assert np.unique(fit.labels).tolist() == [0, 1]
    assert fit.labels[0] == 1
    assert fit.label(IRIS[:3]).tolist() == [1, 0, 2]


def test_spectral_clustering_keeps_its_components():
    # n_components is the number of eigenvectors there
    clusterer = base_clusterer(SpectralClustering(n_components=5, affinity="nearest_neighbors"))
    fit = clusterer.fit(IRIS[:60], 2, seed=0)
    assert (fit.model.n_clusters, fit.model.n_components) == (2, 5)


@pytest.mark.parametrize("base", ["x", None, 3, SklearnKMeans, pytest.param(object(), id="object")], ids=str)
def test_what_is_no_base_clusterer_is_refused(base):
    with pytest.raises((TypeError, ValueError), match="should be one of 'kmeans', "):
        base_clusterer(base)


def test_memberships_are_asked_for_in_time():
    check_base("gmm", soft=True)
    check_base(SklearnMixture(), soft=True)
    with pytest.raises(
        ValueError, match="'kmeans' has no memberships; soft=True needs one of 'gmm', 'gmm-random', 'fcm'"
    ):
        check_base("kmeans", soft=True)
    with pytest.raises(ValueError, match="predict_proba"):
        check_base(SklearnKMeans(), soft=True)


@pytest.mark.parametrize("base", ["gmm", MiniBatchKMeans(n_init=1)], ids=str)
def test_runs_of_any_base(base):
    runs = base_runs(IRIS, base, 3, n_runs=4, seed=2)
    assert len(runs) == 4
    assert best_run(runs).cost == min(run.cost for run in runs)
    with pytest.raises(ValueError, match="without a cost"):
        best_run(base_runs(IRIS, AgglomerativeClustering(), 3))


def test_the_list_is_light():
    code = (
        "import sys; from intarsia.base.registry import check_base; "
        "check_base('gmm', soft=True); "
        "print([m for m in ('numpy', 'sklearn', 'intarsia.base.gaussian_mixture') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_one_base_does_not_load_another():
    code = (
        "import sys; from intarsia import KMeans; "
        "from intarsia.base.registry import base_clusterer; base_clusterer('kmeans'); "
        "print(sorted(m for m in sys.modules if m.startswith('intarsia.base.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "gaussian" not in done.stdout
    assert "fuzzy" not in done.stdout


@pytest.mark.parametrize("name", ["kmeans", "gmm", "gmm-random"])
def test_bases_of_our_own_need_no_scikit_learn(name):
    code = (
        "import sys; import numpy as np; from intarsia.base.registry import base_clusterer; "
        f"fit = base_clusterer({name!r}).fit(np.arange(40.0).reshape(20, 2), 2); fit.label(np.ones((1, 2))); "
        "print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


class Bare:
    """No more than `check_base` asks for: nothing can be set."""

    def get_params(self, deep=True):
        return {}

    def fit_predict(self, X):
        return np.arange(len(X)) % 2


def test_a_clusterer_without_parameters_needs_no_set_params():
    np.testing.assert_array_equal(base_clusterer(Bare()).fit(IRIS, 2).labels, np.arange(150) % 2)
