"""Graphs cut into k parts by METIS: the only importer of pymetis."""

from __future__ import annotations

import threading

import numpy as np
import pymetis
from scipy import sparse

from intarsia.arrays import Floats, Ids, Labels

#: METIS counts in whole numbers. Weights that are whole already are kept; others are scaled so that the largest
#: becomes LARGEST, or less where their sum would pass what the build of METIS can count to; none becomes zero.
LARGEST = 2.0**24
#: A small graph is cut several times and the least cut taken: METIS is easily caught by a poor first guess.
_N_CUTS, _SMALL = 8, 2**17
_COUNTS_TO = 2.0**52 if getattr(pymetis._internal, "_idx_type_width", 32) == 64 else 2.0**30
_ONE_AT_A_TIME = threading.Lock()  # METIS draws its random numbers from one stream of the C library


def partition(graph: sparse.csr_array, vertex_weights: Floats, k: int, seed: int) -> Labels:
    """Return the part of each vertex, with a small cut and parts of about equal weight.

    Parameters
    ----------
    graph : sparse array, symmetric, without loops
        Edge weights > 0.
    vertex_weights : array
        Weights >= 0.
    k : int
        Number of parts; METIS may leave some empty.
    seed : int
        The same seed gives the same parts.
    """
    n_cuts = _N_CUTS if graph.nnz <= _SMALL else 1
    options = pymetis.Options(seed=seed % (2**31 - 1), ncuts=n_cuts)
    adjacency = pymetis.CSRAdjacency(graph.indptr.astype(np.int64), graph.indices.astype(np.int64))
    with _ONE_AT_A_TIME:
        found = pymetis.part_graph(
            k,
            adjacency,
            vweights=whole_numbers(vertex_weights),
            eweights=whole_numbers(graph.data),
            options=options,
        )
    return np.array(found.vertex_part, dtype=np.int32)


def whole_numbers(weights: Floats) -> Ids:
    """Return weights as whole numbers (see LARGEST)."""
    largest, total = float(weights.max(initial=0.0)), float(weights.sum())
    if largest == 0.0:
        return np.zeros(len(weights), dtype=np.int64)
    rounded = np.rint(weights)
    if total <= _COUNTS_TO and np.array_equal(rounded, weights):
        return rounded.astype(np.int64)
    scaled = np.rint(weights * min(LARGEST / largest, _COUNTS_TO / total)).astype(np.int64)
    return np.where(weights > 0, np.maximum(scaled, 1), 0)
