"""One round's clustering: a replicate drawn by weight and clustered, tried again where the base fails."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Points
from intarsia.base.protocol import BaseClusterer, BaseFit
from intarsia.boosting.hypothesis import Hypothesis, hypothesis_of

#: Replicates tried in a round; the last one is the whole data set.
MAX_ATTEMPTS = 5

_log = logging.getLogger("intarsia.boosting")


class BaseFailedError(ValueError):
    """The base clusterer failed with everything that it was given in a round."""


@dataclass(frozen=True, eq=False)
class RoundFit:
    """What one round found, how often it drew each point, and why earlier attempts came to nothing."""

    hypothesis: Hypothesis
    counts: Floats
    failures: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class RoundTask:
    """What all rounds share; `weights` are those of the points, None for equal ones."""

    X: Points
    base: BaseClusterer
    n_clusters: int
    seed: int
    n_threads: int
    weights: Floats | None = None


def fit_round(number: int, task: RoundTask) -> RoundFit:
    """Draw and cluster: a pure function of the round's number and what the rounds share."""
    failures: list[str] = []
    for attempt in range(MAX_ATTEMPTS):
        counts = _replicate(number, attempt, task)
        try:
            hypothesis = hypothesis_of(_cluster(counts, number, attempt, task), task.base)
        except Exception as error:  # whatever a base raises, another replicate may not make it do so
            failures.append(" ".join(f"{type(error).__name__}: {error}".split()))
            _log.warning("round %d, attempt %d: %s", number, attempt + 1, failures[-1])
        else:
            return RoundFit(hypothesis, counts, tuple(failures))
    raise BaseFailedError(
        f"the base clusterer failed in round {number} with all {MAX_ATTEMPTS} replicates, the last time with "
        f"{failures[-1]}"
    )


def _replicate(number: int, attempt: int, task: RoundTask) -> Floats:
    """Return how often each point is drawn; the last attempt takes each of them once."""
    n = len(task.X)
    if attempt == MAX_ATTEMPTS - 1:
        return np.ones(n)
    weights = np.full(n, 1 / n) if task.weights is None else task.weights
    return _core.draw_replicate(weights, n, task.seed, number, attempt)


def _cluster(counts: Floats, number: int, attempt: int, task: RoundTask) -> BaseFit:
    """Cluster the points drawn: each once with its count as weight, or as often as it was drawn."""
    drawn = np.flatnonzero(counts)
    weights = None
    if task.base.takes_weights:
        weights = np.ascontiguousarray(counts[drawn])
    else:
        drawn = np.repeat(drawn, counts[drawn].astype(np.int64))
    part: Points = task.X.take(drawn, axis=0)  # much faster than an index
    found = _core.count_distinct(part, task.n_clusters)
    if found < task.n_clusters:
        raise ValueError(f"{found} distinct points were drawn for {task.n_clusters} clusters.")
    seed = _core.boosting_seed(task.seed, number, attempt)
    return task.base.fit(part, task.n_clusters, weights=weights, seed=seed, n_threads=task.n_threads)
