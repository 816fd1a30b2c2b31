"""Soft (or hard) rows as vectors whose sums of products are similarities or distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from intarsia import _core
from intarsia.arrays import Floats, Ids
from intarsia.ensemble import Ensemble

Matrix = NDArray[np.float32]
_SMOOTH = 1e-6  # what a zero membership counts as in a logarithm


def soft_rows(ensemble: Ensemble) -> Floats:
    """Return the memberships of every row; ones and zeros for a hard ensemble."""
    if ensemble.memberships is not None:
        return ensemble.memberships
    dense: Floats = ensemble.indicator().toarray()
    return dense


def presence(ensemble: Ensemble) -> Floats:
    """Return 1 where a member knows a row and 0 where it does not; no columns when nothing is missing."""
    known = ensemble.labels >= 0
    return known.astype(np.float64) if not known.all() else np.empty((len(known), 0))


def product_similarity(
    rows: Floats, known: Floats, member_weights: Floats, n_classes: Ids
) -> _core.Similarity:
    """Mean over members of the dot product of two memberships (for hard rows: the co-association)."""
    weights = np.repeat(member_weights, n_classes)
    if known.shape[1] == 0:
        return _similarity(rows * (weights / member_weights.sum()), rows, known, known)
    return _similarity(rows * weights, rows, known * member_weights, known)


def decay_similarity(ensemble: Ensemble) -> _core.Similarity:
    """exp(-d²), d the Euclidean distance of rows, over members that know both and scaled up to all."""
    rows, known, weights = soft_rows(ensemble), presence(ensemble), ensemble.member_weights
    left = rows * np.repeat(weights, ensemble.n_classes)
    own = _by_member(left * rows, ensemble)
    return _distance(left, -2.0 * rows, own, own, known, ensemble, scale=float(weights.sum()))


def kl_similarity(ensemble: Ensemble) -> _core.Similarity:
    """exp(-D), D the mean over members of the symmetric Kullback-Leibler divergence; zeros are smoothed."""
    known, weights = presence(ensemble), ensemble.member_weights / ensemble.member_weights.sum()
    width = np.repeat(ensemble.n_classes, ensemble.n_classes)
    there = np.repeat(ensemble.labels >= 0, ensemble.n_classes, axis=1)
    rows = np.where(there, (soft_rows(ensemble) + _SMOOTH) / (1.0 + _SMOOTH * width), 0.0)
    logs = np.log(rows, where=there, out=np.zeros_like(rows))
    half = 0.5 * np.repeat(weights, ensemble.n_classes)
    own = _by_member(half * rows * logs, ensemble)
    left, right = np.hstack([half * rows, half * logs]), np.hstack([-logs, -rows])
    return _distance(left, right, own, own, known, ensemble, scale=1.0, shared=weights)


def cosine_similarity(ensemble: Ensemble) -> _core.Similarity:
    """Cosine of the angle between rows; a missing membership counts as zeros."""
    rows = soft_rows(ensemble) * np.sqrt(np.repeat(ensemble.member_weights, ensemble.n_classes))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    nothing = np.empty((len(unit), 0))
    return _similarity(unit, unit, nothing, nothing)


def _by_member(columns: Floats, ensemble: Ensemble) -> Floats:
    sums: Floats = np.add.reduceat(columns, ensemble.offsets[:-1], axis=1)
    return sums


def _distance(
    left: Floats,
    right: Floats,
    own_left: Floats,
    own_right: Floats,
    known: Floats,
    ensemble: Ensemble,
    scale: float,
    shared: Floats | None = None,
) -> _core.Similarity:
    """exp(-(own_a + own_b + left_a . right_b)), the own terms over the members that know both rows."""
    if known.shape[1] == 0:
        one = np.ones((len(left), 1))
        queries = np.hstack([left, own_left.sum(axis=1, keepdims=True), one])
        targets = np.hstack([right, one, own_right.sum(axis=1, keepdims=True)])
        return _similarity(queries, targets, known, known, decay=True)
    queries, targets = np.hstack([left, own_left, known]), np.hstack([right, known, own_right])
    weights = ensemble.member_weights if shared is None else shared
    return _similarity(queries, targets, known * weights, known, decay=True, scale=scale)


def _similarity(
    queries: Floats,
    targets: Floats,
    query_presence: Floats,
    target_presence: Floats,
    decay: bool = False,
    scale: float = 1.0,
) -> _core.Similarity:
    values, presences = (
        (_single(queries), _single(targets)),
        (_single(query_presence), _single(target_presence)),
    )
    return _core.label_space(*values, *presences, decay, scale)


def _single(array: Floats) -> Matrix:
    return np.ascontiguousarray(array, dtype=np.float32)
