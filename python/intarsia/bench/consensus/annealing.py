"""`intarsia bench annealing`: SA-RI against plain NumPy, its growth in n, k and r, and a large ensemble."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from intarsia import _core
from intarsia.arrays import Labels
from intarsia.base.registry import base_clusterer
from intarsia.bench.consensus.numpy_annealing import NumpyAnnealing
from intarsia.bench.measure import cpu_ms
from intarsia.consensus import METHODS, Schedule, anneal, combine, mean_agreement
from intarsia.ensemble import Ensemble
from intarsia.report.terminal import print_json, print_table


class Size(NamedTuple):
    """Points, clusters, members."""

    n: int
    k: int
    r: int


#: The case that the paper times: 10 s there.
PAPER = Size(400, 10, 8)
LARGE = Size(100_000, 10, 20)
QUICK_LARGE = Size(10_000, 10, 20)
BASE = Size(20_000, 10, 20)
GROWTH = (
    BASE._replace(n=10_000), BASE, BASE._replace(n=40_000), BASE._replace(n=80_000),
    BASE._replace(k=5), BASE._replace(k=20), BASE._replace(k=40),
    BASE._replace(r=10), BASE._replace(r=40),
)  # fmt: skip
GROWTH_LOOPS = 10
PEER_LOOPS = 20
GROWTH_COLUMNS = ("n", "k", "r", "ms a loop", "ns a label and member")


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure and print; all data are generated."""
    rounds = 1 if quick else repeats
    sizes = [size._replace(n=size.n // 10) for size in GROWTH] if quick else list(GROWTH)
    paper, growth = _paper_case(rounds), [_growth(size, rounds) for size in sizes]
    large = _large_case(QUICK_LARGE if quick else LARGE)
    if as_json:
        print_json(
            {
                "benchmark": "annealing",
                "simd": _core.simd_level(),
                "paper": paper,
                "growth": growth,
                "large": large,
            }
        )
    else:
        _print(paper, growth, large)


def noisy_members(size: Size, seed: int = 0) -> tuple[Ensemble, Labels]:
    """Return members that each change a third of a hidden partition, and a start that is a fifth wrong."""
    rng = np.random.default_rng(seed)
    truth: Labels = np.resize(np.arange(size.k, dtype=np.int32), size.n)
    members = [_noisy(truth, size.k, 1 / 3, rng) for _ in range(size.r)]
    return Ensemble.from_labels(members), _noisy(truth, size.k, 0.2, rng)


def _noisy(truth: Labels, k: int, share: float, rng: np.random.Generator) -> Labels:
    noise = rng.integers(k, size=len(truth))
    labels: Labels = np.where(rng.random(len(truth)) < share, noise, truth).astype(np.int32)
    labels[:k] = truth[:k]  # no cluster is empty
    return labels


def _paper_case(repeats: int) -> dict[str, Any]:
    ensemble, start = noisy_members(PAPER)
    runs = [cpu_ms(lambda: anneal(ensemble, start, PAPER.k)) for _ in range(repeats)]
    found = runs[0][1]
    loops = Schedule(max_loops=PEER_LOOPS)
    ours = min(
        cpu_ms(lambda: anneal(ensemble, start, PAPER.k, schedule=loops))[0] for _ in range(repeats + 1)
    )
    peer = NumpyAnnealing(ensemble.labels, start, PAPER.k)
    theirs, _ = cpu_ms(lambda: deque(peer.run(PEER_LOOPS), maxlen=0))
    return {
        **PAPER._asdict(),
        "ms": min(ms for ms, _ in runs),
        "loops": len(found.history) - 1,
        "objective": found.objective,
        "peer_loops": PEER_LOOPS,
        "numpy_ms": theirs,
        "ours_ms": ours,
        "ratio": theirs / ours,
    }


def _growth(size: Size, repeats: int) -> dict[str, Any]:
    """Time loops of which most scores are all k labels of a point: a low temperature."""
    ensemble, start = noisy_members(size)
    # one by one, so that every size does the same
    schedule = Schedule(temperature=1e-9, max_loops=GROWTH_LOOPS, patience=GROWTH_LOOPS, batch=1)
    none = Schedule(temperature=1e-9, max_loops=0, batch=1)
    full = min(cpu_ms(lambda: anneal(ensemble, start, size.k, schedule=schedule))[0] for _ in range(repeats))
    setup = min(cpu_ms(lambda: anneal(ensemble, start, size.k, schedule=none))[0] for _ in range(repeats))
    ms = max(full - setup, 1e-6) / GROWTH_LOOPS
    return {**size._asdict(), "ms": ms, "ns": ms * 1e6 / (size.n * size.k * size.r)}


def _large_case(size: Size) -> dict[str, Any]:
    """Time annealing of k-means members on random halves of the features, one thread."""
    ensemble = _kmeans_members(size)
    method = "mcla" if "mcla" in METHODS else "random"
    start_ms, start = cpu_ms(lambda: _start(ensemble, size.k, method))
    ms, found = cpu_ms(lambda: anneal(ensemble, start, size.k))
    return {
        **size._asdict(),
        "start": method,
        "start_ms": start_ms,
        "start_objective": mean_agreement(ensemble, start),
        "ms": ms,
        "loops": len(found.history) - 1,
        "objective": found.objective,
    }


def _start(ensemble: Ensemble, k: int, method: str) -> Labels:
    if method == "random":
        return (
            np.random.default_rng(0).permutation(np.resize(np.arange(k), ensemble.n_samples)).astype(np.int32)
        )
    return combine(ensemble, k, method, random_state=0, n_threads=1)


def _kmeans_members(size: Size, n_features: int = 8) -> Ensemble:
    rng = np.random.default_rng(1)
    centers = rng.uniform(0.0, 10.0, (size.k, n_features))
    X = centers[rng.integers(size.k, size=size.n)] + rng.normal(scale=2.0, size=(size.n, n_features))
    members, few_steps = [], base_clusterer("kmeans", max_iter=10)
    for q in range(size.r):
        chosen = rng.choice(n_features, n_features // 2, replace=False)
        k = int(rng.integers(size.k, 2 * size.k + 1))
        members.append(few_steps.fit(np.ascontiguousarray(X[:, chosen]), k, task=q).labels)
    return Ensemble.from_labels(members)


def _print(paper: dict[str, Any], growth: list[dict[str, Any]], large: dict[str, Any]) -> None:
    print(f"SA-RI, one thread, CPU times, {_core.simd_level()}")
    print(
        f"n = {paper['n']}, k = {paper['k']}, r = {paper['r']}: {paper['ms'] / 1e3:.4f} s, "
        f"{paper['loops']} loops (the paper: about 10 s)"
    )
    print(
        f"the same, {paper['peer_loops']} loops: NumPy {paper['numpy_ms']:.1f} ms, "
        f"ours {paper['ours_ms']:.3f} ms, ratio {paper['ratio']:.0f}"
    )
    rows = [[*(str(row[c]) for c in "nkr"), f"{row['ms']:.2f}", f"{row['ns']:.2f}"] for row in growth]
    print_table("growth (low temperature, one by one)", GROWTH_COLUMNS, rows)
    print(
        f"n = {large['n']}, k = {large['k']}, r = {large['r']} from {large['start']} "
        f"({large['start_objective']:.6f}): {large['ms'] / 1e3:.2f} s, {large['loops']} loops, "
        f"mean corrected Rand index {large['objective']:.6f}"
    )
