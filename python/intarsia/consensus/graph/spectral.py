"""The graph of points and clusters cut by its spectrum: k-means on scaled singular vectors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base.centroid import CentroidBase
from intarsia.base.runs import best_of_runs
from intarsia.consensus.protocol import ConsensusOptions
from intarsia.ensemble import Ensemble
from intarsia.executor import executor_for_runs

_KMEANS = CentroidBase("kmeans", init="k-means++", max_iter=300, tol=1e-4)
_N_INIT = 10


def spectral_parts(
    ensemble: Ensemble, edges: sparse.csr_array, k: int, options: ConsensusOptions
) -> tuple[Labels, Labels]:
    """Return the part of each row and of each cluster.

    Rows and clusters are embedded by the k leading singular vectors of the edges, each divided by the roots
    of its two ends' degrees (Dhillon 2001), and k-means runs on all of them together. The clusters are few:
    the singular vectors come from a matrix of clusters x clusters.
    """
    degrees = np.asarray(edges.sum(axis=1))
    of_clusters = np.maximum(edges.T @ ensemble.point_weights, np.finfo(float).tiny)
    vectors = _leading(_normal_products(ensemble, degrees, of_clusters, options.n_threads), k)
    clusters = vectors / np.sqrt(of_clusters)[:, None]
    rows = (edges @ clusters) / degrees[:, None]
    weights = np.concatenate([ensemble.point_weights, np.ones(len(clusters))])
    together = _unit(np.concatenate([rows, clusters]))
    found = _core.count_distinct(together, k)  # fewer than k: the caller fills what is empty
    executor, n_threads = executor_for_runs(_N_INIT, executor=options.executor)
    best = best_of_runs(
        together,
        _KMEANS,
        found,
        n_runs=_N_INIT,
        seed=options.seed % 2**31,
        sample_weight=weights,
        executor=executor,
        n_threads=n_threads,
    )
    labels = best.fit.labels
    return labels[: len(rows)], labels[len(rows) :]


def _normal_products(ensemble: Ensemble, degrees: Floats, of_clusters: Floats, n_threads: int) -> Floats:
    """Return A'A for the edges A with rows and columns divided by the roots of their degrees."""
    weights = ensemble.point_weights / degrees
    if ensemble.memberships is None:
        products = _core.cluster_overlap(ensemble.labels, ensemble.offsets, weights, n_threads)
    else:
        products = _core.membership_gram(ensemble.memberships, weights, n_threads)
    scale = np.repeat(ensemble.member_weights, ensemble.n_classes) / np.sqrt(of_clusters)
    return products * scale * scale[:, None]


def _leading(symmetric: Floats, k: int) -> Floats:
    """Return the eigenvectors of the k largest eigenvalues, the largest entry of each positive."""
    vectors: Floats = np.linalg.eigh(symmetric)[1][:, ::-1][:, :k]
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def _unit(rows: Floats) -> Floats:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.ascontiguousarray(rows / np.maximum(norms, np.finfo(float).tiny))
