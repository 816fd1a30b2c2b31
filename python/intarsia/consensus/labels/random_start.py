"""Plain random starts, as the papers make them: k points, labels, or parameters drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from intarsia._core import Stage
from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import Ensemble
from intarsia.streams import generator


def start_stream(seed: int, task: int) -> Generator:
    """Return the random numbers of one start."""
    return generator(seed, Stage.LABEL_SEEDING, task)


def random_points(ensemble: Ensemble, k: int, seed: int, task: int) -> Ids:
    """Return k points in random order, no two of them equal."""
    row_of = ensemble.merged()[1]
    order = start_stream(seed, task).permutation(ensemble.n_samples)
    first = np.unique(row_of[order], return_index=True)[1]
    return np.asarray(order[np.sort(first)[:k]], dtype=np.int64)


def random_labels(n_samples: int, k: int, seed: int, task: int) -> Labels:
    """Return one of k labels for each point."""
    return start_stream(seed, task).integers(k, size=n_samples).astype(np.int32)


def random_multinomials(ensemble: Ensemble, k: int, seed: int, task: int) -> Floats:
    """Return for each of k components and each member random probabilities of its clusters."""
    drawn = start_stream(seed, task).uniform(0.0, 1.0, (k, int(ensemble.offsets[-1])))
    totals = np.add.reduceat(drawn, ensemble.offsets[:-1], axis=1)
    probabilities: Floats = drawn / np.repeat(totals, ensemble.n_classes, axis=1)
    return probabilities
