"""Graphs cut into k parts by METIS: the only importer of pymetis."""

from __future__ import annotations

import ctypes
import platform
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import pymetis
from scipy import sparse

from intarsia.arrays import Floats, Ids, Labels
from intarsia.validation import check_option

#: METIS counts in whole numbers. Weights that are whole already are kept; others are scaled so that the
#: largest becomes LARGEST, or less where their sum would pass what this METIS counts to; none becomes zero.
LARGEST = 2.0**24
#: A small graph is cut several times and the least cut taken: METIS is easily caught by a poor first guess.
_N_CUTS, _SMALL = 8, 2**17
#: With fewer vertices a part than this, vertex weights are left aside.
_FEW = 4
#: "best" is ours. "published" is what the program of CSPA and MCLA's authors asks of METIS: one recursive
#: bisection, weights scaled to a sum of PUBLISHED_SUM, edges that round to nothing left out.
STYLES = ("best", "published")
PUBLISHED_SUM = 1e8
_COUNTS_TO = 2.0**52 if getattr(pymetis._internal, "_idx_type_width", 32) == 64 else 2.0**30
#: Where C libraries keep the pointers to stdout and stderr; elsewhere they are constants.
_C_STREAMS = {"glibc": ("stdout", "stderr"), "Darwin": ("__stdoutp", "__stderrp")}
_C_LIBRARY = platform.libc_ver()[0] or platform.system()
_ONE_AT_A_TIME = threading.Lock()  # METIS draws its random numbers from one stream of the C library


def partition(
    graph: sparse.csr_array, vertex_weights: Floats, k: int, seed: int, style: str = "best"
) -> Labels:
    """Return the part of each vertex, with a small cut and parts of about equal weight.

    Parameters
    ----------
    graph : sparse array, symmetric, without loops
        Edge weights >= 0.
    vertex_weights : array
        Weights >= 0.
    k : int
        Number of parts; METIS may leave some empty.
    seed : int
        The same seed gives the same parts.
    style : str
        How METIS is asked, see STYLES.
    """
    check_option("metis", style, STYLES)
    if len(vertex_weights) <= k:
        return np.arange(len(vertex_weights), dtype=np.int32)
    if style == "published":
        return _call_metis(_published_edges(graph), vertex_weights, k, seed, n_cuts=1, recursive=True)
    graph = graph.copy()
    graph.eliminate_zeros()  # METIS crashes on edges without weight
    n_cuts = _N_CUTS if graph.nnz <= _SMALL else 1
    weights = _within_reach(vertex_weights, k)
    found = _call_metis(graph, weights, k, seed, n_cuts, recursive=None)
    if len(np.unique(found)) == k:
        return found
    # with a few vertices a part METIS's k-way scheme may even put all into one; bisection does not
    bisected = _call_metis(graph, weights, k, seed, n_cuts, recursive=True)
    return max(found, bisected, key=lambda parts: len(np.unique(parts)))


def _published_edges(graph: sparse.csr_array) -> sparse.csr_array:
    total = float(graph.data.sum())
    rounded = graph.copy()
    rounded.data = np.rint(graph.data * (PUBLISHED_SUM / total if total > 0 else 1.0))
    rounded.eliminate_zeros()
    rounded.sort_indices()  # METIS's answer depends on their order
    return rounded


def _call_metis(
    graph: sparse.csr_array, weights: Floats, k: int, seed: int, n_cuts: int, recursive: bool | None
) -> Labels:
    options = pymetis.Options(seed=seed % (2**31 - 1), ncuts=n_cuts)
    adjacency = pymetis.CSRAdjacency(graph.indptr.astype(np.int64), graph.indices.astype(np.int64))
    whole = {"vweights": whole_numbers(weights), "eweights": whole_numbers(graph.data)}
    try:
        with _ONE_AT_A_TIME, _without_words():
            found = pymetis.part_graph(k, adjacency, **whole, recursive=recursive, options=options)
    except RuntimeError as error:
        raise ValueError(
            f"METIS cannot cut a graph of {len(weights)} vertices into {k} parts: {error}"
        ) from error
    return np.array(found.vertex_part, dtype=np.int32)


@contextmanager
def _without_words() -> Iterator[None]:
    """Let what C programs print go nowhere: METIS complains on stdout, in the middle of our JSON.

    Only C's own streams are turned away, not the files behind them, so that other threads print on.
    """
    streams = [ctypes.c_void_p.in_dll(ctypes.CDLL(None), name) for name in _C_STREAMS.get(_C_LIBRARY, ())]
    before = [stream.value for stream in streams]
    try:
        for stream in streams:
            stream.value = _nowhere()
        yield
    finally:
        for stream, value in zip(streams, before, strict=True):
            stream.value = value


@cache
def _nowhere() -> int | None:
    library = ctypes.CDLL(None)
    library.fopen.restype = ctypes.c_void_p
    opened: int | None = library.fopen(b"/dev/null", b"w")
    if opened is None:
        raise OSError("/dev/null cannot be opened.")
    return opened


def _within_reach(weights: Floats, k: int) -> Floats:
    """Return vertex weights that k parts can balance: METIS complains where they cannot."""
    if len(weights) < _FEW * k:
        return np.ones(len(weights))
    capped: Floats = np.minimum(weights, weights.sum() / k)
    return capped


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
