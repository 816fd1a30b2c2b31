"""sCSPA: similarities of soft rows, cut by METIS."""

from __future__ import annotations

from intarsia.consensus.label_space import cosine_similarity, decay_similarity, kl_similarity
from intarsia.consensus.neighbour_graph import GRAPH_OPTIONS, cut_similarity_graph
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.validation import check_option

SIMILARITIES = {"euclidean": decay_similarity, "kl": kl_similarity, "cosine": cosine_similarity}


def scspa(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Cut the graph whose edges weigh exp(-d²) for the distance d of two rows of memberships.

    Options
    -------
    similarity : {"euclidean", "kl", "cosine"}
        exp(-d²); exp(-D) of the symmetric Kullback-Leibler divergence; the cosine.
    n_neighbours, max_rows
        As in `cspa`.
    """
    settings = options.settle("scspa", similarity="euclidean", **GRAPH_OPTIONS)
    similarity = settings.pop("similarity")
    check_option("similarity", similarity, tuple(SIMILARITIES))
    return cut_similarity_graph(ensemble, k, options, SIMILARITIES[similarity], **settings)
