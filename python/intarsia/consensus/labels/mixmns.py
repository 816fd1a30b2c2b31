"""`mixmns`: a mixture of products of multinomials over the labels, fitted by EM."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia.arrays import Labels
from intarsia.consensus.labels.random_start import likeliest_components, random_multinomials
from intarsia.consensus.labels.restarts import best_restart, kernel_rows
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.validation import check_count, check_option, check_positive, check_tol


def mixmns(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Return the components' responsibilities for every row, and the likeliest component of each.

    Rows of one component draw their labels independently from one multinomial a member; a missing label says
    nothing; a member's log-likelihood counts by its weight, a soft member's by its memberships. EM starts
    from the best of ``n_init`` partitions found by its hard form. ``smoothing`` is added to every count; the
    objective is the log-likelihood of rows and added counts.

    ``init="random"`` is plain EM: one start, from the rows that each component explains best under random
    multinomials; next to no smoothing.

    Options: ``init="hard"``, ``n_init=10`` (of "hard"), ``max_iter=100``, ``tol=1e-6`` (log-likelihood a
    point), ``smoothing=0.01`` (1e-9 with random starts).
    """
    init = options.params.get("init", "hard")
    check_option("init", init, ("hard", "random"))
    usual: dict[str, Any] = {"n_init": 10, "smoothing": 0.01} if init == "hard" else {"smoothing": 1e-9}
    settings = options.method_options("mixmns", init=init, max_iter=100, tol=1e-6, **usual)
    max_iter, tol = check_count("max_iter", settings["max_iter"]), check_tol(settings["tol"])
    smoothing = check_positive("smoothing", settings["smoothing"])
    if init == "hard":
        limits: dict[str, Any] = {"max_iter": max_iter, "smoothing": smoothing}
        start = best_restart(ensemble, k, options, "mixture_partition", settings["n_init"], **limits).labels
    else:
        start = _random_start(ensemble, k, options.seed)
    shares, history, n_iter, converged = kernel_rows(ensemble).mixture(
        start, k, max_iter, smoothing, tol, options.n_threads
    )
    return Consensus(
        labels=np.argmax(shares, axis=1).astype(np.int32),
        memberships=shares,
        objective=float(history[-1]),
        history=tuple(history.tolist()),
        note="" if converged else f"stopped after {n_iter} iterations",
    )


def _random_start(ensemble: Ensemble, k: int, seed: int) -> Labels:
    return likeliest_components(ensemble, random_multinomials(ensemble, k, seed, task=0))
