"""`qmi`: quadratic mutual information, which is k-means on centred label indicators."""

from __future__ import annotations

from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.restarts import best_restart
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble


def qmi(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Return the best of ``n_init`` k-means partitions of the centred, unscaled indicators H or S.

    The indicators are never built: distances are sums over a row's labels. A member's squared distances count
    by its weight; a missing label lies at its member's mean.

    Options: ``n_init=10``, ``max_iter=100``.
    """
    settings = options.settle("qmi", n_init=10, max_iter=100)
    return best_restart(ensemble, k, options, "qmi", **settings).as_consensus()
