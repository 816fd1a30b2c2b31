"""Boost-clustering in plain NumPy and scikit-learn: the peer of the benchmark, written as one would."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

Floats = NDArray[np.float64]


class PlainBoost:
    """Rounds without early stopping: draw rows, cluster them, judge all points, vote.

    `max_iter` and `tol` are scikit-learn's: with its defaults k-means stops before it has converged.
    """

    def __init__(self, n_clusters: int, n_rounds: int, seed: int = 0, **kmeans: Any) -> None:
        self.n_clusters, self.n_rounds, self.seed = n_clusters, n_rounds, seed
        self.kmeans = {"n_init": 1, "init": "random", "algorithm": "lloyd", **kmeans}

    def fit(self, X: Floats) -> PlainBoost:
        """Run all rounds; `labels_` and the pseudoloss of each round are kept."""
        rng = np.random.default_rng(self.seed)
        weights = np.full(len(X), 1 / len(X))
        votes = np.zeros((len(X), self.n_clusters))
        self.epsilons_ = []
        for number in range(self.n_rounds):
            rows = rng.choice(len(X), len(X), p=weights)
            model = KMeans(self.n_clusters, random_state=number, **self.kmeans).fit(X[rows])
            h = memberships(X, model.cluster_centers_)
            quality = 1 - h.max(axis=1) + h.min(axis=1)
            epsilon = 0.5 * float(weights @ quality)
            beta = (1 - epsilon) / epsilon
            votes += np.log(beta) * (h if number == 0 else h[:, renumbered(h, votes)])
            weights = weights * beta**quality
            weights /= weights.sum()
            self.epsilons_.append(epsilon)
        self.labels_ = votes.argmax(axis=1)
        return self


def memberships(X: Floats, centers: Floats) -> Floats:
    """Return memberships inversely proportional to the distance; a point on a centre belongs to it alone."""
    near: Floats = 1 / np.maximum(cdist(X, centers), 1e-100)
    near /= near.sum(axis=1, keepdims=True)
    return near


def renumbered(h: Floats, votes: Floats) -> NDArray[np.int64]:
    """Return which column of the memberships goes with each cluster of the vote, by most shared points."""
    k = h.shape[1]
    shared = np.bincount(h.argmax(axis=1) * k + votes.argmax(axis=1), minlength=k * k).reshape(k, k)
    order: NDArray[np.int64] = np.argsort(linear_sum_assignment(-shared)[1])
    return order
