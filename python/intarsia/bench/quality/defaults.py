"""`intarsia bench defaults`: our `KMeans` beside scikit-learn's, both as they come: cost and CPU time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sklearn.cluster import KMeans as SklearnKMeans

from intarsia.base.kmeans import KMeans
from intarsia.bench.quality.beside import Pair
from intarsia.bench.quality.instances import instances

CASES = instances(
    "iris:3", "wine:3", "glass:6", "new_thyroid:3", "s1:15", "s2:15", "a1:20", "vehicle:4", "segmentation:7",
    "pendigits:10",
)  # fmt: skip
QUICK = instances("iris:3", "blobs-300-4:5")
PAIR = Pair(
    "defaults",
    "KMeans(k) beside scikit-learn's",
    lambda k, seed: KMeans(k, random_state=seed, n_threads=1),
    lambda k, seed: SklearnKMeans(k, random_state=seed),
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
    PAIR.run(cases, QUICK if quick else CASES, data_dir, seeds or (2 if quick else 10), as_json)
