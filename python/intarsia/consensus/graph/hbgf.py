"""HBGF and sHBGF: the graph of points and clusters cut into k parts, by METIS or by its spectrum."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.consensus.graph.meta_graph import NOT_SOFT
from intarsia.consensus.graph.metis import partition
from intarsia.consensus.graph.row_groups import ALIKE, check_alike, group_alike
from intarsia.consensus.graph.spectral import spectral_parts
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.consensus.repair import fill_empty
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count, check_option

#: Beyond this many distinct rows METIS sees N_GROUPS groups of similar rows; the cut is then refined by rows.
#: Left alone, METIS cannot shrink this kind of graph (points have no common edges) and cuts it badly.
MAX_ROWS = 4_096
N_GROUPS = 1_024
#: How much heavier than the mean a part may be: what METIS allows.
IMBALANCE = 1.03
_MAX_PASSES = 20
#: METIS cuts a graph badly that joins every point to every cluster. It sees the soft graph without edges
#: below these shares of a point's heaviest edge to the same member; the least cut of the whole graph counts.
_WITHOUT = (0.1, 0.01)


def hbgf(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Cut the graph that joins each point to its clusters; a soft ensemble is taken as its likely labels.

    Options
    -------
    solver : {"metis", "spectral"}
        "metis": balanced parts, least cut. "spectral": k-means on the leading singular vectors.
    max_rows : int
        Beyond this many rows METIS works on 1,024 groups of similar rows (or 4 k), and the cut of the whole
        graph is refined from there.
    merge : bool, optional
        Whether equal points are one vertex, which balanced parts cannot split; by default beyond 2,000.
    refine_cut : bool
        Whether METIS's cut is improved by single moves (True); METIS alone is as published.
    metis : {"best", "published"}
        How METIS is asked: "published" is one recursive bisection, weights scaled to a sum of 10^8.
    """
    return _cut(replace(ensemble, memberships=None), k, options, "hbgf")


def shbgf(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """`hbgf` with edges that weigh as much as the memberships.

    Options
    -------
    alike : float
        Rows whose memberships round to the same multiples of this are one vertex; 0: none are (as published).
    thin : bool
        Whether METIS sees the graph without its faint edges, in two degrees, the least cut counting (True);
        the whole graph is as published.
    solver, max_rows, merge, refine_cut, metis
        As in `hbgf`.
    """
    return _cut(ensemble, k, options, "shbgf", alike=ALIKE, thin=True)


def _cut(ensemble: Ensemble, k: int, options: ConsensusOptions, name: str, **of_soft: Any) -> Consensus:
    settings = options.method_options(
        name, solver="metis", max_rows=MAX_ROWS, merge=None, refine_cut=True, metis="best", **of_soft
    )
    alike, thin = settings.get("alike", 0), settings.get("thin", False)
    check_alike(alike)
    check_option("solver", settings["solver"], ("metis", "spectral"))
    edges = ensemble.indicator() * np.repeat(ensemble.member_weights, ensemble.n_classes)
    if settings["solver"] == "spectral":
        labels, meta = spectral_parts(ensemble, edges.tocsr(), k, options)
        return Consensus(labels, _shares(edges, meta, k), meta)
    max_rows = check_count("max_rows", settings["max_rows"], k + 1)
    seen = _without_faint_edges(ensemble) if thin and ensemble.is_soft else [edges.tocsr()]
    starts = [_metis_parts(ensemble, graph, k, max_rows, options, alike, settings["metis"]) for graph in seen]
    if settings["refine_cut"]:
        found = [_refine(ensemble, fill_empty(ensemble, parts, k), k) for parts, _ in starts]
    else:
        found = [(parts, meta, cut_weight(ensemble, edges, parts, meta)) for parts, meta in starts]
    labels, meta, cut = min(found, key=lambda one: one[2])
    return Consensus(labels, _shares(edges, meta, k), meta, objective=cut)


def cut_weight(ensemble: Ensemble, edges: sparse.csr_array, parts: Labels, meta: Labels) -> float:
    """Return the weight of the edges between points and clusters of different parts."""
    pairs = edges.tocoo()
    apart = parts[pairs.row] != meta[pairs.col]
    return float((pairs.data * ensemble.point_weights[pairs.row])[apart].sum())


def _without_faint_edges(ensemble: Ensemble) -> list[sparse.csr_array]:
    assert ensemble.memberships is not None
    heaviest = np.maximum.reduceat(ensemble.memberships, ensemble.offsets[:-1], axis=1)
    reach = np.repeat(heaviest, ensemble.n_classes, axis=1)
    scale = np.repeat(ensemble.member_weights, ensemble.n_classes)
    soft = ensemble.memberships
    return [sparse.csr_array(np.where(soft >= share * reach, soft, 0.0) * scale) for share in _WITHOUT]


def _metis_parts(
    ensemble: Ensemble,
    edges: sparse.csr_array,
    k: int,
    max_rows: int,
    options: ConsensusOptions,
    alike: float,
    metis: str,
) -> tuple[Labels, Labels]:
    """Return the part of every row and of every input cluster."""
    few = ensemble.n_samples <= max_rows
    groups = group_alike(ensemble, k, max_rows if few else max(N_GROUPS, 4 * k), options.n_threads, alike)
    joined = groups.sums(edges, ensemble.point_weights).tocsr()
    n, n_clusters = joined.shape
    vertex_weights = np.concatenate([groups.weights, np.ones(n_clusters)])
    parts = partition(_two_sided(joined), vertex_weights, k, options.seed, metis)
    return parts[:n][groups.of_row], parts[n:]


def _two_sided(edges: sparse.csr_array) -> sparse.csr_array:
    """Return the symmetric graph with a vertex for each row, then one for each column."""
    n, m = edges.shape
    back = edges.T.tocsr()
    data = np.concatenate([edges.data, back.data])
    indices = np.concatenate([edges.indices + n, back.indices])
    starts = np.concatenate([edges.indptr, back.indptr[1:] + edges.indptr[-1]])
    return sparse.csr_array((data, indices, starts), shape=(n + m, n + m))


def _refine(ensemble: Ensemble, parts: Labels, k: int) -> tuple[Labels, Labels, float]:
    weights = np.bincount(parts, weights=ensemble.point_weights, minlength=k)
    limit = max(IMBALANCE * weights.sum() / k, weights.max())
    memberships = NOT_SOFT if ensemble.memberships is None else ensemble.memberships
    return _core.refine_bipartite(
        ensemble.labels,
        ensemble.offsets,
        memberships,
        ensemble.member_weights,
        ensemble.point_weights,
        parts,
        k,
        limit,
        _MAX_PASSES,
    )


def _shares(edges: sparse.csr_array, meta: Labels, k: int) -> Floats:
    """Return how much of a point's edges goes to the clusters of each part."""
    chooser = sparse.csr_array((np.ones(len(meta)), (np.arange(len(meta)), meta)), shape=(len(meta), k))
    ties: Floats = (edges @ chooser).toarray()
    ties /= ties.sum(axis=1, keepdims=True)
    return ties
