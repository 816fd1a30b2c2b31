"""How one member labels new points: its view of them, then its own clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from intarsia.arrays import Floats, Ids, Labels
from intarsia.base.protocol import BaseFit
from intarsia.ensemble.soft import most_likely


@dataclass(frozen=True, eq=False)
class View:
    """What a member sees of points: some features, then some directions."""

    features: Ids | None
    directions: Floats | None

    def of(self, X: Floats) -> Floats:
        """Return the points as the member sees them."""
        seen = X if self.features is None else X[:, self.features]
        return np.ascontiguousarray(seen if self.directions is None else seen @ self.directions)


@dataclass(frozen=True, eq=False)
class MemberRule:
    """A member without its points.

    Attributes
    ----------
    view : View
        What it sees.
    fit : BaseFit
        Its clusters.
    names : array or None
        The clusters that it gave to some point, in the order of their codes in the ensemble; None for soft
        members, which keep them all.
    """

    view: View
    fit: BaseFit
    names: Ids | None

    def label(self, X: Floats, n_threads: int = 1) -> Labels:
        """Return each point's code in the ensemble, -1 for clusters that the member has not."""
        seen = self.view.of(X)
        if self.names is None:
            soft = self.fit.memberships(seen)
            return most_likely(soft, np.array([soft.shape[1]]))[:, 0]
        found = self.fit.label(seen, n_threads)
        codes = np.minimum(np.searchsorted(self.names, found), len(self.names) - 1)
        return np.where(self.names[codes] == found, codes, -1).astype(np.int32)


def without_points(fit: BaseFit) -> BaseFit:
    """Return a fit that can label new points, and holds none of its own."""
    dropped: dict[str, Any] = {"labels": fit.labels[:0]}
    if hasattr(fit, "points"):
        dropped["points"] = None
    return replace(fit, **dropped)
