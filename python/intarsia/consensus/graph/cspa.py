"""CSPA: the graph of co-association cut by METIS."""

from __future__ import annotations

from intarsia import _core
from intarsia.consensus.graph.neighbour_graph import GRAPH_OPTIONS, cut_neighbour_graph
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble


def cspa(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Cut the graph whose edges weigh the share of members that join two points (among those that know both).

    Options
    -------
    n_neighbours : int, optional
        Edges each row keeps. By default all up to 2,000 rows (exact), then about 2**20 in all.
    max_rows : int
        Beyond this many rows each goes with the most similar of the max_rows heaviest ones.
    merge : bool, optional
        Whether equal points are one vertex, which balanced parts cannot split; by default beyond 2,000.
    metis : {"best", "published"}
        How METIS is asked: "published" is one recursive bisection, weights scaled to a sum of 10^8.
    """
    return cut_neighbour_graph(
        ensemble, k, options, coassociation, **options.method_options("cspa", **GRAPH_OPTIONS)
    )


def coassociation(ensemble: Ensemble) -> _core.Similarity:
    """Return the co-association of all pairs of rows, computed when asked for."""
    return _core.coassociation(ensemble.labels, ensemble.labels, ensemble.member_weights)
