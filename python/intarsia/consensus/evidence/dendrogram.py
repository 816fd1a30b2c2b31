"""A dendrogram as a spanning tree of rows, and three ways to cut it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Labels


@dataclass(frozen=True)
class Dendrogram:
    """Edge e joins the clusters of rows a[e] and b[e] at a similarity; any n - k edges leave k clusters."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    similarity: NDArray[np.float32]
    n_rows: int

    def cut_at(self, k: int) -> Labels:
        """Return exactly k clusters: the n - k most similar joins, equal ones in the order of joining."""
        return self._keep(self.n_rows - k)

    def cut_at_similarity(self, threshold: float) -> Labels:
        """Return the clusters whose parts joined at this similarity or above."""
        return self._keep(int((self.similarity >= np.float32(threshold)).sum()))

    def cut_at_jump(self) -> Labels:
        """Return the clusters (two at least) after which the similarity of joins drops most."""
        if self.n_rows < 3:
            return self._keep(0)
        levels = np.sort(self.similarity.astype(np.float64))[::-1]
        return self._keep(int(np.argmax(levels[:-1] - levels[1:])) + 1)

    def _keep(self, n_edges: int) -> Labels:
        from scipy import sparse  # here: functions that cut no dendrogram need not wait
        from scipy.sparse.csgraph import connected_components

        kept = np.argsort(-self.similarity, kind="stable")[:n_edges]
        graph = sparse.csr_array(
            (np.ones(len(kept)), (self.a[kept], self.b[kept])), shape=(self.n_rows, self.n_rows)
        )
        labels: Labels = connected_components(graph, directed=False)[1].astype(np.int32)
        return labels
