"""The graph of similar rows that METIS cuts: every pair when rows are few, the most similar otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Ids
from intarsia.consensus.graph.metis import partition
from intarsia.consensus.graph.row_groups import ALIKE, group_alike
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count

#: Up to this many rows every pair is an edge: exact.
ALL_PAIRS = 2_000
#: Beyond, each row keeps its most similar rows, about N_EDGES edges in all, MIN_NEIGHBOURS a row at least.
N_EDGES = 2**20
MIN_NEIGHBOURS = 30
#: Beyond this many rows (or as `max_rows` says), groups of similar rows are the vertices.
MAX_ROWS = 32_768

#: What a method with a neighbour graph can be told.
GRAPH_OPTIONS = {"n_neighbours": None, "max_rows": MAX_ROWS, "merge": None, "metis": "best"}


def cut_neighbour_graph(
    ensemble: Ensemble,
    k: int,
    options: ConsensusOptions,
    similarity_of: Callable[[Ensemble], _core.Similarity],
    *,
    n_neighbours: int | None,
    max_rows: int,
    merge: bool | None,
    metis: str,
    alike: float = ALIKE,
) -> Consensus:
    """Partition the rows by METIS on their similarity graph; rows weigh as much as their points.

    `merge` has been seen to: the rows are points, or distinct.
    """
    most = check_count("max_rows", max_rows, k + 1)
    groups = group_alike(ensemble, k, most, options.n_threads, alike)
    leaders = _rows(ensemble, groups.leaders, groups.weights)
    n, asked = leaders.n_samples, _n_neighbours(n_neighbours, leaders.n_samples)
    graph = neighbour_graph(similarity_of(leaders), leaders.point_weights, asked, options.n_threads)
    parts = partition(graph, leaders.point_weights, k, options.seed, metis)
    return Consensus(parts[groups.of_row], note=_note(ensemble.n_samples, n, asked))


def neighbour_graph(
    similarity: _core.Similarity, weights: Floats, n_neighbours: int, n_threads: int
) -> sparse.csr_array:
    """Return the symmetric graph in which a row and its most similar rows are joined.

    An edge between rows that stand for several points weighs as much as the edges between those points.
    """
    rows, values = _core.top_neighbours(similarity, n_neighbours, n_threads)
    starts = np.arange(0, rows.size + 1, n_neighbours)
    data = values.ravel() * np.repeat(weights, n_neighbours) * weights[rows.ravel()]
    one_way = sparse.csr_array((data, rows.ravel(), starts), shape=(len(weights), len(weights)))
    if n_neighbours == len(weights) - 1:
        return one_way
    return one_way.maximum(one_way.T.tocsr()).tocsr()


def _rows(ensemble: Ensemble, chosen: Ids, weights: Floats) -> Ensemble:
    if len(chosen) == ensemble.n_samples:
        return ensemble
    soft = None if ensemble.memberships is None else ensemble.memberships[chosen]
    return replace(ensemble, labels=ensemble.labels[chosen], memberships=soft, point_weights=weights)


def _n_neighbours(asked: int | None, n: int) -> int:
    if asked is not None:
        return min(check_count("n_neighbours", asked), n - 1)
    return n - 1 if n <= ALL_PAIRS else max(MIN_NEIGHBOURS, N_EDGES // n)


def _note(n_rows: int, n_vertices: int, n_neighbours: int) -> str:
    said = [] if n_vertices == n_rows else [f"{n_rows} distinct rows in {n_vertices} groups"]
    if n_neighbours < n_vertices - 1:
        said.append(f"{n_neighbours} nearest of {n_vertices} vertices")
    return "approximate: " + ", ".join(said) if said else ""
