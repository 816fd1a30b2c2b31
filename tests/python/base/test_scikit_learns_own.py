"""scikit-learn's own tests of k-means, from where it is installed, with our `KMeans` in place of theirs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.cluster
from scipy.spatial.distance import cdist
from scipy.stats import combine_pvalues, ks_2samp
from sklearn.cluster import kmeans_plusplus
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from intarsia import _core
from intarsia.base.kmeans import KMeans

HOME = Path(sklearn.__file__).parent
#: They call `_init_centroids`, a method that nobody outside scikit-learn should.
PRIVATE = ("test_sample_weight_init", "test_sample_weight_zero")
#: Of other classes and functions, of sparse data, and of Elkan's algorithm.
OTHERS = ("MiniBatch", "minibatch", "sparse", "csr", "elkan", "kmeans_plusplus")

PLUGIN = f"""
import sklearn.cluster
from intarsia.base.kmeans import KMeans
sklearn.cluster.KMeans = KMeans
LEFT_OUT = {(*PRIVATE, *OTHERS)!r}
def pytest_collection_modifyitems(config, items):
    items[:] = [item for item in items if not any(word in item.name for word in LEFT_OUT)]
"""


def test_scikit_learns_own_tests(tmp_path):
    pytest.importorskip("sklearn.cluster.tests.test_k_means")
    (tmp_path / "ours_for_theirs.py").write_text(PLUGIN)
    path = HOME / "cluster" / "tests" / "test_k_means.py"
    start = "import sys, pytest; sys.path.insert(0, '.'); sys.exit(pytest.main(sys.argv[1:]))"
    options = ["-p", "ours_for_theirs", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(HOME)]
    command = [sys.executable, "-c", start, *options, "-q", "--tb=line", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
    found = re.search(r"(\d+) passed", done.stdout)
    assert found is not None
    assert int(found[1]) >= 60


SETS = {
    "iris": (load_iris().data, 3),
    "wine": (StandardScaler().fit_transform(load_wine().data), 3),
    "digits": (load_digits().data[:600], 10),
    "moons": (make_moons(300, noise=0.1, random_state=0)[0], 5),
    **{f"blobs {k}": (make_blobs(400, 4, centers=k, random_state=k)[0], k) for k in (3, 5, 8, 12, 15, 20)},
}


def test_the_default_is_as_good_as_theirs():
    """Of one seed, the mean over ten: no more than 1 % above theirs on any of ten sets."""
    for name, (X, k) in SETS.items():
        ours, theirs = (
            np.mean([cls(k, random_state=seed).fit(X).inertia_ for seed in range(10)])
            for cls in (KMeans, sklearn.cluster.KMeans)
        )
        assert ours <= 1.01 * theirs, name
    assert len(SETS) == 10


def potential(X, starts):
    return cdist(X, starts, "sqeuclidean").min(axis=1).sum()


def potentials_of_ours(X, k):
    drawn = (_core.seed_points(X, None, k, "k-means++", s, 0, 1) for s in range(200))
    return np.array([potential(X, X[starts]) for starts in drawn])


def potentials_of_theirs(X, k, n_local_trials=None):
    drawn = (kmeans_plusplus(X, k, random_state=s, n_local_trials=n_local_trials)[0] for s in range(200))
    return np.array([potential(X, starts) for starts in drawn])


def test_starts_have_the_distribution_of_theirs():
    """Before the local search: no set tells our starts from theirs, nor all together."""
    chances = [
        ks_2samp(potentials_of_ours(np.ascontiguousarray(X), k), potentials_of_theirs(X, k)).pvalue
        for X, k in SETS.values()
    ]
    assert min(chances) > 0.005
    assert combine_pvalues(chances).pvalue > 0.05


def test_one_trial_for_each_centre_is_told_apart():
    """The test above would see starts that are a little worse."""
    X, k = SETS["blobs 8"]
    plain = potentials_of_theirs(X, k, n_local_trials=1)
    assert ks_2samp(plain, potentials_of_theirs(X, k)).pvalue < 1e-6


def test_fewer_distinct_points_than_clusters_is_a_warning():
    X = np.array([[0.0, 0], [1, 1], [1, 1], [0, 0]])
    with pytest.warns(ConvergenceWarning, match=r"clusters \(2\) found smaller than n_clusters \(3\)"):
        model = KMeans(3, random_state=0).fit(X)
    assert model.labels_.tolist() == [0, 1, 1, 0]
    assert (model.inertia_, model.cluster_centers_.shape) == (0.0, (3, 2))
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_pandas_out_of_a_pipeline():
    X = pd.DataFrame(load_iris().data, columns=list("abcd"))
    pipeline = make_pipeline(StandardScaler(), KMeans(3, random_state=0)).set_output(transform="pandas")
    distances = pipeline.fit_transform(X)
    assert list(distances.columns) == ["kmeans0", "kmeans1", "kmeans2"]
    assert distances.index.equals(X.index)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_centres_have_the_type_of_the_points(kind):
    X = load_iris().data.astype(kind)
    assert KMeans(3, random_state=0).fit(X).cluster_centers_.dtype == kind


def test_minus_one_thread_is_all():
    X = load_iris().data
    costs = {KMeans(3, random_state=0, n_threads=n).fit(X).inertia_ for n in (-1, None, 1)}
    assert len(costs) == 1
