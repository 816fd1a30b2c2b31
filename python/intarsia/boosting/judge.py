"""A round judged on all points: memberships, labels, what is wrong with each point, the pseudoloss."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels, Points
from intarsia.boosting.hypothesis import ByLabels, Hypothesis
from intarsia.boosting.quality import Quality, point_quality


@dataclass(frozen=True, eq=False)
class Judge:
    """How rounds are judged: the points, the clusters asked for, the quality index."""

    X: Points
    n_clusters: int
    quality: str | Quality
    log_base: float | None
    n_threads: int
    _last: list[Floats] = field(default_factory=list, repr=False)  # memberships to write over, at most one

    def look_at(self, hypothesis: Hypothesis) -> View:
        """Return what a hypothesis says of the points; what it said before may be gone then."""
        memberships = self._padded(hypothesis.memberships(self.X, self.n_threads, self._to_write_over()))
        self._last[:] = [memberships]
        labels = _core.largest_columns(memberships, self.n_threads)
        if isinstance(hypothesis, ByLabels):
            labels[~memberships.any(axis=1)] = -1
        return View(memberships, labels)

    def _to_write_over(self) -> Floats | None:
        # fresh memory for every round takes longer than the memberships; a user's index may have kept its own
        return None if callable(self.quality) or not self._last else self._last[0]

    def quality_of(self, view: View) -> Floats:
        """Return how badly each point is clustered."""
        return point_quality(view.memberships, self.quality, self.log_base, self.n_threads)

    def _padded(self, memberships: Floats) -> Floats:
        # a base may find fewer clusters than it was asked for: nobody belongs to the others
        missing = self.n_clusters - memberships.shape[1]
        return np.pad(memberships, ((0, 0), (0, missing))) if missing > 0 else memberships


@dataclass(frozen=True, eq=False)
class View:
    """Memberships of all points and their most likely clusters, -1 for points that a round leaves out."""

    memberships: Floats
    labels: Labels

    @property
    def n_clusters(self) -> int:
        """Columns of the memberships."""
        return int(self.memberships.shape[1])

    def sizes(self) -> Ids:
        """Return the points of each cluster."""
        return np.bincount(self.labels + 1, minlength=self.n_clusters + 1)[1:].astype(np.int64)
