"""METIS is heard by nobody: its complaints would stand in the middle of our JSON."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import numpy as np
import pymetis
import pytest
from scipy import sparse

from intarsia import combine_full
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
        return SimpleNamespace(vertex_part=np.arange(9) % 2)

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


@pytest.mark.parametrize("seed", range(4))
def test_no_part_stays_empty_with_two_vertices_a_part(seed):
    rng, k = np.random.default_rng(seed), 10
    between = rng.random((k, k)) ** 4  # two members: no edge joins clusters of the same one
    graph = np.block([[np.zeros((k, k)), between], [between.T, np.zeros((k, k))]])
    k_way = metis._call_metis(sparse.csr_array(graph), np.ones(2 * k), k, 0, 8, recursive=None)
    assert len(np.unique(k_way)) < k  # METIS alone
    parts = metis.partition(sparse.csr_array(graph), np.ones(2 * k), k, seed=0)
    assert np.bincount(parts, minlength=k).min() > 0


@pytest.mark.parametrize("method", ["mcla", "smcla"])
def test_two_uneven_members_of_many_clusters_have_all_their_meta_clusters(method):
    rng, k = np.random.default_rng(0), 10
    sizes = 1 / np.arange(1, k + 1) ** 1.5
    members = [rng.choice(k, 1000, p=sizes / sizes.sum()) for _ in range(2)]
    found = combine_full(members, k, method, random_state=0)
    assert np.bincount(found.meta_clusters).max() <= 3
    assert len(np.unique(found.meta_clusters)) == k
