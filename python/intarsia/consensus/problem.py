"""What consensus functions work on, a canonical ensemble's distinct rows, and the way back to all points."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from intarsia.arrays import Ids
from intarsia.consensus.protocol import Consensus, ConsensusOptions, NotRunError, OnlyNames
from intarsia.consensus.registry import METHODS, wants_every_point
from intarsia.consensus.repair import fill_empty
from intarsia.ensemble import Ensemble
from intarsia.ensemble.canonical import first_appearance
from intarsia.executor import Executor, use_executor
from intarsia.executor.choose import agreed_seed, check_same_call
from intarsia.validation import check_n_clusters


@dataclass(frozen=True, eq=False)
class Problem:
    """A canonical ensemble, its distinct rows, each point's row, each column's original, and the options."""

    points: Ensemble
    rows: Ensemble
    inverse: Ids
    columns: Ids
    options: ConsensusOptions


def make_problem(
    function: str,
    ensemble: Any,
    random_state: Any,
    n_threads: int | None,
    executor: Executor | None,
    params: Mapping[str, Any],
    **call: Any,
) -> Problem:
    """Bring an ensemble, or labels, into the form that consensus functions take.

    `call` is what else the function was asked for: ranks have to ask for the same.
    """
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    who = use_executor(executor, n_threads)
    arrays = {field.name: getattr(given, field.name) for field in fields(given)}
    check_same_call(who, function, **call, options=params, random_state=random_state, **arrays)
    options = ConsensusOptions(agreed_seed(random_state, who), who.n_threads, who, params)
    canonical, columns = given.canonical_form()
    rows, inverse = canonical.merged()
    return Problem(canonical, rows, inverse, columns, options)


def check_k(n_clusters: Any, problem: Problem) -> int:
    """Return k if it is not above the number of points and of distinct rows."""
    k = check_n_clusters(n_clusters, len(problem.inverse))
    if k > problem.rows.n_samples:
        n_rows = problem.rows.n_samples
        raise ValueError(f"number of distinct rows of the ensemble={n_rows} should be >= n_clusters={k}.")
    return k


def problem_for(problem: Problem, method: str) -> Problem:
    """Return the problem as a method sees it: by its distinct rows, or by all its points."""
    if not wants_every_point(method, problem.options.params, problem.points.n_samples):
        return problem
    return replace(problem, rows=problem.points, inverse=np.arange(problem.points.n_samples))


def solve(problem: Problem, k: int, method: str) -> Consensus:
    """Run one consensus function and return its answer for all points."""
    seen = problem_for(problem, method)
    return expand(solve_rows(seen.rows, k, method, seen.options), k, seen)


def solve_points(
    points: Ensemble,
    k: int,
    method: str,
    options: ConsensusOptions,
    merged: tuple[Ensemble, Ids] | None = None,
) -> Consensus:
    """Run one consensus function on what it wants to see of points that may be alike: as `combine` does.

    `merged` is `points.merged()`, from whoever has it already.
    """
    if wants_every_point(method, options.params, points.n_samples):
        return solve_rows(points, k, method, options)
    rows, inverse = merged or points.merged()
    found = solve_rows(rows, k, method, options)
    soft = None if found.memberships is None else found.memberships[inverse]
    return replace(found, labels=found.labels[inverse], memberships=soft)


def solve_rows(rows: Ensemble, k: int, method: str, options: ConsensusOptions) -> Consensus:
    """Run one consensus function on rows; exactly k clusters come out, unless empty ones are allowed."""
    if options.params and k in (1, rows.n_samples):
        _check_names(rows, k, method, options)
    if k == 1:
        return Consensus(np.zeros(rows.n_samples, dtype=np.int32))
    if k == rows.n_samples:
        return Consensus(np.arange(k, dtype=np.int32), note="as many clusters as distinct rows")
    found = METHODS[method](rows, k, options)
    if found.labels.min() < 0 or found.labels.max() >= k:
        seen = f"{found.labels.min()} to {found.labels.max()}"
        raise ValueError(f"{method} gave labels from {seen}, need 0 to {k - 1}.")
    return found if options.params.get("allow_empty") else _with_every_cluster(found, rows, k, method)


def _check_names(rows: Ensemble, k: int, method: str, options: ConsensusOptions) -> None:
    """Refuse options that the method does not have, where it is not run."""
    with suppress(NotRunError):
        METHODS[method](rows, k, OnlyNames(params=options.params))


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
