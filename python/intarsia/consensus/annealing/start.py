"""Where annealing starts: another consensus function's answer, labels at hand, or random ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia._core import Stage
from intarsia.arrays import Labels
from intarsia.consensus.annealing.agreement import check_partition
from intarsia.consensus.problem import solve_points
from intarsia.consensus.protocol import ConsensusOptions
from intarsia.consensus.registry import METHODS
from intarsia.consensus.repair import fill_empty
from intarsia.ensemble import Ensemble
from intarsia.streams import generator
from intarsia.validation import check_option

RANDOM = "random"


def start_partitions(
    ensemble: Ensemble,
    k: int,
    start: Any,
    options: ConsensusOptions,
    n_chains: int,
    start_init: str | None = None,
) -> list[Labels]:
    """Return where each chain starts, n_chains times what `start` asks for: random labels are new each time.

    `start` is a name, one label a point, or a list of such; `start_init` is the `init` of named functions.
    """
    options = replace(options, params={} if start_init is None else {"init": start_init})
    wanted = _each(start)
    once = [None if _is_random(one) else _partition(ensemble, k, one, options) for one in wanted]
    return [
        _random(ensemble, k, options.seed, chain) if labels is None else labels
        for chain in range(n_chains)
        for labels in once
    ]


def _each(start: Any) -> list[str | ArrayLike]:
    if isinstance(start, str):
        return [start]
    several = list(start) if isinstance(start, Iterable) else []
    if not several:
        raise TypeError(f"start={start!r} should be a name, one label a point, or a list of such.")
    return several if all(isinstance(one, str) or np.ndim(one) == 1 for one in several) else [start]


def _is_random(start: str | ArrayLike) -> bool:
    return isinstance(start, str) and start == RANDOM


def _partition(ensemble: Ensemble, k: int, start: str | ArrayLike, options: ConsensusOptions) -> Labels:
    if not isinstance(start, str):
        return _given(ensemble, k, start)
    check_option("start", start, (*_names(), RANDOM))
    return _combined(ensemble, k, start, options)


def _names() -> tuple[str, ...]:
    return tuple(name for name in METHODS if not name.startswith("sa-"))  # no chain starts from itself


def _given(ensemble: Ensemble, k: int, start: ArrayLike) -> Labels:
    labels, n_found = check_partition(start, ensemble.n_samples)
    if n_found > k:
        raise ValueError(f"start has {n_found} clusters; it should have at most n_clusters={k}.")
    return fill_empty(ensemble, labels, k)


def _random(ensemble: Ensemble, k: int, seed: int, chain: int) -> Labels:
    rng = generator(seed, Stage.ANNEALING_START, chain)
    labels = rng.integers(k, size=ensemble.n_samples).astype(np.int32)
    return fill_empty(ensemble, labels, k)


def _combined(ensemble: Ensemble, k: int, method: str, options: ConsensusOptions) -> Labels:
    return solve_points(ensemble, k, method, options).labels
