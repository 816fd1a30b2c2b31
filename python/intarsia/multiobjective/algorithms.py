"""Which algorithms propose clusters: bases with grids of parameters, grouped where one fit serves several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import product
from math import inf
from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Labels, Points
from intarsia.base.protocol import NearestFit
from intarsia.base.registry import BASES, base_clusterer, check_base
from intarsia.base.runs import best_run
from intarsia.base.spectral import typical_distance
from intarsia.neighbours import Neighbours
from intarsia.validation import check_count

Grid = Mapping[str, Any]
Algorithms = Mapping[str, Grid] | Sequence[tuple[Any, Grid]]

#: Cuts of single link: outliers are cut off first, so that many are needed to see the clusters.
_CUTS = (2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40)
_SIGMAS = (0.5, 1.0, 2.0, 4.0)  # times the typical distance of neighbours
_FREE_COUNTS = range(2, 9)
_N_CLUSTERS = "n_clusters"
#: Parameters of a clusterer that each fit gives it, or that do not change its clusters.
_GIVEN = (_N_CLUSTERS, "random_state", "n_threads", "n_jobs", "verbose")


@dataclass(frozen=True)
class Instance:
    """One algorithm with its parameters."""

    algorithm: str
    parameters: Mapping[str, Any]

    @property
    def text(self) -> str:
        """Its parameters in a few words."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items())


@dataclass(frozen=True, eq=False)
class Family:
    """Instances that one fit serves: the same base and options, several numbers of clusters.

    Attributes
    ----------
    base : str or estimator
        The clusterer.
    options : mapping
        Its parameters, the number of clusters apart.
    counts : tuple of int
        Numbers of clusters; more than one only where the clusterer finds them together.
    n_init : int
        Starts of which the best counts, where a clusterer tells what its clusters cost.
    number : int
        Its number among all families: it names the streams of random numbers.
    """

    base: Any
    counts: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    n_init: int = 1
    number: int = 0

    @property
    def algorithm(self) -> str:
        """The name of the clusterer."""
        return self.base if isinstance(self.base, str) else type(self.base).__name__

    @property
    def text(self) -> str:
        """The clusterer and its parameters in a few words."""
        return f"{self.algorithm} ({'; '.join(one.text for one in self.instances())})"

    def identity(self) -> dict[str, Any]:
        """Return what its clusters depend on, as JSON can hold it."""
        own = {} if isinstance(self.base, str) else self.base.get_params()
        settings = {**own, **self.options}
        told = {name: _told(value) for name, value in settings.items() if name not in _GIVEN}
        return {"base": self.algorithm, "n_clusters": list(map(int, self.counts)), "settings": told}

    def instances(self) -> list[Instance]:
        """Return one for each number of clusters."""
        counted = isinstance(self.base, str) or _N_CLUSTERS in self.base.get_params()
        return [
            Instance(self.algorithm, {**({_N_CLUSTERS: k} if counted else {}), **self.options})
            for k in self.counts
        ]

    def label_all(self, X: Points, drawn: Any, seed: int, n_threads: int) -> list[Labels]:
        """Cluster the points drawn and label all of them, once for each number of clusters."""
        part = np.ascontiguousarray(X[drawn])
        left = np.setdiff1d(np.arange(len(X)), drawn)
        if _shares(self.base):
            found = self._shared_labels(part, X[left], seed, n_threads)
        else:
            found = [self._own_labels(part, X[left], k, seed, n_threads) for k in self.counts]
        return [_put(len(X), drawn, inside, left, outside) for inside, outside in found]

    def _shared_labels(self, part: Points, rest: Points, seed: int, n_threads: int) -> Any:
        clusterer: Any = base_clusterer(self.base, **self.options)
        found = clusterer.labels_for(part, self.counts, seed=seed % 2**31, n_threads=n_threads)
        nearest = Neighbours(part, n_threads).nearest(1, rest)[0][:, 0] if len(rest) else np.empty(0, int)
        return [(labels, labels[nearest]) for labels in found]

    def _own_labels(self, part: Points, rest: Points, k: int, seed: int, n_threads: int) -> Any:
        fit = self.fit(part, k, seed, n_threads)
        if len(rest) == 0 or fit.labels.max() < 0:  # where nothing was found, new points are in nothing too
            return fit.labels, np.full(len(rest), -1, dtype=np.int32)
        return fit.labels, fit.label(rest, n_threads)

    def labeller(self, X: Points, place: int, labels: Labels, seed: int, n_threads: int) -> Any:
        """Return what labels new points as one of the partitions of all points, X, does."""
        return (
            NearestFit(labels, points=X)
            if _shares(self.base)
            else self.fit(X, self.counts[place], seed, n_threads)
        )

    def fit(self, X: Points, k: int, seed: int, n_threads: int) -> Any:
        """Return the best of several starts."""
        clusterer = base_clusterer(self.base, prefer={"init": "k-means++"}, **self.options)
        _check_distinct(X, k)
        fits = [
            clusterer.fit(X, k, seed=seed, task=start, n_threads=n_threads) for start in range(self.n_init)
        ]
        return best_run(fits) if len(fits) > 1 else fits[0]


def families_of(algorithms: Algorithms, n_init: int, most: float = inf) -> list[Family]:
    """Return the families of some bases, each with its grid of parameters, in order.

    No family has numbers of clusters up to `most` and beyond: those beyond fail without the others.
    """
    pairs = algorithms.items() if isinstance(algorithms, Mapping) else algorithms
    if isinstance(algorithms, str):
        _pair(algorithms)
    made = [family for pair in pairs for family in _families(*_pair(pair), n_init, most)]
    if not made:
        raise ValueError("algorithms should name at least one clusterer.")
    return [replace(family, number=number) for number, family in enumerate(made)]


def default_algorithms(X: Points, n_clusters: int | None) -> list[tuple[str, Grid]]:
    """Return k-means, EM, single link and spectral clustering with parameters that fit the points."""
    most = _core.count_distinct(X, max(*_CUTS, *_FREE_COUNTS, 2 * (n_clusters or 0)))
    counts = _FREE_COUNTS if n_clusters is None else range(max(2, n_clusters - 2), n_clusters + 4)
    some = [k for k in counts if k <= most and k < len(X)] or [min(n_clusters or 2, most)]
    cuts = sorted({k for k in (*_CUTS, n_clusters or 2) if k <= most // 2}) or [1]
    if n_clusters == 1:
        some = [1, *some]
    scale = typical_distance(X)
    return [
        ("kmeans", {_N_CLUSTERS: some}),
        ("gmm", {_N_CLUSTERS: some}),
        ("single-link", {_N_CLUSTERS: cuts}),
        ("spectral", {_N_CLUSTERS: some, "sigma": [factor * scale for factor in _SIGMAS]}),
    ]


def _pair(given: Any) -> tuple[Any, Grid]:
    if isinstance(given, str) or not (isinstance(given, Sequence) and len(given) == 2):
        raise TypeError(
            f"algorithms should be pairs of a clusterer and its grid of parameters, got {given!r}."
        )
    if not isinstance(given[1], Mapping):
        raise TypeError(
            f"the grid of {given[0]!r} should map names of parameters to values, got {given[1]!r}."
        )
    return given[0], given[1]


def _families(base: Any, grid: Grid, n_init: int, most: float) -> Iterable[Family]:
    check_base(base)
    axes = {name: _values(value) for name, value in grid.items()}
    counts = [check_count(_N_CLUSTERS, k) for k in axes.pop(_N_CLUSTERS, None) or [_default_count(base)]]
    starts = n_init if isinstance(base, str) and BASES[base].is_random and BASES[base].n_runs > 1 else 1
    for values in product(*axes.values()):
        options = dict(zip(axes, values, strict=True))
        base_clusterer(base, **options)  # unknown options are refused before any work
        if _shares(base):
            together = tuple(k for k in counts if k <= most)
            beyond = [(k,) for k in counts if k > most]
            yield from (Family(base, some, options) for some in (together, *beyond) if some)
        else:
            yield from (Family(base, (k,), options, starts) for k in counts)


def _told(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    return getattr(value, "__qualname__", None) or repr(value)  # the repr of a function is another each time


def _values(given: Any) -> list[Any]:
    return list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def _default_count(base: Any) -> int:
    if isinstance(base, str):
        raise ValueError(f"the grid of {base!r} should have n_clusters.")
    return int(base.get_params().get(_N_CLUSTERS) or 1)


def _shares(base: Any) -> bool:
    return isinstance(base, str) and hasattr(BASES[base].load(), "labels_for")


def _check_distinct(X: Points, k: int) -> None:
    found = _core.count_distinct(X, k)
    if found < k:
        raise ValueError(f"{found} distinct points were drawn for {k} clusters.")


def _put(n: int, drawn: Any, inside: Labels, left: Any, outside: Labels) -> Labels:
    labels = np.empty(n, dtype=np.int32)
    labels[drawn], labels[left] = inside, outside
    return labels
