"""Which number of clusters is the most stable: runs with other draws should give the same partition."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia.arrays import Labels
from intarsia.boosting.fitting import RoundsFit
from intarsia.executor import Executor, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.metrics import adjusted_rand_index
from intarsia.validation import check_count

#: Runs for each number of clusters.
N_REPEATS = 5
#: Agreements are equal if they differ by less.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Stability:
    """One number of clusters, and the mean adjusted Rand index between two of its runs."""

    n_clusters: int
    agreement: float


class _Run(NamedTuple):
    n_clusters: int
    repeat: int


def most_stable(
    model: RoundsFit,
    X: ArrayLike,
    k_range: tuple[int, int],
    *,
    n_repeats: int = N_REPEATS,
    executor: Executor | None = None,
    on_done: Callable[[int], None] | None = None,
) -> tuple[int, tuple[Stability, ...]]:
    """Return the number of clusters whose partition changes least when everything is drawn anew.

    Parameters
    ----------
    model : BoostClustering or BaggingClustering
        What to run; its `n_clusters` is not looked at.
    X : array of shape (n_samples, n_features)
        The points.
    k_range : (int, int)
        Least (2 or more) and most clusters to try.
    n_repeats : int
        Runs for each number; the first has the seed of the model, the others seeds next to it.
    executor : Executor, optional
        Who computes: each run is a task of its own, and the result does not depend on it.
    on_done : callable, optional
        Called with the number of runs done.

    Returns
    -------
    n_clusters, scores
        The number of highest agreement (the larger of equal ones: a stable union scores like its parts), and
        the agreement of each: the mean adjusted Rand index over all pairs of runs.
    """
    low, high = k_range
    if not 2 <= low <= high:
        raise ValueError(f"k_range={k_range} should have 2 <= least <= most: one cluster is always stable.")
    check_count("n_repeats", n_repeats, least=2)
    points = np.asarray(X)
    who = use_executor(executor, model.n_threads)
    check_same_fit(who, model, k_range=k_range, n_repeats=n_repeats, X=points)
    seed = agreed_seed(model.random_state, who)
    tasks = [_Run(k, repeat) for k in range(low, high + 1) for repeat in range(n_repeats)]
    with warnings.catch_warnings():  # here, not in the tasks: threads share the filters
        warnings.simplefilter("ignore", UserWarning)  # the run that is kept is made again, and says it then
        found = who.map(_labels, tasks, (model, points, seed), on_done)
    scores = tuple(
        Stability(k, _agreement([labels for task, labels in zip(tasks, found, strict=True) if task[0] == k]))
        for k in range(low, high + 1)
    )
    best = max(score.agreement for score in scores)
    return max(s.n_clusters for s in scores if s.agreement >= best - ROUNDING), scores


def _labels(task: _Run, shared: tuple[RoundsFit, NDArray[Any], int]) -> Labels:
    model, points, seed = shared
    asked = model.get_params(deep=False) | {
        "n_clusters": task.n_clusters,
        "random_state": seed + task.repeat,
        "n_threads": 1,
        "executor": None,
        "callback": None,
        "keep_weights": False,
    }
    return type(model)(**asked).fit(points).labels_


def _agreement(answers: list[Labels]) -> float:
    return float(np.mean([adjusted_rand_index(a, b) for a, b in combinations(answers, 2)]))
