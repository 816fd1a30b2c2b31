"""Several starts of one partitioning kernel over rows of labels; the cheapest result counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.consensus.labels.random_start import random_labels, random_points
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count, check_option

#: Where runs start: k rows that differ much, k random points, or a random label for each point.
INITS = ("spread", "random", "partition")


@dataclass(frozen=True)
class Restart:
    """One partition of the rows and what it costs."""

    labels: Labels
    cost: float
    n_iter: int
    converged: bool
    history: Floats

    def as_consensus(self) -> Consensus:
        """Return it as a consensus function's answer."""
        note = "" if self.converged else f"stopped after {self.n_iter} iterations"
        return Consensus(self.labels, objective=self.cost, history=tuple(self.history.tolist()), note=note)


@dataclass(frozen=True)
class _Shared:
    rows: Ensemble
    k: int
    seed: int
    n_threads: int
    kernel: str
    init: str
    settings: Mapping[str, Any]


def kernel_rows(rows: Ensemble) -> _core.LabelEnsemble:
    """Return the rows as the kernels read them."""
    return _core.LabelEnsemble(
        rows.labels, rows.n_classes, rows.memberships, rows.member_weights, rows.point_weights
    )


def hardened(rows: Ensemble) -> Ensemble:
    """Return the rows by their labels alone."""
    return replace(rows, memberships=None)


def best_restart(
    rows: Ensemble,
    k: int,
    options: ConsensusOptions,
    kernel: str,
    n_init: int,
    init: str = "spread",
    **settings: Any,
) -> Restart:
    """Return the cheapest of n_init runs of a kernel of `LabelEnsemble`, the first one among equals.

    A start (see INITS) is drawn from (seed, run number) alone.
    """
    check_option("init", init, INITS)
    check_count("n_init", n_init)
    check_count("max_iter", settings["max_iter"])
    # runs side by side need no threads inside
    inner = options.n_threads if options.executor.n_workers == 1 else 1
    shared = _Shared(rows, k, options.seed, inner, kernel, init, settings)
    return min(options.executor.map(_run, range(n_init), shared), key=lambda run: run.cost)


def _run(task: int, shared: _Shared) -> Restart:
    rows = kernel_rows(shared.rows)
    start = _start(rows, shared, task)
    kernel = getattr(rows, shared.kernel)
    return Restart(*kernel(start, shared.k, **shared.settings, n_threads=shared.n_threads))


def _start(rows: _core.LabelEnsemble, shared: _Shared, task: int) -> Labels:
    if shared.init == "spread":
        return rows.seeded(shared.k, shared.seed, task, shared.n_threads)
    if shared.init == "partition":
        return random_labels(shared.rows.n_samples, shared.k, shared.seed, task)
    chosen = random_points(shared.rows, shared.k, shared.seed, task)
    return rows.nearest(np.ascontiguousarray(shared.rows.labels[chosen]), shared.n_threads)


def init_defaults(init: Any, **usual: Any) -> dict[str, Any]:
    """Return the usual settings, with a single start where it is a plain random one."""
    check_option("init", init, INITS)
    return usual if init == "spread" else {**usual, "n_init": 1}
