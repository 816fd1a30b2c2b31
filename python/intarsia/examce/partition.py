"""A partition with its centres and cost."""

from __future__ import annotations

from dataclasses import dataclass

from intarsia.arrays import Floats, Labels


@dataclass(frozen=True)
class Partition:
    """Labels 0..k-1 without an empty cluster, the cluster means and the cost, computed afresh."""

    labels: Labels
    centers: Floats
    cost: float

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.centers)


def better(a: Partition | None, b: Partition) -> Partition:
    """Return the cheaper one; the first where they cost the same."""
    return b if a is None or b.cost < a.cost else a
