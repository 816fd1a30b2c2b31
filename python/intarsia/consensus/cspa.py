"""CSPA: the graph of co-association cut by METIS."""

from __future__ import annotations

from intarsia import _core
from intarsia.consensus.neighbour_graph import GRAPH_OPTIONS, cut_similarity_graph
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble


def cspa(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Cut the graph whose edges weigh the share of members that join two points (among those that know both).

    Options
    -------
    n_neighbours : int, optional
        Edges each distinct row keeps. By default all up to 2,000 rows (exact), then about 2**20 in all.
    max_rows : int
        Beyond this many distinct rows each goes with the most similar of the max_rows heaviest ones.
    """
    return cut_similarity_graph(
        ensemble, k, options, coassociation, **options.settle("cspa", **GRAPH_OPTIONS)
    )


def coassociation(ensemble: Ensemble) -> _core.Similarity:
    """Return the co-association of all pairs of rows, computed when asked for."""
    return _core.coassociation(ensemble.labels, ensemble.labels, ensemble.member_weights)
