"""`mixmns`: a mixture of products of multinomials over the labels, fitted by EM."""

from __future__ import annotations

import numpy as np

from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.restarts import best_restart, kernel_rows
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble
from intarsia.validation import check_positive, check_tol


def mixmns(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Return the components' responsibilities for every row, and the likeliest component of each.

    Rows of one component draw their labels independently from one multinomial a member; a missing label says
    nothing; a member's log-likelihood counts by its weight, a soft member's by its memberships. EM starts
    from the best of ``n_init`` partitions found by its hard form. ``smoothing`` is added to every count; the
    objective is the log-likelihood of rows and added counts.

    Options: ``n_init=10``, ``max_iter=100``, ``tol=1e-6`` (log-likelihood a point), ``smoothing=0.01``.
    """
    settings = options.settle("mixmns", n_init=10, max_iter=100, tol=1e-6, smoothing=0.01)
    n_init, max_iter, tol = settings["n_init"], settings["max_iter"], check_tol(settings["tol"])
    smoothing = check_positive("smoothing", settings["smoothing"])
    limits = {"max_iter": max_iter, "smoothing": smoothing}
    start = best_restart(ensemble, k, options, "mixture_partition", n_init, **limits)
    shares, history, n_iter, converged = kernel_rows(ensemble).mixture(
        start.labels, k, max_iter, smoothing, tol, options.n_threads
    )
    return Consensus(
        labels=np.argmax(shares, axis=1).astype(np.int32),
        memberships=shares,
        objective=float(history[-1]),
        history=tuple(history.tolist()),
        note="" if converged else f"stopped after {n_iter} iterations",
    )
