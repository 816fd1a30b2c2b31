"""`intarsia fit` gives the same bytes for any number of ranks and threads."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from intarsia import __version__
from intarsia.datasets import load


@pytest.fixture
def points(tmp_path):
    """A small form of gauss100: twenty of its clusters."""
    full = load("demo:gauss100")
    few = full.X[np.flatnonzero(full.labels < 20)][::3]
    np.save(tmp_path / "points.npy", few)
    return tmp_path / "points.npy"


def bytes_of(folder):
    cost = json.loads((folder / "result.json").read_text())["cost"]
    return cost, (folder / "labels.csv").read_bytes(), (folder / "centers.csv").read_bytes()


def test_base_runs_give_the_same_bytes(mpirun, alone, points, tmp_path):
    fit = ["-m", "intarsia", "fit", points, "-k", 20, "--method", "hk-means", "--runs", 12]
    assert alone(*fit, "--out", tmp_path / "alone").code == 0
    seen = [bytes_of(tmp_path / "alone")]
    for n_ranks, n_threads in ((2, 1), (3, 2)):
        done = mpirun(n_ranks, *fit, "--threads", n_threads, "--out", tmp_path / f"ranks{n_ranks}")
        assert done.code == 0, done.err
        seen.append(bytes_of(tmp_path / f"ranks{n_ranks}"))
    assert all(result == seen[0] for result in seen)


@pytest.mark.parametrize(
    ("data", "words"), [("u1060", []), ("demo:gauss100", ["--effort", "paper", "--base-runs", 8, "--tau", 0])]
)
def test_whole_problems_give_the_same_bytes(mpirun, alone, tmp_path, data_dir, data, words):
    fit = ["-m", "intarsia", "fit", data, "-k", 50, "--data-dir", data_dir, *words]
    done = alone(*fit, "--threads", 3, "--out", tmp_path / "threads")
    assert done.code == 0, done.err
    done = mpirun(4, *fit, "--threads", 1, "--out", tmp_path / "ranks")
    assert done.code == 0, done.err
    assert bytes_of(tmp_path / "ranks") == bytes_of(tmp_path / "threads")


def test_one_rank_prints_and_each_one_logs(mpirun, tmp_path):
    words = ["demo:iris", "-k", 3, "--method", "hk-means", "--runs", 40, "--json", "--log-dir", tmp_path]
    done = mpirun(2, "-m", "mpi4py", "-m", "intarsia", "fit", *words)
    assert (done.code, done.err) == (0, "")
    result = json.loads(done.out)
    assert (result["ranks"], result["runs"]) == (2, 40)
    logs = [(tmp_path / f"rank-{rank:04d}.log").read_text() for rank in (0, 1)]
    tasks = [
        line.split(" task ")[1].split()[0] for log in logs for line in log.splitlines() if " task " in line
    ]
    assert sorted(map(int, tasks)) == list(range(40))


def test_weights_scaling_and_single_precision_reach_every_rank(mpirun, alone, points, tmp_path):
    n = len(np.load(points))
    np.savetxt(tmp_path / "weights.csv", np.random.default_rng(0).integers(0, 3, n), header="w", comments="")
    words = [points, "-k", 5, "--weights", tmp_path / "weights.csv", "--scale", "standard"]
    fit = ["-m", "intarsia", "fit", *words, "--method", "kmeans", "--float32"]
    assert alone(*fit, "--out", tmp_path / "one").code == 0
    assert mpirun(3, *fit, "--out", tmp_path / "three").code == 0
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "three")


def test_what_needs_no_ranks_is_printed_once(mpirun):
    done = mpirun(2, "-m", "intarsia", "--version")
    assert (done.code, done.out) == (0, f"intarsia {__version__}\n")


def test_ranks_may_have_different_numbers_of_threads(mpirun, alone, points, tmp_path):
    fit = ["-m", "intarsia", "fit", points, "-k", 20, "--base-runs", 16]
    assert alone(*fit, "--out", tmp_path / "one").code == 0
    fit += ["--out", tmp_path / "two"]
    done = mpirun(1, *fit, "--threads", 1, ":", "-n", 1, sys.executable, *fit, "--threads", 3)
    assert done.code == 0, done.err
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
