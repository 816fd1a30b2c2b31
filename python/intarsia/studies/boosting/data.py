"""The data sets of the paper, and their random splits.

Figure 8's set is not published: `demo:shapes` is of its size and kind. The bananas are `demo:bananas`, which
come ordered by class, as files often do: a split is drawn at random, never taken from the top.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from intarsia._core import Stage
from intarsia.arrays import Floats, Ids, Labels
from intarsia.datasets import load
from intarsia.io import DataError
from intarsia.streams import generator
from intarsia.studies.boosting.published import DATA
from intarsia.studies.boosting.settings import STANDARD

GENERATED = {"banana": "demo:bananas", "figure-8": "demo:shapes"}


class Split(NamedTuple):
    """Points to cluster and points to score."""

    train: Floats
    test: Floats


class ClassedPoints(NamedTuple):
    """Points and their classes, which only the figure of shapes looks at."""

    X: Floats
    classes: Labels


def points_of(name: str, data_dir: Path | None) -> ClassedPoints:
    """Return a data set of table 1; one of another size is refused."""
    source, expected = (
        load(GENERATED.get(name, name), data_dir if name not in GENERATED else None),
        DATA[name],
    )
    found = source.X.shape
    if found != (expected.n_points, expected.n_features):
        raise DataError(
            f"{name} has {found} points and features; table 1 has {(expected.n_points, expected.n_features)}."
        )
    return ClassedPoints(np.ascontiguousarray(source.X, dtype=np.float64), np.asarray(source.labels))


def split_rows(n_points: int, n_train: int, seed: int, split: int) -> tuple[Ids, Ids]:
    """Return random rows to train on and the others."""
    order = generator(seed, Stage.STUDY_DRAWS, split).permutation(n_points)
    return order[:n_train], order[n_train:]


def split_points(X: Floats, n_train: int, features: str, seed: int, split: int) -> Split:
    """Return a random split; standardised by the training points where asked."""
    rows, others = split_rows(len(X), n_train, seed, split)
    train, test = X[rows], X[others]
    if features == STANDARD:
        center, scale = train.mean(axis=0), train.std(axis=0)
        scale[scale == 0] = 1.0
        train, test = (train - center) / scale, (test - center) / scale
    return Split(np.ascontiguousarray(train), np.ascontiguousarray(test))
