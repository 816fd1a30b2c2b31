"""`combine`: canonical form, merged rows, one consensus function, and its answer for all points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from intarsia.arrays import Ids, Labels
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.registry import METHODS
from intarsia.consensus.repair import fill_empty
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.ensemble.canonical import canonical_form, first_appearance
from intarsia.executor import Executor, make_executor, resolve_threads
from intarsia.validation import check_n_clusters, check_option, seed_from


def combine(
    ensemble: Any,
    n_clusters: int,
    method: str = "mcla",
    *,
    random_state: Any = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    **params: Any,
) -> Labels:
    """Return one clustering of exactly n_clusters non-empty clusters, made from many.

    Parameters
    ----------
    ensemble : Ensemble, list of label vectors, or array of shape (n_samples, n_members)
        The clusterings to combine.
    n_clusters : int
        At most the number of distinct rows of the ensemble.
    method : str
        One of `intarsia.consensus.METHODS`.
    random_state : int, RandomState, Generator or None
        Seed.
    n_threads, executor
        Who computes; the result does not depend on it.
    **params
        The method's own options.

    Notes
    -----
    The result depends neither on the names of labels nor on the order of members. Clusters are numbered by
    first appearance.
    """
    return combine_full(
        ensemble,
        n_clusters,
        method,
        random_state=random_state,
        n_threads=n_threads,
        executor=executor,
        **params,
    ).labels


def combine_full(
    ensemble: Any,
    n_clusters: int,
    method: str = "mcla",
    *,
    random_state: Any = None,
    n_threads: int | None = None,
    executor: Executor | None = None,
    **params: Any,
) -> Consensus:
    """Return all that `combine` finds: labels and, where the method has them, memberships and so on."""
    given = ensemble if isinstance(ensemble, Ensemble) else Ensemble.from_labels(ensemble)
    check_option("method", method, tuple(METHODS))
    k = check_n_clusters(n_clusters, given.n_samples)
    threads = resolve_threads(n_threads)
    options = ConsensusOptions(seed_from(random_state), threads, executor or make_executor(threads), params)
    canonical, columns = canonical_form(given)
    rows, inverse = canonical.merged()
    if k > rows.n_samples:
        raise ValueError(
            f"number of distinct rows of the ensemble={rows.n_samples} should be >= n_clusters={k}."
        )
    return _expand(_combine_rows(rows, k, method, options), k, inverse, columns)


def _combine_rows(rows: Ensemble, k: int, method: str, options: ConsensusOptions) -> Consensus:
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
    return replace(found, labels=fill_empty(rows, found.labels, k), note=_joined(found.note, note))


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _expand(found: Consensus, k: int, inverse: Ids, columns: Ids) -> Consensus:
    """Give every point its row's answer and every input cluster its own; number clusters by appearance."""
    labels = found.labels[inverse]
    order = first_appearance(labels, k)
    names = np.empty(k, dtype=np.int32)
    names[order] = np.arange(k)
    soft = None if found.memberships is None else found.memberships[:, order][inverse]
    meta = found.meta_clusters
    if meta is not None:
        renamed = np.empty(len(columns), dtype=np.int32)
        renamed[columns] = np.where(meta >= 0, names[meta], -1)
        meta = renamed
    return replace(found, labels=names[labels], memberships=soft, meta_clusters=meta)
