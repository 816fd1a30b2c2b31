"""`mixmns`: a mixture of products of multinomials over the labels, fitted by EM."""

from __future__ import annotations

from typing import Any

import numpy as np

from intarsia.consensus.labels.plain_em import Fitted, plain_em
from intarsia.consensus.labels.random_start import random_multinomials
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

    ``init="random"`` is plain EM: the likeliest of ``n_init`` starts from random multinomials, of one unless
    more are asked for; next to no smoothing.

    Options: ``init="hard"``, ``n_init=10`` (1 with random starts), ``max_iter=100``, ``tol=1e-6``
    (log-likelihood a point), ``smoothing=0.01`` (1e-9 with random starts).
    """
    init = options.params.get("init", "hard")
    check_option("init", init, ("hard", "random"))
    plain = init == "random"
    usual: dict[str, Any] = {"n_init": 1, "smoothing": 1e-9} if plain else {"n_init": 10, "smoothing": 0.01}
    settings = options.method_options("mixmns", init=init, max_iter=100, tol=1e-6, **usual)
    max_iter, tol = check_count("max_iter", settings["max_iter"]), check_tol(settings["tol"])
    smoothing = check_positive("smoothing", settings["smoothing"])
    if plain:
        tasks = range(check_count("n_init", settings["n_init"]))
        starts = (random_multinomials(ensemble, k, options.seed, task) for task in tasks)
        fits = [plain_em(ensemble, start, max_iter, smoothing, tol) for start in starts]
        return _answer(max(fits, key=lambda fit: fit.history[-1]))  # the first of equal ones
    limits: dict[str, Any] = {"max_iter": max_iter, "smoothing": smoothing}
    best = best_restart(ensemble, k, options, "mixture_partition", settings["n_init"], **limits).labels
    shares, history, _, converged = kernel_rows(ensemble).mixture(
        best, k, max_iter, smoothing, tol, options.n_threads
    )
    return _answer(Fitted(shares, history.tolist(), converged))


def _answer(found: Fitted) -> Consensus:
    return Consensus(
        labels=np.argmax(found.shares, axis=1).astype(np.int32),
        memberships=found.shares,
        objective=found.history[-1],
        history=tuple(found.history),
        note="" if found.converged else f"stopped after {len(found.history)} iterations",
    )
