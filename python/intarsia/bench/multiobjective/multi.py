"""`intarsia bench multi`: where the time goes, and hill climbing beside the proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from intarsia import _core
from intarsia.bench.measure import cpu_ms
from intarsia.bench.multiobjective.plain import plain_hill, plain_stability
from intarsia.datasets import load
from intarsia.multiobjective.candidates import SelectionData
from intarsia.multiobjective.estimator import MultiobjectiveClustering
from intarsia.multiobjective.search import SearchSettings, choose
from intarsia.report.terminal import print_json, print_table

COLUMNS = ("step", "plain ms", "our ms", "ratio", "same")
_OVERLAP, _UNCOVERED = 0.4, 5.0


@dataclass(frozen=True)
class SelectionCase:
    """Random candidates among random points."""

    n_candidates: int
    n_points: int
    n_clusters: int

    def data(self) -> SelectionData:
        """Return the same candidates each time: intervals of a circle, with random goodness."""
        rng = np.random.default_rng(0)
        starts = rng.integers(self.n_points, size=self.n_candidates)
        lengths = rng.integers(self.n_points // 20, self.n_points // 4, size=self.n_candidates)
        rows = [
            np.sort((a + np.arange(n)) % self.n_points).astype(np.int32)
            for a, n in zip(starts, lengths, strict=True)
        ]
        return SelectionData.of_rows(rows, rng.random(self.n_candidates), self.n_points, "min", 1)


def run(*, quick: bool, repeats: int, as_json: bool) -> None:
    """Measure the kernels against plain NumPy, and a whole fit by its stages."""
    case = SelectionCase(40, 300, 4) if quick else SelectionCase(200, 2000, 6)
    results = [measure_stability(200 if quick else 100_000), measure_hill(case, 3 if quick else 20)]
    whole = measure_fit(2 if quick else 10)
    if as_json:
        print_json({"benchmark": "multi", "steps": results, "fit": whole})
        return
    title = f"steps of multiobjective clustering, one thread (CPU ms, {_core.simd_level()})"
    print_table(title, COLUMNS, [_row(result) for result in results])
    stages = ", ".join(f"{name} {ms:.0f} ms" for name, ms in whole["stages"].items())
    print(f"{whole['data']}, {whole['n_resamples']} resamples: {stages}")
    print(
        f"objective {whole['objective']:.6f}, hill climbing {whole['hill_above']:.1e} above it, "
        f"proved: {whole['proven']}"
    )


def measure_stability(n: int) -> dict[str, Any]:
    """Score all clusters of a partition at once, and one after another by the definition."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(20, size=n).astype(np.int32), rng.integers(30, size=n).astype(np.int32)
    b[: n // 2] = a[: n // 2]
    ours_ms, ours = cpu_ms(lambda: _core.cluster_stability(a, 20, b, 30))
    plain_ms, plain = cpu_ms(lambda: plain_stability(a, b))
    return _compared(f"goodness, {n:,} points", plain_ms, ours_ms, bool(np.allclose(ours, plain)))


def measure_hill(case: SelectionCase, n_starts: int) -> dict[str, Any]:
    """Descend from random choices, incrementally and by fresh counts."""
    data = case.data()
    problem = data.problem(_OVERLAP, _UNCOVERED, False)
    k = case.n_clusters
    ours_ms, ours = cpu_ms(lambda: problem.hill_climb(k, k, n_starts, 0, 1))
    plain_ms, plain = cpu_ms(lambda: plain_hill(data, k, 1, _OVERLAP, _UNCOVERED))
    name = f"one descent, {case.n_candidates} candidates"
    is_close = bool(ours[1] <= plain + 1e-9)
    return _compared(name, plain_ms, ours_ms / n_starts, is_close)


def measure_fit(n_resamples: int) -> dict[str, Any]:
    """Fit the seven shapes; CPU time by stages."""
    X = load("demo:seven-shapes").X
    model = MultiobjectiveClustering(7, n_resamples=n_resamples, search="hill", random_state=0, n_threads=1)
    fit_ms, _ = cpu_ms(lambda: model.fit(X))
    proof_ms, choice = cpu_ms(lambda: _proved(model))
    return {
        "data": "seven-shapes",
        "n_resamples": n_resamples,
        "stages": {"clusterings and resamples": fit_ms, "hill climbing and proof": proof_ms},
        "objective": choice.objective,
        "hill_above": choice.hill_objective - choice.objective,
        "proven": choice.is_proved,
    }


def _proved(model: MultiobjectiveClustering) -> Any:
    settings = SearchSettings(7, "exact", _OVERLAP, _UNCOVERED, 7, 14, 200, None)
    return choose(model.selection_data(), settings, 0, 1)


def _compared(step: str, plain_ms: float, our_ms: float, same: bool) -> dict[str, Any]:
    return {
        "step": step,
        "plain_ms": plain_ms,
        "our_ms": our_ms,
        "ratio": plain_ms / max(our_ms, 1e-9),
        "same": same,
    }


def _row(result: dict[str, Any]) -> list[str]:
    times = [f"{result[name]:.1f}" for name in ("plain_ms", "our_ms", "ratio")]
    return [result["step"], *times, "yes" if result["same"] else "no"]
