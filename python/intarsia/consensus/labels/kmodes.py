"""`kmodes`: k-modes on the label matrix."""

from __future__ import annotations

from intarsia.consensus.labels.restarts import Restart, best_restart, hardened, init_defaults, kernel_rows
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count


def kmodes(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Return the partition whose clusters' commonest labels differ least from their rows.

    The cost of a row is the weight of the members whose label is not the commonest one of its cluster; a
    missing label costs nothing. The best of ``n_init`` runs is improved by ``n_swaps`` swaps of a mode for a
    row that costs much, then by moves of single rows. Soft members count by their likeliest clusters.

    Options: ``init="spread"`` (k rows that differ much), ``n_init=10``, ``max_iter=100``, ``n_swaps=10``.
    ``init="random"`` (k random points) and ``"partition"`` (random labels) are plain k-modes on the points:
    one start, no swaps and no single moves unless ``n_init`` and ``n_swaps`` ask for them.
    """
    init = options.params.get("init", "spread")
    usual = init_defaults(init, n_init=10, max_iter=100, n_swaps=10 if init == "spread" else 0)
    settings = options.method_options("kmodes", init=init, **usual)
    n_swaps = check_count("n_swaps", settings.pop("n_swaps"), least=0)
    rows, max_iter = hardened(ensemble), settings["max_iter"]
    best = best_restart(rows, k, options, "kmodes", **settings)
    if init != "spread" and n_swaps == 0:
        return best.as_consensus()
    better = kernel_rows(rows).improve_kmodes(
        best.labels, k, max_iter, n_swaps, options.seed, options.n_threads
    )
    return Restart(*better).as_consensus()
