"""`itk`: information-theoretic k-means."""

from __future__ import annotations

from intarsia.consensus.labels.restarts import best_restart, init_defaults
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_share


def itk(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Return the partition of least Kullback-Leibler divergence of rows from the means of their clusters.

    A row is one distribution over the clusters of all members, hard or soft, each member counting by its
    weight and missing ones not at all. ``smoothing`` of an even distribution is mixed into every row, so that
    no divergence is infinite. The best of ``n_init`` runs counts.

    Options: ``init="spread"`` (k rows that differ much; ``"random"``: k random points; ``"partition"``:
    random labels; these two once unless ``n_init`` says more), ``n_init=10``, ``max_iter=100``,
    ``smoothing=0.01``.
    """
    init = options.params.get("init", "spread")
    usual = init_defaults(init, n_init=10, max_iter=100, smoothing=0.01)
    settings = options.method_options("itk", init=init, **usual)
    settings["smoothing"] = check_share("smoothing", settings["smoothing"])
    return best_restart(ensemble, k, options, "itk", **settings).as_consensus()
