"""The methods compared: each takes points, k, a seed and CPU budgets, and returns a mark for each budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans

from intarsia import _core
from intarsia.arrays import Floats
from intarsia.base.registry import base_clusterer
from intarsia.bench.measure import cost_of
from intarsia.bench.quality.anytime import Labels, Mark, repeat_until
from intarsia.bench.quality.hgmeans import hgmeans_marks
from intarsia.clock import Clock
from intarsia.examce.estimator import Examce

Marks: TypeAlias = Callable[[Floats, int, int, Sequence[float], int], list[Mark]]

_SEED_STRIDE = 100_000  # restarts of one seed never meet those of the next
_CHUNK_SECONDS = 0.02  # short beside the smallest budget


def ours(X: Floats, k: int, seed: int, budgets: Sequence[float], n_threads: int) -> list[Mark]:
    """Run EXAMCE once for the one budget given; an infinite budget means default effort."""
    (budget,) = budgets  # the time limit is part of the search: no other budget can be read off its course
    clock = Clock()
    model = Examce(
        k, time_limit=None if math.isinf(budget) else budget, random_state=seed, n_threads=n_threads
    )
    model.fit(X)
    cpu, wall = clock.cpu_seconds(), clock.seconds()
    return [Mark(budget, cost_of(X, model.labels_), cpu, wall, 1, str(model.status_))]


def sklearn_restarts(X: Floats, k: int, seed: int, budgets: Sequence[float], n_threads: int) -> list[Mark]:
    """Repeat scikit-learn's k-means from k-means++ starts; the best counts."""
    return _restart_marks(lambda r: SklearnKMeans(k, n_init=1, random_state=r), X, seed, budgets)


def bkmeans_restarts(X: Floats, k: int, seed: int, budgets: Sequence[float], n_threads: int) -> list[Mark]:
    """Repeat breathing k-means; the best counts."""
    breathing = import_module("bkmeans").BKMeans
    return _restart_marks(lambda r: breathing(n_clusters=k, random_state=r), X, seed, budgets)


def random_swaps(X: Floats, k: int, seed: int, budgets: Sequence[float], n_threads: int) -> list[Mark]:
    """Swap from one HK-means run, in chunks, until the largest budget is used."""
    course = repeat_until(max(budgets), _Swaps(X, k, seed))
    return [course.mark(X, budget) for budget in budgets]


@dataclass(frozen=True)
class Rival:
    """A method, the module it needs, and whether one process can serve several budgets."""

    name: str
    marks: Marks
    module: str
    is_peer: bool = True
    one_process: bool = True

    @property
    def is_installed(self) -> bool:
        """Whether its module can be imported."""
        return find_spec(self.module) is not None


OURS = "intarsia"
RIVALS: dict[str, Rival] = {
    rival.name: rival
    for rival in (
        Rival(OURS, ours, "intarsia", is_peer=False, one_process=False),
        Rival("sklearn", sklearn_restarts, "sklearn"),
        Rival("bkmeans", bkmeans_restarts, "bkmeans"),
        Rival("hgmeans", hgmeans_marks, "hgmeans"),
        Rival("random-swap", random_swaps, "intarsia", is_peer=False),
    )
}
PEERS = tuple(name for name, rival in RIVALS.items() if rival.is_peer)


def warm_up(rival: Rival, n_threads: int) -> None:
    """Run once on a few points, so that imports and first calls are not measured."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    rival.marks(X, 3, 0, [0.01], n_threads)


def _restart_marks(make: Callable[[int], Any], X: Floats, seed: int, budgets: Sequence[float]) -> list[Mark]:
    def attempt(number: int) -> tuple[Labels, float]:
        model = make(seed * _SEED_STRIDE + number).fit(X)
        return model.labels_, float(model.inertia_)

    course = repeat_until(max(budgets), attempt)
    return [course.mark(X, budget) for budget in budgets]


class _Swaps:
    """One long random-swap search, cut into chunks of a useful length."""

    def __init__(self, X: Floats, k: int, seed: int) -> None:
        self._X, self._k, self._seed = X, k, seed
        self._labels: Labels = np.empty(0, dtype=np.int32)
        self._n_swaps = 32

    def __call__(self, number: int) -> tuple[Labels, float]:
        if number == 0:
            start = base_clusterer("hk-means", init="k-means++")
            self._labels = start.fit(self._X, self._k, seed=self._seed).labels
        else:
            self._swap(number)
        return self._labels, _core.summarise(self._X, None, self._labels, self._k)[2]

    def _swap(self, number: int) -> None:
        clock = Clock()
        self._labels, _ = _core.random_swap(
            self._X, None, self._labels, self._k, self._n_swaps, self._seed, number
        )
        if clock.cpu_seconds() < _CHUNK_SECONDS:
            self._n_swaps *= 2
