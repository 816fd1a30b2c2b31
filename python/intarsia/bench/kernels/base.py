"""`intarsia bench base`: EM, fuzzy c-means and k-modes against their peers, one thread, same start."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from typing import Any

from intarsia import _core
from intarsia.bench.kernels.base_cases import CASES, N_CLUSTERS, N_FEATURES, BaseCase
from intarsia.bench.measure import answered_peak, interleaved, one_thread, peak_rss_mb
from intarsia.report.terminal import print_json, print_table

N_SAMPLES, QUICK_SAMPLES = 100_000, 3_000
COLUMNS = (
    "method", "peer", "peer iter", "our iter", "peer ms", "our ms", "ratio", "wanted", "rel diff", "peer MB",
    "our MB",
)  # fmt: skip


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure every method whose peer is installed and print them."""
    n_samples = QUICK_SAMPLES if quick else N_SAMPLES
    rounds = 1 if quick else repeats
    cases = [case for case in CASES.values() if find_spec(case.peer)]
    results = [measure(case, n_samples, rounds) for case in cases]
    absent = [case.peer for case in CASES.values() if not find_spec(case.peer)]
    if as_json:
        sizes = {"n_samples": n_samples, "n_features": N_FEATURES, "n_clusters": N_CLUSTERS}
        print_json({"benchmark": "base", "repeats": rounds, **sizes, "methods": results, "absent": absent})
        return
    how = f"CPU ms, fastest of {rounds}, {_core.simd_level()}"
    title = f"{n_samples} x {N_FEATURES}, k = {N_CLUSTERS}, one thread, same start ({how})"
    print_table(title, COLUMNS, [_row(result) for result in results])
    print("rel diff: our objective over the peer's, minus 1; below 0 ours is better")
    if absent:
        print(f"not installed: {', '.join(absent)}; pip install intarsia[bench]")


def measure(case: BaseCase, n_samples: int, repeats: int) -> dict[str, Any]:
    """Fit with both libraries from the same start; time them in turn."""
    data, start = case.data(n_samples)
    works = [case.fitter(library, data, start) for library in (case.peer, "intarsia")]
    with one_thread():
        theirs, ours = (work() for work in works)
        their_time, our_time = interleaved(works, repeats)
    reached = case.objective(data, ours.found)
    return {
        "method": case.name,
        "peer": case.peer,
        "peer_n_iter": theirs.n_iter,
        "our_n_iter": ours.n_iter,
        "peer_ms": their_time.min_ms,
        "our_ms": our_time.min_ms,
        "ratio": their_time.min_ms / our_time.min_ms,
        "wanted_ratio": case.wanted_ratio,
        "objective": reached,
        "relative_difference": reached / case.objective(data, theirs.found) - 1,
        "peer_peak_mb": peak_in_subprocess(case, case.peer, n_samples),
        "our_peak_mb": peak_in_subprocess(case, "intarsia", n_samples),
    }


def peak_in_subprocess(case: BaseCase, library: str, n_samples: int) -> float:
    """Fit once in a fresh process and return its peak resident size in MB."""
    request = {"case": case.name, "library": library, "n_samples": n_samples}
    return answered_peak("intarsia.bench.kernels.base", request)


def _answer(request: str) -> float:
    wanted = json.loads(request)
    case = CASES[wanted["case"]]
    data, start = case.data(wanted["n_samples"])
    with one_thread():
        case.fitter(wanted["library"], data, start)()
    return peak_rss_mb()


def _row(result: dict[str, Any]) -> list[str]:
    return [
        result["method"],
        result["peer"],
        str(result["peer_n_iter"]),
        str(result["our_n_iter"]),
        f"{result['peer_ms']:.1f}",
        f"{result['our_ms']:.1f}",
        f"{result['ratio']:.1f}",
        f"{result['wanted_ratio']:.1f}",
        f"{result['relative_difference']:.0e}",
        f"{result['peer_peak_mb']:.0f}",
        f"{result['our_peak_mb']:.0f}",
    ]


if __name__ == "__main__":
    print(_answer(sys.argv[1]))
