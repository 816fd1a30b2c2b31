"""`combine`: one clustering from many, by any consensus function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.consensus.annealing.refine import refined
from intarsia.consensus.choose_k import choose_from
from intarsia.consensus.problem import Problem, check_k, make_problem, solve
from intarsia.consensus.protocol import Consensus
from intarsia.consensus.registry import METHODS
from intarsia.executor import Executor
from intarsia.validation import check_option


def combine(
    ensemble: Any,
    n_clusters: int | None,
    method: str = "mcla",
    *,
    random_state: Any = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    refine: bool | str = False,
    **params: Any,
) -> Labels:
    """Return one clustering of exactly n_clusters non-empty clusters (unless `allow_empty`), made from many.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        The clusterings to combine.
    n_clusters : int or None
        At most the number of distinct rows of the ensemble; None chooses it (see `choose_k`).
    method : str
        One of `intarsia.consensus.METHODS`. "best" keeps the answer of highest average NMI among several
        methods; "all" returns every method's labels as columns, in the order of METHODS, -1 where it refuses.
    random_state : int, RandomState, Generator or None
        Seed.
    n_threads, executor
        Who computes; the result does not depend on it.
    refine : bool or str
        Improve the answer by single label changes until none raises its mean agreement with the members:
        the corrected Rand index, or the measure named (see `mean_agreement`).
    **params
        The method's own options; `intarsia.consensus.AS_PRINTED[method]` gives a method as published.

    Notes
    -----
    The result depends neither on the names of labels nor on the order of members. Clusters are numbered by
    first appearance.
    """
    who: dict[str, Any] = {"random_state": random_state, "n_threads": n_threads, "executor": executor}
    if method != "all":
        return combine_full(ensemble, n_clusters, method, **who, refine=refine, **params).labels
    if params or refine:
        unwanted = next(iter(params), "refine")
        raise TypeError(f"method='all' takes no options of single methods, got {unwanted!r}.")
    return combine_all(ensemble, n_clusters, **who).table()


def combine_full(
    ensemble: Any,
    n_clusters: int | None,
    method: str = "mcla",
    *,
    random_state: Any = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    refine: bool | str = False,
    **params: Any,
) -> Consensus:
    """Return all that `combine` finds: labels and, where the method has them, memberships and so on."""
    call = {"n_clusters": n_clusters, "method": method, "refine": refine}
    problem = make_problem("combine", ensemble, random_state, n_threads, executor, params, **call)
    check_option("method", method, tuple(METHODS))
    if n_clusters is None:
        found = choose_from(problem, method).consensus
    else:
        found = solve(problem, check_k(n_clusters, problem), method)
    return refined(problem, found, refine) if refine else found


@dataclass(frozen=True, eq=False)
class AllAnswers:
    """The answer of every method, and why some gave none."""

    answers: dict[str, Consensus]
    refusals: dict[str, str]

    def table(self) -> Labels:
        """Return the labels side by side, in the order of METHODS; -1 where a method refused."""
        missing = np.full(len(next(iter(self.answers.values())).labels), -1, dtype=np.int32)
        names = [name for name in METHODS if name in self.answers or name in self.refusals]
        return np.column_stack([self.answers[n].labels if n in self.answers else missing for n in names])


def combine_all(
    ensemble: Any,
    n_clusters: int | None,
    *,
    random_state: Any = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
) -> AllAnswers:
    """Run every method with its default options; `n_clusters=None` chooses k by "best"."""
    call = {"n_clusters": n_clusters, "method": "all"}
    problem = make_problem("combine", ensemble, random_state, n_threads, executor, {}, **call)
    chosen = choose_from(problem, "best").n_clusters if n_clusters is None else n_clusters
    k = check_k(chosen, problem)
    answers: dict[str, Consensus] = {}
    refusals: dict[str, str] = {}
    for method in METHODS:
        if method != "best":
            _try(problem, k, method, answers, refusals)
    return AllAnswers(answers, refusals)


def _try(
    problem: Problem, k: int, method: str, answers: dict[str, Consensus], refusals: dict[str, str]
) -> None:
    try:
        answers[method] = solve(problem, k, method)
    except (ValueError, ImportError) as error:
        refusals[method] = str(error)
