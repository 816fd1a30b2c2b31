"""The rounds aggregated by a consensus function instead of the vote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia.arrays import Labels
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor

VOTE = "vote"

#: Takes the rounds and the number of clusters and returns labels.
Aggregate = Callable[[Ensemble, int], ArrayLike]


def check_aggregate(aggregate: str | Aggregate, params: Mapping[str, Any] | None) -> None:
    """Refuse what is neither the vote nor a consensus function."""
    if not callable(aggregate) and aggregate != VOTE:
        known = _consensus().METHODS
        if aggregate not in known:
            names = ", ".join(map(repr, known))
            raise ValueError(f"aggregate={aggregate!r} should be one of {names} or a function.")
    if params and (callable(aggregate) or aggregate == VOTE):
        raise ValueError(f"aggregate_params is for consensus functions, not for aggregate={aggregate!r}.")


def combine_rounds(
    rounds: Ensemble,
    n_clusters: int,
    aggregate: str | Aggregate,
    params: Mapping[str, Any] | None,
    *,
    seed: int,
    n_threads: int,
    executor: Executor,
) -> Labels:
    """Return the clusters that a consensus function makes of the rounds."""
    if callable(aggregate):
        labels = np.asarray(aggregate(rounds, n_clusters))
        if labels.shape != (rounds.n_samples,) or labels.dtype.kind not in "iu":
            raise ValueError(
                f"aggregate returned shape {labels.shape} of {labels.dtype}; it should be "
                f"({rounds.n_samples},) of whole numbers."
            )
        return labels.astype(np.int32)
    who = {"random_state": seed, "n_threads": n_threads, "executor": executor}
    labels = _consensus().combine(rounds, n_clusters, aggregate, **who, **dict(params or {}))
    return np.asarray(labels, dtype=np.int32)


def _consensus() -> Any:
    # by name and when asked for: two methods must not lean on each other, and a vote needs no consensus
    return import_module("intarsia.consensus")
