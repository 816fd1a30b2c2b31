"""Other criteria than the sum of squares, and the baselines: the same bits for any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from intarsia import VNS, Bic, DeterministicAnnealing, Examce, JMeans, PMedian, XMeans

X = np.random.default_rng(0).normal(size=(500, 3)) + 5.0 * np.repeat(np.eye(3)[[0, 1, 2, 0, 1]], 100, axis=0)


def width(points: np.ndarray, members: np.ndarray) -> float:
    return float(pdist(points[members]).max(initial=0.0))


def fitted(criterion: Any, points: np.ndarray, k: Any, n_threads: int) -> tuple[bytes, float, int]:
    model = Examce(k, criterion=criterion, effort="fast", random_state=3, n_threads=n_threads).fit(points)
    return model.labels_.tobytes(), model.inertia_, model.n_columns_


@pytest.mark.parametrize(
    ("criterion", "n", "k"),
    [
        ("pmedian", 500, 7),
        (PMedian("cosine"), 500, 4),
        ("bic", 500, (1, 9)),
        (Bic("own"), 500, 5),
        (width, 20, 3),
    ],
    ids=["pmedian", "cosine", "bic", "own variance", "own cost"],
)
def test_fits(criterion: Any, n: int, k: Any) -> None:
    points = np.ascontiguousarray(X[:: len(X) // n])
    one = fitted(criterion, points, k, 1)
    assert all(fitted(criterion, points, k, threads) == one for threads in (2, 3, 7))


@pytest.mark.parametrize(
    "method",
    [XMeans(20, random_state=1), JMeans(9, random_state=1), VNS(9, n_swaps=9), DeterministicAnnealing(9)],
    ids=["x-means", "j-means", "vns", "annealing"],
)
def test_baselines(method: Any) -> None:
    points = np.tile(X, (10, 1)) + np.random.default_rng(1).normal(scale=0.3, size=(5000, 3))
    seeded = {"random_state": 1} if "random_state" in method.get_params() else {}
    one = method.set_params(n_threads=1, **seeded).fit(points).labels_.tobytes()
    for threads in (2, 3, 7):
        assert method.set_params(n_threads=threads).fit(points).labels_.tobytes() == one
