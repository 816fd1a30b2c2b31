"""`intarsia bench boosting`: ten rounds against plain NumPy and scikit-learn, one thread; time and memory."""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from intarsia import BoostClustering, KMeans, _core
from intarsia.bench.boosting.plain import PlainBoost
from intarsia.bench.measure import answered_peak, interleaved, one_thread, peak_rss_mb
from intarsia.metrics import adjusted_rand_index
from intarsia.report.terminal import print_json, print_table

Floats = NDArray[np.float64]


class Size(NamedTuple):
    """Points, features, clusters, rounds."""

    n: int = 100_000
    d: int = 8
    k: int = 10
    rounds: int = 10


SIZE, QUICK = Size(), Size(n=5_000)
OURS, PLAIN = "intarsia, to convergence", "plain, to convergence"
OURS_EARLY, PLAIN_EARLY = "intarsia, tol = 1e-4", "plain, tol = 1e-4"
#: Where k-means stops: ours by default where no label changes, scikit-learn's at its tolerance.
TO_THE_END: dict[str, Any] = {"tol": 0.0, "max_iter": 1000}
EARLY: dict[str, Any] = {"tol": 1e-4, "max_iter": 300}
#: Every version, and the one of ours that stops k-means where it does.
VERSIONS = {OURS: OURS, PLAIN: OURS, OURS_EARLY: OURS_EARLY, PLAIN_EARLY: OURS_EARLY}
COLUMNS = ("version", "CPU s", "median", "times ours", "MB above the data", "pseudoloss of round 1")


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure and print; the data are generated."""
    size, rounds = (QUICK, 1) if quick else (SIZE, repeats)
    X, truth = overlapping(size)
    models = {name: make(name, size) for name in VERSIONS}
    with one_thread():
        timings = interleaved([lambda m=model: m.fit(X) for model in models.values()], rounds)  # type: ignore[misc]
    best = dict(zip(models, (timing.min_ms for timing in timings), strict=True))
    rows = []
    for (name, model), timing in zip(models.items(), timings, strict=True):
        rows.append(
            {
                "version": name,
                "cpu_s": timing.min_ms / 1e3,
                "median_s": timing.median_ms / 1e3,
                "times_ours": timing.min_ms / best[VERSIONS[name]],
                "mb_above": _peak_mb(name, size) - _peak_mb("", size),
                "epsilon": _epsilon(model),
                "adjusted_rand_index": adjusted_rand_index(truth, model.labels_),
            }
        )
    if as_json:
        print_json({"benchmark": "boosting", **size._asdict(), "simd": _core.simd_level(), "versions": rows})
    else:
        _print(size, rows)


def overlapping(size: Size, seed: int = 0) -> tuple[Floats, NDArray[np.int64]]:
    """Return Gaussians that overlap, and where each point came from."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(0.0, 10.0, (size.k, size.d))
    labels = rng.integers(size.k, size=size.n)
    X = rng.normal(scale=2.0, size=(size.n, size.d))
    X += centers[labels]
    return X, labels


def make(name: str, size: Size) -> Any:
    """Return one of the versions."""
    limits = EARLY if name in (OURS_EARLY, PLAIN_EARLY) else TO_THE_END
    if name in (PLAIN, PLAIN_EARLY):
        return PlainBoost(size.k, size.rounds, **limits)
    base = "kmeans" if name == OURS else KMeans(init="random", n_init=1, n_threads=1, **limits)
    return BoostClustering(size.k, base=base, max_rounds=size.rounds, stop=False, random_state=0, n_threads=1)


def _epsilon(model: Any) -> float:
    return float(model.epsilons_[0] if isinstance(model, PlainBoost) else model.rounds_[0].epsilon)


def _peak_mb(name: str, size: Size) -> float:
    request = {"library": name, "case": "boosting", "size": size}
    return answered_peak("intarsia.bench.boosting.boosting", request)


def _answer(request: dict[str, Any]) -> float:
    """Fit in this process and return its peak; without a name, that of the data and all imports."""
    size = Size(*request["size"])
    small, (X, _) = overlapping(size._replace(n=500)), overlapping(size)
    with one_thread():
        for name in VERSIONS:  # a small fit first loads what is loaded once
            make(name, size).fit(small[0])
        if request["library"]:
            make(request["library"], size).fit(X)
    return peak_rss_mb()


def _print(size: Size, rows: list[dict[str, Any]]) -> None:
    title = (
        f"boost-clustering, k-means, {size.n:,} points, d = {size.d}, C = {size.k}, {size.rounds} rounds, "
        f"one thread, {_core.simd_level()}"
    )
    texts = [
        [
            row["version"],
            f"{row['cpu_s']:.2f}",
            f"{row['median_s']:.2f}",
            f"{row['times_ours']:.1f}",
            f"{row['mb_above']:.0f}",
            f"{row['epsilon']:.4f}",
        ]
        for row in rows
    ]
    print_table(title, COLUMNS, texts)


if __name__ == "__main__":
    print(_answer(json.loads(sys.argv[1])))
