"""`intarsia bench hk-means`: HK-means runs against scikit-learn's Lloyd runs, then random swap, on u1060."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as SklearnKMeans

from intarsia.base.estimators import RandomSwap
from intarsia.base.runs import base_runs
from intarsia.bench.cases import CASES, case_file, case_points
from intarsia.bench.measure import Floats, cpu_ms, interleaved, one_thread
from intarsia.executor import make_executor
from intarsia.report.terminal import print_json, print_table

U1060 = CASES[0]
BEST_KNOWN = 96317864.46  # proven optimal for u1060, k = 100
N_RUNS, N_SWAPS, N_SEEDS = 150, 5000, 10


def run(*, data_dir: Path | None, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure both parts and print them."""
    X = case_points(U1060, data_dir)
    stand_in = case_file(U1060, data_dir) is None
    n_runs, n_swaps, n_seeds = (30, 500, 3) if quick else (N_RUNS, N_SWAPS, N_SEEDS)
    result = {
        "benchmark": "hk-means",
        "stand_in": stand_in,
        "n_clusters": U1060.n_clusters,
        "best_known": None if stand_in else BEST_KNOWN,
        "runs": _compare_runs(X, n_runs, min(repeats, 2) if quick else repeats),
        "random_swap": _swap_runs(X, n_swaps, n_seeds),
    }
    if as_json:
        print_json(result)
    else:
        _print(result)


def _compare_runs(X: Floats, n_runs: int, repeats: int) -> dict[str, Any]:
    with one_thread():
        their_time, our_time = interleaved(
            [lambda: _lloyd(X, n_runs, seed=0), lambda: _hk_costs(X, n_runs)], repeats
        )
        theirs = np.array([_lloyd(X, 1, seed) for seed in range(n_runs)])
    return {
        "n_runs": n_runs,
        "sklearn_ms": their_time.min_ms,
        "ours_ms": our_time.min_ms,
        "ratio": their_time.min_ms / our_time.min_ms,
        "sklearn": _mean_and_best(theirs),
        "ours": _mean_and_best(_hk_costs(X, n_runs)),
    }


def _lloyd(X: Floats, n_init: int, seed: int) -> float:
    # all runs in one call: what validation costs scikit-learn is then paid once, as in ours
    options: dict[str, Any] = {"init": "random", "algorithm": "lloyd", "tol": 0, "max_iter": 1000}
    model = SklearnKMeans(U1060.n_clusters, n_init=n_init, random_state=seed, **options).fit(X)
    return float(model.inertia_)


def _hk_costs(X: Floats, n_runs: int) -> Floats:
    results = base_runs(X, "hk-means", U1060.n_clusters, n_runs=n_runs, seed=0, executor=make_executor(1))
    return np.array([result.cost for result in results])


def _swap_runs(X: Floats, n_swaps: int, n_seeds: int) -> dict[str, Any]:
    times, costs = np.array([cpu_ms(partial(_swap_cost, X, n_swaps, seed)) for seed in range(n_seeds)]).T
    seconds = float(times.mean()) / 1e3
    return {"n_swaps": n_swaps, "n_seeds": n_seeds, "seconds": seconds, **_mean_and_best(costs)}


def _swap_cost(X: Floats, n_swaps: int, seed: int) -> float:
    model = RandomSwap(U1060.n_clusters, n_swaps=n_swaps, random_state=seed, n_threads=1)
    return float(model.fit(X).inertia_)


def _mean_and_best(costs: Floats) -> dict[str, float]:
    return {"mean": float(costs.mean()), "best": float(costs.min())}


def _print(result: dict[str, Any]) -> None:
    runs, swap = result["runs"], result["random_swap"]
    name = "a stand-in for u1060" if result["stand_in"] else "u1060"
    rows = [
        _row(f"scikit-learn Lloyd x {runs['n_runs']}", runs["sklearn_ms"] / 1e3, runs["sklearn"], result),
        _row(f"HK-means x {runs['n_runs']}", runs["ours_ms"] / 1e3, runs["ours"], result),
        _row(f"random swap, {swap['n_swaps']} swaps, {swap['n_seeds']} seeds", swap["seconds"], swap, result),
    ]
    title = f"{name}, k = {result['n_clusters']}, one thread, random starts"
    print_table(title, ("method", "CPU s", "mean cost", "% above", "best cost", "% above"), rows)
    print(f"time of scikit-learn / time of HK-means: {runs['ratio']:.2f}; random swap: seconds a seed")
    if result["stand_in"]:
        print("generated points of the same size; --data-dir D with u1060.tsp measures the real ones")


def _row(method: str, seconds: float, costs: dict[str, float], result: dict[str, Any]) -> list[str]:
    row = [method, f"{seconds:.3f}"]
    for which in ("mean", "best"):
        row += [f"{costs[which]:.2f}", _above(costs[which], result["best_known"])]
    return row


def _above(cost: float, best_known: float | None) -> str:
    return "-" if best_known is None else f"{100 * (cost / best_known - 1):.3f}"
