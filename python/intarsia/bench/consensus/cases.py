"""The ensembles of `bench consensus`: k to 2k k-means clusters on 4 of 8 features of overlapping blobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.datasets import make_blobs

from intarsia.arrays import Floats, Labels
from intarsia.base.kmeans import KMeans

_N_FEATURES, _N_SEEN = 8, 4
_SPREAD = 4.5  # single members reach an NMI of about 0.5, a good consensus 0.75 to 0.8
_N_FITTED = 20_000  # centres from so many points, labels for all


@dataclass(frozen=True)
class EnsembleCase:
    """So many points, members and clusters."""

    n_samples: int
    n_members: int
    n_clusters: int


CASES = (
    EnsembleCase(1_000, 20, 5),
    EnsembleCase(10_000, 50, 10),
    EnsembleCase(100_000, 20, 10),
    EnsembleCase(1_000_000, 20, 10),
)
QUICK = (EnsembleCase(500, 8, 4),)


def cases_of(sizes: Sequence[int] | None, quick: bool) -> list[EnsembleCase]:
    """Return the cases; another number of points has 20 members and 10 clusters."""
    known = {case.n_samples: case for case in CASES}
    if sizes is None:
        return list(QUICK if quick else CASES)
    return [known.get(n, EnsembleCase(n, 20, 10)) for n in sizes]


def make_ensemble(case: EnsembleCase, seed: int) -> tuple[Labels, Labels]:
    """Return the labels of every member, and the blobs."""
    X, truth = make_blobs(
        case.n_samples, _N_FEATURES, centers=case.n_clusters, cluster_std=_SPREAD, random_state=seed
    )
    rng = np.random.default_rng(seed)
    members = [_member(X, case.n_clusters, rng) for _ in range(case.n_members)]
    return np.column_stack(members).astype(np.int32), truth.astype(np.int32)


def _member(X: Floats, k: int, rng: np.random.Generator) -> Labels:
    seen = np.ascontiguousarray(X[:, rng.choice(_N_FEATURES, _N_SEEN, replace=False)])
    n_clusters, seed = int(rng.integers(k, 2 * k + 1)), int(rng.integers(2**31))
    model = KMeans(n_clusters, init="random", n_init=1, max_iter=30, random_state=seed)
    return model.fit(seen[:_N_FITTED]).predict(seen)
