"""The steps of multiobjective clustering in plain NumPy, from their definitions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import normalized_mutual_info_score

from intarsia.arrays import Floats, Labels
from intarsia.multiobjective.candidates import SelectionData


def plain_stability(reference: Labels, other: Labels) -> Floats:
    """Return the score of every cluster, one after another."""
    scores = []
    for c in range(reference.max() + 1):
        inside = reference == c
        positive = [f for f in range(other.max() + 1) if inside[other == f].mean() > 0.5]
        star = np.isin(other, positive)
        scores.append(float(normalized_mutual_info_score(inside, star)))
    return np.array(scores)


def plain_hill(
    data: SelectionData, k: int, n_starts: int, overlap_cost: float, uncovered_cost: float
) -> float:
    """Return the best objective of descents by the best exchange, each counted afresh."""
    inside = np.zeros((len(data), len(data.n_points)), dtype=bool)
    for c in range(len(data)):
        inside[c, data.members[data.offsets[c] : data.offsets[c + 1]]] = True
    rng = np.random.default_rng(0)

    def value(chosen: NDArray[np.int64]) -> float:
        uncovered = data.n_points[~inside[chosen].any(axis=0)].sum() / data.n_points.sum()
        overlap = data.overlap[np.ix_(chosen, chosen)].sum()
        return float(-data.goodness[chosen].sum() + overlap_cost * overlap + uncovered_cost * uncovered)

    return min(_descend(rng.choice(len(data), k, replace=False), len(data), value) for _ in range(n_starts))


def _descend(chosen: NDArray[np.int64], n: int, value) -> float:  # type: ignore[no-untyped-def]
    best = value(chosen)
    while True:
        moves = [(i, j) for i in range(len(chosen)) for j in range(n) if j not in chosen]
        found = [(value(np.where(np.arange(len(chosen)) == i, j, chosen)), i, j) for i, j in moves]
        least = min(found)
        if least[0] >= best - 1e-12:
            return float(best)
        best = least[0]
        chosen = np.where(np.arange(len(chosen)) == least[1], least[2], chosen)
