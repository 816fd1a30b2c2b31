"""Choosing members by diversity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from intarsia.arrays import Ids

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble


def median_diversity(ensemble: Ensemble, n_members: int) -> Ids:
    """Return the members whose mean diversity (1 - NMI with the others) is nearest to the median."""
    from intarsia.metrics.ensembles import pairwise

    r = ensemble.n_members
    similarity = pairwise(ensemble)
    np.fill_diagonal(similarity, 0.0)
    mean = 1.0 - similarity.sum(axis=1) / max(r - 1, 1)
    distance = np.abs(mean - np.median(mean))
    return np.sort(np.argsort(distance, kind="stable")[:n_members])
