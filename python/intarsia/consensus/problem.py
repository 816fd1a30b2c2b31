"""What consensus functions work on, a canonical ensemble's distinct rows, and the way back to all points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from intarsia.arrays import Ids
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.registry import METHODS, WANTS_EVERY_POINT
from intarsia.consensus.repair import fill_empty
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.ensemble.canonical import canonical_form, first_appearance
from intarsia.executor import Executor, make_executor, resolve_threads
from intarsia.validation import check_n_clusters, seed_from


@dataclass(frozen=True, eq=False)
class Problem:
    """A canonical ensemble, its distinct rows, each point's row, each column's original, and the options."""

    points: Ensemble
    rows: Ensemble
    inverse: Ids
    columns: Ids
    options: ConsensusOptions


def make_problem(
    ensemble: Any,
    random_state: Any,
    n_threads: int | None,
    executor: Executor | None,
    params: Mapping[str, Any],
) -> Problem:
    """Bring an ensemble, or labels, into the form that consensus functions take."""
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    threads = resolve_threads(n_threads)
    options = ConsensusOptions(seed_from(random_state), threads, executor or make_executor(threads), params)
    canonical, columns = canonical_form(given)
    rows, inverse = canonical.merged()
    return Problem(canonical, rows, inverse, columns, options)


def check_k(n_clusters: Any, problem: Problem) -> int:
    """Return k if it is not above the number of points and of distinct rows."""
    k = check_n_clusters(n_clusters, len(problem.inverse))
    if k > problem.rows.n_samples:
        n_rows = problem.rows.n_samples
        raise ValueError(f"number of distinct rows of the ensemble={n_rows} should be >= n_clusters={k}.")
    return k


def solve(problem: Problem, k: int, method: str) -> Consensus:
    """Run one consensus function and return its answer for all points."""
    if method in WANTS_EVERY_POINT:
        problem = replace(problem, rows=problem.points, inverse=np.arange(problem.points.n_samples))
    return expand(solve_rows(problem.rows, k, method, problem.options), k, problem)


def solve_rows(rows: Ensemble, k: int, method: str, options: ConsensusOptions) -> Consensus:
    """Run one consensus function on distinct rows; exactly k clusters come out."""
    if k == 1:
        return Consensus(np.zeros(rows.n_samples, dtype=np.int32))
    if k == rows.n_samples:
        return Consensus(np.arange(k, dtype=np.int32), note="as many clusters as distinct rows")
    return _with_every_cluster(METHODS[method](rows, k, options), rows, k, method)


def _with_every_cluster(found: Consensus, rows: Ensemble, k: int, method: str) -> Consensus:
    n_found = len(np.unique(found.labels))
    if n_found == k:
        return found
    note = f"{method} gave {n_found} of {k} clusters; {k - n_found} split off"
    notes = "; ".join(part for part in (found.note, note) if part)
    return replace(found, labels=fill_empty(rows, found.labels, k), note=notes)


def expand(found: Consensus, k: int, problem: Problem) -> Consensus:
    """Give every point its row's answer and every input cluster its own; number clusters by appearance."""
    order = first_appearance(found.labels[problem.inverse], k)
    names = np.empty(k, dtype=np.int32)
    names[order] = np.arange(k)
    soft = None if found.memberships is None else found.memberships[:, order][problem.inverse]
    meta = found.meta_clusters
    if meta is not None:
        renamed = np.empty(len(problem.columns), dtype=np.int32)
        renamed[problem.columns] = np.where(meta >= 0, names[meta], -1)
        meta = renamed
    return replace(found, labels=names[found.labels][problem.inverse], memberships=soft, meta_clusters=meta)
