"""METIS is heard by nobody: its complaints would stand in the middle of our JSON."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np
import pymetis
import pytest
from scipy import sparse

from intarsia.consensus.graph import metis

LIBC = ctypes.CDLL(None)


def path_graph(n):
    ones = np.ones(n - 1)
    return sparse.csr_array(sparse.diags_array([ones, ones], offsets=[-1, 1]))


def words(capfd):
    LIBC.fflush(None)
    return "".join(capfd.readouterr())


def test_complaints_go_nowhere(capfd, monkeypatch):
    # one vertex is too heavy for four even parts; usually we do not let METIS see such weights
    graph, weights, k = path_graph(8), np.array([1.0] * 7 + [1000.0]), 4
    adjacency = pymetis.CSRAdjacency(graph.indptr.astype(np.int64), graph.indices.astype(np.int64))
    counts = {"vweights": weights.astype(np.int64), "eweights": graph.data.astype(np.int64)}
    pymetis.part_graph(k, adjacency, **counts, options=pymetis.Options(ncuts=8, seed=0))
    assert "***Cannot bisect" in words(capfd)
    monkeypatch.setattr(metis, "_within_reach", lambda weights, k: weights)
    parts = metis.partition(graph, weights, k, seed=0)
    assert words(capfd) == ""
    assert parts.max() < k
    LIBC.printf(b"and C speaks again\n")
    assert words(capfd) == "and C speaks again\n"


@pytest.mark.parametrize("error", [None, RuntimeError("no")])
def test_others_go_on_printing(capfd, monkeypatch, error):
    def noisy(k, *_, **__):
        LIBC.printf(b"from C\n")
        print("from Python", flush=True)
        if error is not None:
            raise error
        return SimpleNamespace(vertex_part=np.zeros(9))

    monkeypatch.setattr(pymetis, "part_graph", noisy)
    if error is None:
        metis.partition(path_graph(9), np.ones(9), 2, seed=0)
    else:
        with pytest.raises(ValueError, match="METIS cannot cut a graph of 9 vertices into 2 parts: no"):
            metis.partition(path_graph(9), np.ones(9), 2, seed=0)
    assert words(capfd) == "from Python\n"
    LIBC.puts(b"again")
    assert words(capfd) == "again\n"


def test_published_style_leaves_out_edges_that_round_to_nothing():
    heavy, faint = np.triu(np.ones((8, 8)), 1), 1e-8 * np.triu(np.ones((8, 8)), 1)
    block = np.kron(np.eye(2), np.ones((4, 4))).astype(bool)
    graph = np.where(block, heavy, faint)
    parts = metis.partition(sparse.csr_array(graph + graph.T), np.ones(8), 2, seed=0, style="published")
    seen = metis._published_edges(sparse.csr_array(graph + graph.T))
    assert seen.nnz == 2 * 2 * 6  # both blocks of six edges, both ways
    assert seen.sum() == pytest.approx(1e8, rel=1e-6)
    assert len(set(parts[:4])) == len(set(parts[4:])) == 1


def test_published_style_takes_a_graph_without_edges():
    nothing = sparse.csr_array(np.zeros((6, 6)))
    assert metis.partition(nothing, np.ones(6), 2, seed=0, style="published").max() < 2
