"""`bench mssc`: requests, marks, the file of runs, and the command itself in its quick form."""

from __future__ import annotations

import csv
import json
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import KMeans

from intarsia.bench.measure import cost_of
from intarsia.bench.quality import mssc, rivals, worker
from intarsia.bench.quality.anytime import AnytimeRuns, Attempted
from intarsia.bench.quality.hgmeans import MOST_GENERATIONS, HgCalls
from intarsia.bench.quality.instances import instance_points, instances, parse_instance
from intarsia.bench.quality.run_file import Run, RunFile, append_runs, read_runs

TINY = ("bench", "mssc", "--quick", "--cases", "iris:3", "--budgets", "0.02", "0.05", "--seeds", "1")


class FakeExamce:
    """Stands in for the search: what is tested here is the benchmark."""

    def __init__(self, n_clusters, *, time_limit, random_state, n_threads):
        self.n_clusters, self.random_state, self.status_ = n_clusters, random_state, "time_limit"
        assert n_threads == 1

    def fit(self, X):
        model = KMeans(self.n_clusters, n_init=5, random_state=self.random_state).fit(X)
        self.labels_ = model.labels_
        return self


@pytest.fixture
def in_process(monkeypatch):
    """Answer requests here, with a fake search, and keep a list of them."""
    asked = []

    def answer(request):
        asked.append(request)
        return worker.answer(request)

    monkeypatch.setattr(worker, "in_fresh_process", answer)
    monkeypatch.setattr(rivals, "Examce", FakeExamce)
    return asked


@pytest.fixture
def fake_hgmeans(monkeypatch):
    """A stand-in that records its calls; a thousand generations take it a second."""
    calls = []

    def go(points, classes, population, generations, n_runs, sizes, save):
        calls.append((points[0], generations))
        return [[i % sizes[0] for i in range(len(points))]]

    module = ModuleType("hgmeans")
    module.__spec__ = ModuleSpec("hgmeans", None)
    module.PyHGMeans = lambda: SimpleNamespace(Go=go)
    monkeypatch.setitem(sys.modules, "hgmeans", module)
    seconds = lambda: calls[-1][1] / 1000  # noqa: E731
    clock = lambda: SimpleNamespace(cpu_seconds=seconds, seconds=seconds)  # noqa: E731
    monkeypatch.setattr("intarsia.bench.quality.hgmeans.Clock", clock)
    return calls


def test_the_cases_asked_for():
    assert len(mssc.CASES) == 14
    assert {case.name for case in mssc.CASES} == {
        "u1060", "pcb3038", "rat575", "segmentation", "pendigits", "gauss100",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["u1060", "u1060:", ":3", "u1060:0", "u1060:x"])
def test_a_case_that_cannot_be_read(text):
    with pytest.raises(ValueError, match="should be NAME:K"):
        parse_instance(text)


def test_generated_points_have_the_size_in_their_name():
    assert instance_points(parse_instance("blobs-70:4"), None).shape == (70, 5)


def test_a_budget_counts_runs_that_began_within_it():
    X = np.arange(4.0)[:, None]
    good, bad = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    course = AnytimeRuns([Attempted(0.0, 0.4, 0.4, bad, 4.0), Attempted(0.4, 0.9, 0.9, good, 1.0)])
    early, late = course.mark(X, 0.3), course.mark(X, 0.5)
    assert (early.cost, early.n_runs, early.cpu_s) == (4.0, 1, 0.4)
    assert (late.cost, late.n_runs, late.cpu_s) == (1.0, 2, 0.9)


@pytest.mark.parametrize("name", ["sklearn", "random-swap"])
def test_restarts_never_get_worse_with_more_time(name):
    X = instance_points(parse_instance("iris:10"), None)
    marks = rivals.RIVALS[name].marks(X, 10, 0, [0.01, 0.1], 1)
    assert marks[1].cost <= marks[0].cost
    assert marks[1].n_runs >= marks[0].n_runs >= 1  # how many, and until when, is the clock's business


def test_random_swap_improves_on_one_k_means_run():
    X = instance_points(parse_instance("iris:10"), None)
    (mark,) = rivals.random_swaps(X, 10, 0, [0.1], 1)
    assert mark.cost <= KMeans(10, n_init=1, random_state=0).fit(X).inertia_


def test_breathing_k_means_is_reached_by_its_name():
    pytest.importorskip("bkmeans", reason="bkmeans is not installed")
    X = instance_points(parse_instance("iris:5"), None)
    (mark,) = rivals.bkmeans_restarts(X, 5, 0, [0.01], 1)
    assert mark.cost == pytest.approx(46.4461820512821, rel=0.05)  # optimum of scikit-learn's iris, k = 5


def test_hgmeans_gets_generations_that_fill_each_budget(fake_hgmeans):
    calls = HgCalls(np.arange(40.0).reshape(20, 2), 3, seed=0)
    marks = [calls.mark(budget) for budget in (0.5, 2.0)]
    assert all(0.8 * mark.budget <= mark.cpu_s <= 1.1 * mark.budget for mark in marks)
    assert len({tuple(first) for first, _ in fake_hgmeans}) == 1  # one order of the points throughout


def test_hgmeans_restarts_on_other_orders_once_its_default_is_reached(fake_hgmeans):
    calls = HgCalls(np.arange(400.0).reshape(200, 2), 3, seed=0)
    mark = calls.mark(12.0)
    full = [first for first, generations in fake_hgmeans if generations == MOST_GENERATIONS]
    assert mark.n_runs == len(full) == 2
    assert mark.cpu_s == 10.0  # a third call would end at 15
    assert len({tuple(first) for first in full}) > 1


def test_hgmeans_cost_is_that_of_the_shuffled_points(fake_hgmeans):
    X = np.random.default_rng(0).normal(size=(12, 2))
    mark = HgCalls(X, 3, seed=5).mark(0.02)
    shuffled = np.random.default_rng(5).permutation(X)
    assert mark.cost == pytest.approx(cost_of(shuffled, np.arange(12) % 3))


def test_ours_has_one_process_a_budget_and_peers_one_for_all():
    grid = mssc.Grid(instances("iris:3"), (0.5, 2.0), 1, ("intarsia", "sklearn"))
    asked = mssc.make_requests(grid, RunFile(None), None)
    assert [(request.method, request.budgets) for request in asked] == [
        ("intarsia", (0.5,)), ("intarsia", (2.0,)), ("sklearn", (0.5, 2.0)),
    ]  # fmt: skip


def test_only_what_is_missing_is_asked_for():
    grid = mssc.Grid(instances("iris:3"), (0.5, 2.0), 1, ("intarsia", "sklearn"))
    run_file = RunFile(None)
    run_file.add([Run("iris", 3, "intarsia", 0, 2.0, 1.0), Run("iris", 3, "sklearn", 0, 0.5, 1.0)])
    asked = mssc.make_requests(grid, run_file, None)
    assert [(request.method, request.budgets) for request in asked] == [
        ("intarsia", (0.5,)),
        ("sklearn", (2.0,)),
    ]


def test_a_file_of_runs_comes_back_without_failed_and_cut_off_lines(tmp_path):
    path, kept = tmp_path / "runs.csv", Run("iris", 3, "sklearn", 0, 0.5, 78.85, 0.5, 0.6, 7, "done", 90.5)
    append_runs(path, [kept, Run("iris", 3, "bkmeans", 0, 0.5, status="failed: x")])
    with path.open("a") as file:
        file.write("iris,3,sklearn,1,0.5,78")
    assert list(RunFile(path).runs.values()) == [kept]
    RunFile(path).add([Run("iris", 3, "sklearn", 2, 0.5, 79.0)])
    assert [run.seed for run in read_runs(path)] == [0, 2]


def test_a_file_that_holds_something_else_is_refused(tmp_path):
    (tmp_path / "other.csv").write_text("f0,f1\n1,2\n")
    with pytest.raises(ValueError, match="needs the columns instance,n_clusters"):
        RunFile(tmp_path / "other.csv")


def test_quick_table(intarsia, in_process):
    outcome = intarsia(*TINY, "--peers", "sklearn")
    assert (outcome.code, outcome.err) == (0, "")
    assert "iris:3" in outcome.out
    assert "of 2 cells" in outcome.out
    assert "peak MB" in outcome.out


def test_quick_json_and_files(intarsia, in_process, tmp_path):
    outcome = intarsia(*TINY, "--peers", "sklearn", "--json", "--out", tmp_path / "out")
    result = json.loads(outcome.out)
    assert (result["n_cells"], len(result["cells"])) == (2, 2)
    assert result["peak_mb"]["sklearn"] > 10
    assert len(read_runs(tmp_path / "out" / "mssc_runs.csv")) == 6
    with (tmp_path / "out" / "mssc_cells.csv").open() as file:
        assert {line["method"] for line in csv.DictReader(file)} == {"intarsia", "sklearn", "random-swap"}


def test_resumed_benchmark_measures_nothing_twice(intarsia, in_process, tmp_path):
    words = (*TINY, "--peers", "sklearn", "--json", "--resume", tmp_path / "runs.csv")
    first = json.loads(intarsia(*words).out)
    n_asked = len(in_process)
    second = json.loads(intarsia(*words).out)
    assert len(in_process) == n_asked
    assert second["cells"] == first["cells"]


def test_an_output_folder_with_runs_is_not_overwritten(intarsia, in_process, tmp_path):
    (tmp_path / "mssc_runs.csv").touch()
    outcome = intarsia(*TINY, "--out", tmp_path)
    assert outcome.code == 2
    assert "--resume" in outcome.err


def test_a_peer_that_is_not_installed_is_named(intarsia, in_process, monkeypatch):
    monkeypatch.setitem(
        rivals.RIVALS, "hgmeans", rivals.Rival("hgmeans", rivals.hgmeans_marks, "no_such_module")
    )
    outcome = intarsia(*TINY, "--peers", "sklearn", "hgmeans")
    assert "not installed and not compared: hgmeans" in outcome.out


def test_unknown_peer_and_missing_data(intarsia):
    assert "should be one of sklearn, bkmeans, hgmeans" in intarsia(*TINY, "--peers", "magic").err
    assert "no data for no-such-set" in intarsia("bench", "mssc", "--cases", "no-such-set:3").err


def test_a_fresh_process_answers_with_its_own_memory():
    (run,) = worker.in_fresh_process(worker.Request("iris", 3, "sklearn", 0, (0.01,)))
    assert run.cost == pytest.approx(78.851441426146, rel=1e-3)  # optimum of scikit-learn's iris, k = 3
    assert run.peak_mb > 10


def test_a_process_that_fails_leaves_a_run_that_says_why():
    (run,) = worker.in_fresh_process(worker.Request("no-such-set", 3, "sklearn", 0, (0.01,)))
    assert run.has_failed
    assert "no data named 'no-such-set'" in run.status


def test_our_own_search_runs_in_a_fresh_process():
    (run,) = worker.in_fresh_process(worker.Request("iris", 3, "intarsia", 0, (0.1,)))
    assert run.cost == pytest.approx(78.851441426146, rel=1e-6)
    assert run.cpu_s > 0
