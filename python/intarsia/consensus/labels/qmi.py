"""`qmi`: quadratic mutual information, which is k-means on centred label indicators."""

from __future__ import annotations

from intarsia.consensus.labels.restarts import best_restart, init_defaults
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble


def qmi(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Return the best of ``n_init`` k-means partitions of the centred, unscaled indicators H or S.

    The indicators are never built: distances are sums over a row's labels. A member's squared distances count
    by its weight; a missing label lies at its member's mean.

    Options: ``init="spread"`` (k rows that differ much; ``"random"``: k random points; ``"partition"``:
    random labels; these two once unless ``n_init`` says more), ``n_init=10``, ``max_iter=100``.
    """
    init = options.params.get("init", "spread")
    usual = init_defaults(init, n_init=10, max_iter=100)
    settings = options.method_options("qmi", init=init, **usual)
    return best_restart(ensemble, k, options, "qmi", **settings).as_consensus()
