"""Shapes that no default was chosen on, with the defaults alone."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from intarsia import MultiobjectiveClustering


def ring_around_a_blob():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 150)
    ring = 3 * np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.normal(size=(150, 2))
    return np.concatenate([ring, 0.5 * rng.normal(size=(75, 2))]), np.repeat([0, 1], [150, 75])


SHAPES = {
    "moons": lambda: make_moons(150, noise=0.05, random_state=0),
    "circles": lambda: make_circles(150, noise=0.04, factor=0.5, random_state=0),
    "blobs of unequal spread": lambda: make_blobs(
        [50, 50, 50], centers=[[-6, 0], [0, 0], [7, 4]], cluster_std=[0.4, 1.2, 2.0], random_state=0
    ),
    "a ring around a blob": ring_around_a_blob,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_defaults_find_the_clusters(shape):
    X, classes = SHAPES[shape]()
    model = MultiobjectiveClustering(random_state=0).fit(X)
    assert adjusted_rand_score(classes, model.labels_) >= 0.95
    assert model.proven_
