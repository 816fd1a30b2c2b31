"""A criterion of your own: any function of the points and the members of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.examce.criteria.by_cost import ByCost

Cost = Callable[[Floats, Ids], float]
Improve = Callable[[Floats, Labels], Labels]


def own_cost(
    cost: Cost, *, monotone: bool = False, local_search: Improve | None = None, name: str = ""
) -> OwnCost:
    """Return a criterion that minimises a cost of your own: slow, but it works everywhere.

    Parameters
    ----------
    cost : callable
        ``cost(X, members)``: a finite number for the members, ascending numbers of points. A column is asked
        for once as a rule, possibly from several threads, and has to cost the same every time.
    monotone : bool
        Whether a subset of a cluster never costs more, and one point no more than any cluster: then clusters
        may overlap before they become a partition.
    local_search : callable, optional
        ``local_search(X, labels)``: other labels. What costs more, or breaks a limit, is not taken; single
        moves follow in any case.
    name : str
        A name for the cost, which a checkpoint needs: nothing else tells it from another one.
    """
    return OwnCost(cost, monotone, local_search, name)


@dataclass(frozen=True)
class OwnCost(ByCost):
    """What a function says a cluster costs; see `own_cost`."""

    function: Cost
    monotone: bool = False
    improve: Improve | None = None
    label: str = ""

    name = "callable"

    def __post_init__(self) -> None:
        for name in ("function", "improve"):
            given = getattr(self, name)
            if not callable(given) and not (name == "improve" and given is None):
                raise TypeError(f"{name}={given!r} should be callable.")

    def parameters(self) -> dict[str, Any]:
        """Return the name that was given; without one there is no checkpoint."""
        if not self.label:
            raise ValueError("a checkpoint of your own cost needs a name for it: own_cost(cost, name=...).")
        return {"label": self.label, "monotone": self.monotone}

    def nearest(
        self, X: Points, weights: Floats | None, representatives: Floats, n_threads: int
    ) -> tuple[Labels, float]:
        """There is nothing to measure new points by."""
        raise NotImplementedError(f"criterion={self.name!r} has no representatives.")

    def distances(self, X: Points, representatives: Floats) -> Floats:
        """There is nothing to measure new points by."""
        raise NotImplementedError(f"criterion={self.name!r} has no representatives.")

    def cost(self, members: Ids) -> float:
        """Ask the function."""
        found = self.function(self.data.X, members)
        try:
            return float(found)
        except (TypeError, ValueError):
            raise TypeError(f"criterion={self.name!r}: a cluster costs {found!r}; needs a number.") from None

    def local_search(self, labels: Labels) -> Labels:
        """Ask the user's search first, then single moves."""
        if self.improve is not None:
            labels = self._taken(np.asarray(self.improve(self.data.X, labels.copy())), labels)
        return super().local_search(labels)

    def _taken(self, found: Labels, before: Labels) -> Labels:
        if found.shape != before.shape or found.dtype.kind not in "iu":
            raise ValueError(
                f"local search gave labels of shape {found.shape}, needs {before.shape} numbers."
            )
        numbered = np.unique(found, return_inverse=True)[1].astype(np.int32)
        sizes = np.bincount(numbered)
        is_within = len(sizes) in self.data.counts and self.data.sizes.allow(sizes)
        is_better = is_within and self.partition(numbered).cost < self.partition(before).cost
        return numbered if is_better else before
