"""How stable every cluster is: each family clusters all points, then resamples of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia._core import Stage
from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.multiobjective.algorithms import Family
from intarsia.streams import generator

#: Streams that a family tries where it fails.
MAX_ATTEMPTS = 5

_log = logging.getLogger("intarsia.multiobjective")


@dataclass(frozen=True)
class Resampling:
    """How the points are drawn: how many times, which share of them, with or without replacement."""

    n_resamples: int = 50
    share: float = 0.9
    replace: bool = False

    def draw(self, n: int, seed: int, number: int, attempt: int) -> Ids:
        """Return the points of one resample, ascending; number 0 is everybody."""
        if number == 0:
            return np.arange(n)
        rng = generator(seed, Stage.RESAMPLE, number, attempt)
        size = self.size(n)
        drawn = rng.integers(n, size=size) if self.replace else rng.permutation(n)[:size]
        return np.sort(drawn)

    def size(self, n: int) -> int:
        """Return how many of n points a resample has."""
        return max(1, int(np.ceil(self.share * n)))


@dataclass(frozen=True, eq=False)
class Work:
    """What all tasks share.

    Attributes
    ----------
    references : list of lists of labels, optional
        For each family, what it found in all points, one partition for each number of clusters.
    """

    X: Points
    families: Sequence[Family]
    resampling: Resampling
    seed: int
    n_threads: int
    references: Sequence[Sequence[Labels]] = ()


@dataclass(frozen=True, eq=False)
class Partitions:
    """What a family found, None if it failed with every stream; and why it failed before."""

    labels: list[Labels] | None
    failures: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Scores:
    """Stability of every cluster of a family's partitions on one resample; NaN if it failed throughout."""

    values: Floats
    failures: tuple[str, ...]


def cluster_everybody(family: int, work: Work) -> Partitions:
    """Cluster all points: a task."""
    return _attempt(family, 0, work)


def score_resample(task: tuple[int, int], work: Work) -> Scores:
    """Cluster one resample and score the clusters that the family found in all points: a task."""
    family, number = task
    references = work.references[family]
    found = _attempt(family, number, work)
    if found.labels is None:
        return Scores(np.full(sum(map(n_labels, references)), np.nan), found.failures)
    values = [
        _core.cluster_stability(reference, n_labels(reference), labels, n_labels(labels))
        for reference, labels in zip(references, found.labels, strict=True)
    ]
    return Scores(np.concatenate(values), found.failures)


def n_labels(labels: Labels) -> int:
    """Return how many numbers the clusters have: the largest and one."""
    return int(labels.max(initial=-1)) + 1


def _attempt(family: int, number: int, work: Work) -> Partitions:
    """Cluster; where the base fails, other points are drawn and it starts elsewhere."""
    failures: list[str] = []
    for attempt in range(MAX_ATTEMPTS):
        drawn = work.resampling.draw(len(work.X), work.seed, number, attempt)
        own = work.families[family]
        try:
            labels = own.label_all(work.X, drawn, base_seed(work.seed, own, number, attempt), work.n_threads)
        except Exception as error:  # whatever a base raises must not end the job
            failures.append(" ".join(f"{type(error).__name__}: {error}".split()))
            _log.warning("%s, resample %d, attempt %d: %s", own.text, number, attempt + 1, failures[-1])
        else:
            return Partitions(labels, tuple(failures))
    return Partitions(None, tuple(failures))


def base_seed(seed: int, family: Family, number: int, attempt: int) -> int:
    """Return the seed of a family's clusterer on one resample; number 0 is everybody."""
    return int(generator(seed, Stage.RESAMPLE_BASE, family.number, number, attempt).integers(2**63))
