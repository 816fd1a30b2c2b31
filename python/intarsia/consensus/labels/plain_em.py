"""EM for the mixture of multinomials from parameters at hand, as published: soft from the first step on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from intarsia.arrays import Floats
from intarsia.ensemble import Ensemble


class Fitted(NamedTuple):
    """Responsibilities, the log-likelihood from step to step, and whether it came to rest."""

    shares: Floats
    history: list[float]
    converged: bool


def plain_em(
    ensemble: Ensemble, probabilities: Floats, max_iter: int, smoothing: float, tol: float
) -> Fitted:
    """Return what EM makes of equally frequent components with these probabilities of labels.

    The kernel behind `mixmns` starts from labels; here it is the parameters that are random, and one E step
    from them is soft. `smoothing` is added to every count, `tol` is the gain a point that is none.
    """
    rows = ensemble.indicator() * np.repeat(ensemble.member_weights, ensemble.n_classes)
    shares, likelihood = _responsibilities(rows @ np.log(probabilities).T)
    history: list[float] = []
    while len(history) < max_iter:
        counts = (rows.T @ (shares * ensemble.point_weights[:, None])).T + smoothing
        theta = counts / np.repeat(
            np.add.reduceat(counts, ensemble.offsets[:-1], axis=1), ensemble.n_classes, 1
        )
        frequency = np.average(shares, axis=0, weights=ensemble.point_weights)
        with np.errstate(divide="ignore"):  # a component may die: its frequency is 0
            shares, likelihood = _responsibilities(rows @ np.log(theta).T + np.log(frequency))
        history.append(float(likelihood @ ensemble.point_weights))
        if len(history) > 1 and history[-1] - history[-2] < tol * ensemble.point_weights.sum():
            return Fitted(shares, history, True)
    return Fitted(shares, history, False)


def _responsibilities(logs: Floats) -> tuple[Floats, Floats]:
    # written out: of SciPy's logsumexp the shares would need a second exponential, and every rank its import
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    sums = shares.sum(axis=1, keepdims=True)
    return shares / sums, (top + np.log(sums))[:, 0]
