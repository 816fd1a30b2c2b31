"""Refining: a partition improved by single label changes, whichever consensus function it came from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from intarsia import _core
from intarsia.consensus.annealing.agreement import DEFAULT_MEASURE, MEASURES, CountedEnsemble, check_partition
from intarsia.consensus.annealing.schedule import Schedule
from intarsia.consensus.problem import Problem
from intarsia.consensus.protocol import Consensus
from intarsia.ensemble import Ensemble
from intarsia.ensemble.canonical import first_appearance
from intarsia.executor import Executor, resolve_threads
from intarsia.validation import check_option


def refine(
    ensemble: Any,
    labels: ArrayLike,
    measure: str = DEFAULT_MEASURE,
    *,
    n_threads: int | None = None,
    executor: Executor | None = None,
) -> Consensus:
    """Improve a partition until no single label change raises its mean agreement with the members.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        The members.
    labels : array of shape (n_samples,)
        The partition; none of its clusters vanishes.
    measure : str
        See `mean_agreement`.
    n_threads, executor
        Who computes; the result does not depend on it.
    """
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    check_option("measure", measure, tuple(MEASURES))
    start, k = check_partition(labels, given.n_samples)
    threads = resolve_threads(n_threads) if executor is None else executor.n_threads
    options = Schedule(temperature=0.0).core_options(given.n_samples, threads, seed=0, chain=0)
    found = _core.descend(*CountedEnsemble.of(given), start, k, MEASURES[measure], options)
    return Consensus(found[0], objective=found[1], history=tuple(found[2].tolist()))


def refined(problem: Problem, found: Consensus, refine_by: bool | str) -> Consensus:
    """Return an answer refined: labels alone, since memberships and meta-clusters do not go with them."""
    measure = DEFAULT_MEASURE if refine_by is True else str(refine_by)
    better = refine(problem.points, found.labels, measure, executor=problem.options.executor)
    names = np.argsort(first_appearance(better.labels, int(better.labels.max()) + 1)).astype(np.int32)
    note = "; ".join(part for part in (found.note, f"refined by {measure}") if part)
    return replace(better, labels=names[better.labels], note=note)
