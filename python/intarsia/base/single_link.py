"""Single link: the minimum spanning tree of the points, cut; `SingleLink` adds scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels, Members, Points
from intarsia.base.protocol import BaseFit, NearestFit
from intarsia.executor import resolve_threads
from intarsia.validation import check_distinct, check_n_clusters


@dataclass(frozen=True)
class SingleLinkBase:
    """A base clusterer that cuts the spanning tree; nothing about it is random."""

    takes_weights = False
    is_soft = False
    predicts = True

    def fit(
        self,
        X: Points,
        n_clusters: int,
        *,
        weights: Floats | None = None,
        seed: int = 0,
        task: int | None = 0,
        n_threads: int = 1,
        seconds: float = inf,
    ) -> BaseFit:
        """See `BaseClusterer.fit`."""
        return NearestFit(self.labels_for(X, [n_clusters], n_threads=n_threads)[0], points=X)

    def labels_for(
        self, X: Points, counts: Sequence[int], *, seed: int = 0, n_threads: int = 1
    ) -> list[Labels]:
        """Return the labels of several numbers of clusters, by one spanning tree."""
        wanted = [check_n_clusters(count, len(X)) for count in counts]
        check_distinct(X, None, max(wanted))
        tree = spanning_tree(np.ascontiguousarray(X, dtype=np.float64), n_threads)[0]
        return [cut(tree, count) for count in wanted]


def spanning_tree(X: Floats, n_threads: int | None = None) -> tuple[Members, Floats]:
    """Return the minimum spanning tree of finite C-ordered points: edges, shortest first, and lengths."""
    return _core.euclidean_spanning_tree(X, resolve_threads(n_threads))


def cut(tree: Members, n_clusters: int) -> Labels:
    """Return the labels of the clusters that its shortest edges leave."""
    return _core.cut_tree(tree, n_clusters)
