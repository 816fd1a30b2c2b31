"""EM, fuzzy c-means and the label kernels: the same bits for any threads, on eight parts or more."""

import numpy as np
import pytest

from intarsia import Ensemble, FuzzyCMeans, GaussianMixture, combine_full

pytestmark = pytest.mark.kernels

THREADS = (1, 2, 3, 7)
N_POINTS = 12_345  # parts have 512 points


def points(d):
    rng = np.random.default_rng(d)
    return rng.normal(size=(N_POINTS, d)) + rng.integers(4, size=(N_POINTS, 1))


@pytest.mark.parametrize("form", ["full", "diag", "spherical"])
@pytest.mark.parametrize("weighted", [False, True])
def test_gaussian_mixture(form, weighted):
    X = points(7)
    weights = np.random.default_rng(0).uniform(0.1, 3, N_POINTS) if weighted else None
    prints = set()
    for t in THREADS:
        model = GaussianMixture(9, covariance_type=form, max_iter=5, random_state=0, n_threads=t)
        model.fit(X, sample_weight=weights)
        fitted = (model.means_, model.covariances_, model.weights_, model.predict_proba(X))
        prints.add((*(array.tobytes() for array in fitted), model.lower_bound_))
    assert len(prints) == 1


@pytest.mark.parametrize("m", [2.0, 1.7])
def test_fuzzy_c_means(m):
    X = points(7)
    models = [FuzzyCMeans(9, m=m, max_iter=5, random_state=0, n_threads=t).fit(X) for t in THREADS]
    prints = {(f.cluster_centers_.tobytes(), f.memberships_.tobytes(), f.objective_) for f in models}
    assert len(prints) == 1


@pytest.mark.parametrize("method", ["kmodes", "qmi", "itk", "mixmns"])
@pytest.mark.parametrize("soft", [False, True])
def test_label_methods(method, soft):
    rng = np.random.default_rng(1)
    truth = rng.integers(5, size=N_POINTS)
    if soft:
        members = [0.5 * np.eye(5)[truth] + 0.5 * rng.dirichlet(np.ones(5), N_POINTS) for _ in range(12)]
        ensemble = Ensemble.from_memberships(members)
    else:
        members = [
            np.where(rng.random(N_POINTS) < 0.6, rng.integers(7, size=N_POINTS), truth) for _ in range(12)
        ]
        ensemble = Ensemble.from_labels(members, member_weights=rng.uniform(0.5, 2, 12))
    prints = set()
    for t in THREADS:
        found = combine_full(ensemble, 6, method, random_state=0, n_threads=t, n_init=2)
        soft_bits = b"" if found.memberships is None else found.memberships.tobytes()
        prints.add((found.labels.tobytes(), soft_bits, found.history, found.objective))
    assert len(prints) == 1
