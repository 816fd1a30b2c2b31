"""Choosing k: consensus for a range of k, scored by agreement with the members and by stability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from intarsia._core import Stage
from intarsia.arrays import Labels
from intarsia.consensus.problem import (
    Problem,
    check_k,
    expand,
    make_problem,
    problem_for,
    solve_points,
    solve_rows,
)
from intarsia.consensus.protocol import Consensus
from intarsia.consensus.registry import METHODS
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor
from intarsia.metrics.consensus_matrix import pac
from intarsia.metrics.ensembles import anmi
from intarsia.streams import generator
from intarsia.validation import check_count, check_option

_MOST = 20  # largest k tried by default


@dataclass(frozen=True)
class KScore:
    """One k: average NMI of its consensus with the members, and ambiguous pairs between halves of them."""

    n_clusters: int
    anmi: float
    pac: float


@dataclass(frozen=True, eq=False)
class KChoice:
    """The k of highest average NMI, its consensus, and the scores of every k tried."""

    n_clusters: int
    consensus: Consensus
    scores: tuple[KScore, ...]


def choose_k(
    ensemble: Any,
    method: str = "mcla",
    *,
    k_range: tuple[int, int] | None = None,
    n_resamples: int = 10,
    random_state: Any = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    **params: Any,
) -> KChoice:
    """Try a range of k and take the one whose consensus agrees most with the members.

    Parameters
    ----------
    ensemble, method, random_state, n_threads, executor, **params
        As in `combine`.
    k_range : (int, int), optional
        Least and most k; by default 2 to the most clusters of a member, at most 20.
    n_resamples : int
        Random halves of the members combined for each k; PAC, the proportion of ambiguous pairs, is that of
        these consensus clusterings: low where half of the members would give the same answer. 0: no PAC.
    """
    call = {"method": method, "k_range": k_range, "n_resamples": n_resamples}
    problem = make_problem("choose_k", ensemble, random_state, n_threads, executor, params, **call)
    check_option("method", method, tuple(METHODS))
    return choose_from(problem, method, k_range, n_resamples)


def choose_from(
    problem: Problem, method: str, k_range: tuple[int, int] | None = None, n_resamples: int = 10
) -> KChoice:
    """Choose k for a prepared ensemble."""
    low, high = _range(problem, k_range)
    check_count("n_resamples", n_resamples, least=0)
    problem = problem_for(problem, method)
    answers = {k: solve_rows(problem.rows, k, method, problem.options) for k in range(low, high + 1)}
    scores = tuple(
        KScore(
            k, anmi(found.labels, problem.rows), _stability(*_winner(problem, method, found), k, n_resamples)
        )
        for k, found in answers.items()
    )
    chosen = max(scores, key=lambda score: (round(score.anmi, 12), -score.n_clusters)).n_clusters
    found = answers[chosen]
    noted = replace(found, note="; ".join(n for n in (f"k = {chosen} of {low} to {high}", found.note) if n))
    return KChoice(chosen, expand(noted, chosen, problem), scores)


def _range(problem: Problem, k_range: tuple[int, int] | None) -> tuple[int, int]:
    n_rows = problem.rows.n_samples
    if k_range is None:
        most = max(2, min(_MOST, int(problem.rows.n_classes.max())))
        return min(2, n_rows), min(most, n_rows)
    low, high = (check_k(k, problem) for k in k_range)
    if low > high:
        raise ValueError(f"k_range={k_range} should have the smaller k first.")
    return low, high


def _winner(problem: Problem, method: str, found: Consensus) -> tuple[Problem, str]:
    """Return the problem for the one method whose answer was kept: halves are combined by it alone."""
    if not found.method:
        return problem, method
    return replace(problem, options=replace(problem.options, params={})), found.method


def _stability(problem: Problem, method: str, k: int, n_resamples: int) -> float:
    """Return PAC over consensus clusterings of random halves of the members (NaN without two of them)."""
    answers = [_of_half(problem, k, method, sample) for sample in range(n_resamples)]
    table = [labels for labels in answers if labels is not None]
    if len(table) < 2:
        return float("nan")
    labels = np.column_stack(table)
    known = (labels >= 0).any(axis=1)
    halves = Ensemble.from_labels(labels[known])
    return pac(replace(halves, point_weights=problem.rows.point_weights[known]))


def _of_half(problem: Problem, k: int, method: str, sample: int) -> Labels | None:
    """Combine a random half of the members; None where it has fewer than k distinct rows."""
    rows = problem.rows
    rng = generator(problem.options.seed, Stage.HALVES, sample)
    chosen = np.sort(rng.choice(rows.n_members, (rows.n_members + 1) // 2, replace=False))
    known = np.asarray((rows.labels[:, chosen] >= 0).any(axis=1))
    half = rows.subset(chosen, known)
    if half.merged()[0].n_samples < k:
        return None
    labels = np.full(rows.n_samples, -1, dtype=np.int32)
    labels[known] = solve_points(half, k, method, problem.options).labels
    return labels
