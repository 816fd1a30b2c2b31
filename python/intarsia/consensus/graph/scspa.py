"""sCSPA: similarities of soft rows, cut by METIS."""

from __future__ import annotations

from intarsia.consensus.graph.label_space import cosine_similarity, decay_similarity, kl_similarity
from intarsia.consensus.graph.neighbour_graph import GRAPH_OPTIONS, cut_neighbour_graph
from intarsia.consensus.graph.row_groups import ALIKE, check_alike
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_option

SIMILARITIES = {"euclidean": decay_similarity, "kl": kl_similarity, "cosine": cosine_similarity}


def scspa(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Cut the graph whose edges weigh exp(-d²) for the distance d of two rows of memberships.

    Options
    -------
    similarity : {"euclidean", "kl", "cosine"}
        exp(-d²); exp(-D) of the symmetric Kullback-Leibler divergence; the cosine.
    alike : float
        Rows whose memberships round to the same multiples of this are one vertex; 0: none are (as published).
    metis : {"published", "best"}
        How METIS is asked, as in `cspa`, but as published by default: better on data not chosen by.
    n_neighbours, max_rows, merge
        As in `cspa`.
    """
    defaults = {**GRAPH_OPTIONS, "metis": "published", "similarity": "euclidean", "alike": ALIKE}
    settings = options.method_options("scspa", **defaults)
    check_alike(settings["alike"])
    similarity = settings.pop("similarity")
    check_option("similarity", similarity, tuple(SIMILARITIES))
    return cut_neighbour_graph(ensemble, k, options, SIMILARITIES[similarity], **settings)
