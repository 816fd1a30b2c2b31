"""Several ensembles of the same points as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from intarsia.ensemble.ensemble import Ensemble


def join_ensembles(ensembles: Sequence[Ensemble]) -> Ensemble:
    """Return all members in one ensemble; hard members become one-hot where any is soft."""
    from intarsia.ensemble.ensemble import Ensemble

    if not ensembles:
        raise ValueError("at least one ensemble is needed.")
    for at, other in enumerate(ensembles):
        if other.n_samples != ensembles[0].n_samples:
            sizes = f"ensemble {at} has {other.n_samples} points, ensemble 0 has {ensembles[0].n_samples}"
            raise ValueError(f"{sizes}: all need the same points.")
        if (other.point_weights != 1).any():
            raise ValueError(
                f"ensemble {at} has point weights: only ensembles of whole points can be joined."
            )
    weights = np.concatenate([e.member_weights for e in ensembles])
    if any(e.is_soft for e in ensembles):
        return Ensemble.from_memberships([b for e in ensembles for b in _blocks(e)], weights)
    return Ensemble.from_labels(np.concatenate([e.labels for e in ensembles], axis=1), weights)


def _blocks(ensemble: Ensemble) -> list[NDArray[Any]]:
    joined = ensemble.indicator().toarray() if ensemble.memberships is None else ensemble.memberships
    return np.split(joined, ensemble.offsets[1:-1], axis=1)
