"""Spectral clustering, stability and choice: the same bits for any number of threads."""

import numpy as np
import pytest

from intarsia import MultiobjectiveClustering, Spectral, load_demo
from intarsia.multiobjective.candidates import SelectionData

pytestmark = pytest.mark.kernels

THREADS = (1, 2, 3, 7)


@pytest.mark.parametrize("affinity", ["full", "neighbours"])
def test_spectral(affinity):
    X = np.random.default_rng(0).normal(size=(1200, 3))
    models = [Spectral(5, affinity=affinity, random_state=0, n_threads=t).fit(X) for t in THREADS]
    assert len({model.labels_.tobytes() + model.eigenvalues_.tobytes() for model in models}) == 1


def test_choice():
    rng = np.random.default_rng(0)
    rows = [np.sort(rng.permutation(600)[: rng.integers(20, 200)]).astype(np.int32) for _ in range(60)]
    found = set()
    for threads in THREADS:
        data = SelectionData.of_rows(
            rows, rng.random(60) * 0 + np.linspace(0.2, 0.9, 60), 600, "min", threads
        )
        chosen, objective, *rest = data.problem(0.4, 5.0, False).hill_climb(5, 5, 40, 1, threads)
        found.add((data.overlap.tobytes(), chosen.tobytes(), objective, *rest))
    assert len(found) == 1


def test_whole_fits():
    X = load_demo("spirals-and-blob").X
    algorithms = {
        "kmeans": {"n_clusters": [2, 3]},
        "gmm": {"n_clusters": [3]},
        "single-link": {"n_clusters": [15]},
        "spectral": {"n_clusters": [3], "sigma": [0.3]},
    }
    settings = {"algorithms": algorithms, "n_resamples": 3, "random_state": 0}
    found = set()
    for threads in THREADS:
        model = MultiobjectiveClustering(3, n_threads=threads, **settings).fit(X)
        goodness = np.array([cluster.goodness for cluster in model.clusters_])
        found.add((model.labels_.tobytes(), goodness.tobytes(), model.objective_))
    assert len(found) == 1
