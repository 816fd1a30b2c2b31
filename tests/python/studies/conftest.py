"""A quick stand-in for EXAMCE, a small data folder, and the command line inside the test process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from sklearn.cluster import KMeans

from intarsia.cli.core.main import main
from intarsia.studies.examce import lab

SIZES = {"u1060": 1060, "pcb3038": 3038, "rat575": 575}


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


class StandIn:
    """Best of a few of scikit-learn's k-means runs, behind the names of `Examce`."""

    calls: list[dict[str, object]]

    def __init__(self, n_clusters, *, random_state, n_base_runs=None, n_threads=None, **options):
        self.n_clusters, self.random_state, self.n_base_runs = n_clusters, random_state, n_base_runs
        self.calls.append({"k": n_clusters, "seed": random_state, "n_base_runs": n_base_runs, **options})

    def fit(self, X):
        rng = np.random.RandomState(self.random_state)
        runs = [
            KMeans(self.n_clusters, n_init=1, init="random", max_iter=2, random_state=rng).fit(X)
            for _ in range((self.n_base_runs or 20) // 10)
        ]
        best = min(runs, key=lambda run: run.inertia_)
        self.best_base_inertia_, self.inertia_ = best.inertia_, 0.9 * best.inertia_
        self.labels_, self.status_ = best.labels_, "done"
        self.history_ = [{"stage": "recombine", "cover_status": "optimal"}] * 2
        return self


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    """Let every run of the study be one of the stand-in's."""
    monkeypatch.setattr(StandIn, "calls", [], raising=False)
    monkeypatch.setattr(lab, "Examce", StandIn)
    return StandIn


@pytest.fixture
def small_data(tmp_path: Path) -> Path:
    """Return a folder with generated points under the names of the paper's data sets."""
    folder = tmp_path / "points"
    (folder / "tsplib").mkdir(parents=True)
    rng = np.random.default_rng(0)
    for name, n in SIZES.items():
        X = rng.integers(0, 1000, (n, 2))
        lines = [f"{i + 1} {x} {y}" for i, (x, y) in enumerate(X)]
        header = [f"NAME: {name}", "TYPE: TSP", f"DIMENSION: {n}", "EDGE_WEIGHT_TYPE: EUC_2D"]
        text = "\n".join([*header, "NODE_COORD_SECTION", *lines, "EOF", ""])
        (folder / "tsplib" / f"{name}.tsp").write_text(text)
    for name, n, d in (("iris", 150, 4), ("soybean_small", 47, 35), ("segmentation", 2310, 19)):
        rows = [",".join(map(str, row)) + ",a" for row in rng.integers(0, 50, (n, d))]
        (folder / f"{name}.csv").write_text(
            "\n".join([",".join(f"f{j}" for j in range(d)) + ",class", *rows, ""])
        )
    return folder


@pytest.fixture
def intarsia_command(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Outcome]:
    """Run `intarsia WORDS...` in an empty folder that has no data beside it."""
    (tmp_path / "empty" / "here").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty" / "here")

    def run(*words: object) -> Outcome:
        code = main([str(word) for word in words])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return run
