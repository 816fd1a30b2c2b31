"""`intarsia bench fast`: fast effort beside ten starts of scikit-learn, cost and CPU time, one thread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sklearn.cluster import KMeans as SklearnKMeans

from intarsia.bench.quality import mssc
from intarsia.bench.quality.beside import Pair
from intarsia.bench.quality.instances import instances
from intarsia.examce.estimator import Examce

GENERATED = instances(
    "blobs-2000-2:20", "blobs-10000-4:10", "blobs-10000-4:100", "blobs-20000-16:26", "blobs-100000-3:30",
)  # fmt: skip
OTHERS = instances("digits:10", "blobs-50000-10-std2:50", "blobs-50000-10-std5:50")
QUICK = instances("iris:3", "blobs-300-4:5")
PAIR = Pair(
    "fast",
    "fast effort beside scikit-learn's n_init=10",
    lambda k, seed: Examce(k, effort="fast", random_state=seed, n_threads=1),
    lambda k, seed: SklearnKMeans(k, n_init=10, random_state=seed),
)


def run(
    *,
    data_dir: Path | None = None,
    quick: bool = False,
    as_json: bool = False,
    cases: Sequence[str] | None = None,
    seeds: int | None = None,
) -> None:
    """Fit every problem from every seed by both."""
    all_cases = QUICK if quick else mssc.CASES + GENERATED + OTHERS
    PAIR.run(cases, all_cases, data_dir, seeds or (2 if quick else 10), as_json)
