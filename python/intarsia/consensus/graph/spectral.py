"""The graph of points and clusters cut by its spectrum: k-means on scaled singular vectors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from intarsia import _core
from intarsia.arrays import Floats, Labels
from intarsia.base.kmeans import KMeans
from intarsia.consensus.protocol import ConsensusOptions
from intarsia.ensemble import Ensemble

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
    seed = options.seed % 2**31
    model = KMeans(k, init="k-means++", n_init=_N_INIT, random_state=seed, executor=options.executor)
    weights = np.concatenate([ensemble.point_weights, np.ones(len(clusters))])
    together = _unit(np.concatenate([rows, clusters]))
    labels = model.fit(together, sample_weight=weights).labels_
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
