"""MCLA and HBGF as one would write them with NumPy, SciPy and pymetis: what ours are measured against."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pymetis
from scipy import sparse

from intarsia.arrays import Labels

_SCALE = 1000.0  # METIS takes whole weights


def plain_mcla(labels: Labels, k: int) -> Labels:
    """Jaccard similarity of clusters, METIS, mean of each group, strongest group."""
    h = _indicator(labels)
    shared = (h.T @ h).toarray()
    sizes = shared.diagonal()
    jaccard = shared / (sizes[:, None] + sizes - shared)
    np.fill_diagonal(jaccard, 0.0)
    meta = _metis(sparse.csr_array(np.rint(jaccard * _SCALE)), k)
    shares = 1.0 / np.bincount(meta, minlength=k)[meta]
    chooser = sparse.csr_array((shares, (np.arange(len(meta)), meta)), shape=(len(meta), k))
    found: Labels = (h @ chooser).toarray().argmax(axis=1).astype(np.int32)
    return found


def plain_hbgf(labels: Labels, k: int) -> Labels:
    """METIS by bisection on the graph of points and clusters (its k-way form leaves parts empty here)."""
    h = _indicator(labels)
    return _metis(sparse.block_array([[None, h], [h.T, None]], format="csr"), k)[: len(labels)]


def _indicator(labels: Labels) -> sparse.csr_array:
    n, r = labels.shape
    offsets = np.concatenate([[0], np.cumsum(labels.max(axis=0) + 1)])
    columns = (labels + offsets[:-1]).ravel()
    rows = np.repeat(np.arange(n), r)
    return sparse.csr_array((np.ones(n * r), (rows, columns)), shape=(n, offsets[-1]))


def _metis(graph: sparse.csr_array, k: int) -> Labels:
    adjacency = pymetis.CSRAdjacency(graph.indptr, graph.indices)
    parts = pymetis.part_graph(k, adjacency, eweights=graph.data.astype(np.int64), recursive=True).vertex_part
    return np.array(parts, dtype=np.int32)


PLAIN: dict[str, Callable[[Labels, int], Labels]] = {"plain-mcla": plain_mcla, "plain-hbgf": plain_hbgf}
