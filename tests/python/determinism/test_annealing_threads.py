"""Annealing: the same bits for any number of threads, in batches and over several chains."""

import numpy as np
import pytest

from intarsia.consensus import combine_full
from intarsia.executor import make_executor

pytestmark = pytest.mark.kernels

THREADS = (1, 2, 3, 7)
N_POINTS = 12_345  # chunks have 512 points


def ensemble_of(n, missing):
    rng = np.random.default_rng(1)
    truth = rng.integers(6, size=n)
    labels = np.column_stack(
        [np.where(rng.random(n) < 0.4, rng.integers(8, size=n), truth) for _ in range(5)]
    )
    labels[:, 1:][rng.random((n, 4)) < missing] = -1
    return labels, np.resize(np.arange(6), n)


def fingerprint(found):
    return found.labels.tobytes(), found.objective, found.history


@pytest.mark.parametrize("method", ["sa-ri", "sa-ji", "sa-wi", "sa-nmi"])
@pytest.mark.parametrize("acceptance", ["threshold", "metropolis"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_batches(method, acceptance, missing):
    labels, start = ensemble_of(N_POINTS, missing)
    prints = [
        fingerprint(
            combine_full(
                labels,
                6,
                method,
                start=start,
                acceptance=acceptance,
                batch=4500,
                temperature=2e-5,
                max_loops=2 if method == "sa-nmi" else 5,
                random_state=3,
                n_threads=t,
            )
        )
        for t in THREADS
    ]
    assert all(p == prints[0] for p in prints)


def test_chains():
    labels, start = ensemble_of(300, 0.1)
    prints = [
        fingerprint(
            combine_full(
                labels,
                6,
                "sa-ri",
                start=start,
                n_chains=5,
                max_loops=100,
                random_state=3,
                executor=make_executor(t),
            )
        )
        for t in THREADS
    ]
    assert all(p == prints[0] for p in prints)


def test_refine():
    labels, start = ensemble_of(50_500, 0.0)  # beyond the size from which points come in batches
    prints = [
        fingerprint(
            combine_full(
                labels, 6, "sa-ri", start=start, max_loops=0, refine=True, random_state=0, n_threads=t
            )
        )
        for t in THREADS
    ]
    assert all(p == prints[0] for p in prints)


def test_seeds_differ_and_repeat():
    labels, start = ensemble_of(300, 0.0)
    runs = [combine_full(labels, 6, "sa-ri", start=start, max_loops=50, random_state=s) for s in (1, 1, 2)]
    assert runs[0].history == runs[1].history
    assert runs[0].history != runs[2].history
