"""`bench scale`: who runs on what, with how much time, and the quick form."""

from __future__ import annotations

import json
import math

import pytest

from intarsia.bench.quality import scale
from intarsia.bench.quality.instances import parse_instance
from intarsia.bench.quality.run_file import Run, RunFile


@pytest.fixture
def asked(monkeypatch):
    """Answer every request with made-up figures: ours costs 100, peers 110."""
    requests = []

    def answer(request):
        requests.append(request)
        cost = 100.0 if request.method == "intarsia" else 110.0
        who = (request.instance, request.n_clusters, request.method, request.seed)
        return [Run(*who, request.budgets[0], cost, 3.5, 2.0, 1, "done", 50.0)]

    monkeypatch.setattr(scale, "in_fresh_process", answer)
    return requests


def test_the_sizes_asked_for():
    assert [case.label for case in scale.REAL] == ["birch1:100", "pla85900:1000", "shuttle:50"]
    assert {case.name for case in scale.GROWTH} == {"blobs-1000", "blobs-10000", "blobs-100000"}
    assert {case.label for case in scale.MILLION} == {"blobs-1000000-8:100", "blobs-1000000-2:1000"}


def test_peers_get_the_cpu_time_that_ours_used(asked):
    scale.compare(parse_instance("iris:5"), RunFile(None), None, threads=2, seed=0, peers=scale.PEERS)
    assert asked[0].budgets == (math.inf,)
    assert asked[0].n_threads == 2
    assert all((request.budgets, request.n_threads) == ((3.5,), 1) for request in asked[1:])


def test_the_peers_asked_for(intarsia, asked):
    assert intarsia("bench", "scale", "--quick", "--peers", "sklearn").code == 0
    assert [request.method for request in asked] == ["intarsia", "sklearn"] * 2


def test_our_time_is_told_in_restarts_of_the_peer():
    rows = [Run("iris", 5, "intarsia", 0, math.inf, 100.0, 8.0, 8.0, 1, "done", 50.0)]
    rows.append(Run("iris", 5, "sklearn", 0, 8.0, 110.0, 9.0, 9.0, 3, "done", 50.0))
    assert [scale._of_one_run(row, rows) for row in rows] == ["", "2.7"]


def test_quick_table_and_json(intarsia, asked):
    assert "+10.000" in intarsia("bench", "scale", "--quick").out
    runs = json.loads(intarsia("bench", "scale", "--quick", "--json").out)["runs"]
    assert {run["instance"] for run in runs} == {"blobs-300", "iris"}
    assert runs[0]["budget"] is None


def test_resumed_growth_measures_nothing_twice(intarsia, asked, tmp_path):
    intarsia("bench", "scale", "--quick", "--resume", tmp_path / "runs.csv")
    before = len(asked)
    intarsia("bench", "scale", "--quick", "--resume", tmp_path / "runs.csv")
    assert len(asked) == before


def test_a_failed_run_is_shown_as_such(intarsia, monkeypatch):
    monkeypatch.setattr(
        scale,
        "in_fresh_process",
        lambda r: [Run(r.instance, 5, r.method, 0, r.budgets[0], status="failed: no luck")],
    )
    assert "failed: no luck" in intarsia("bench", "scale", "--quick").out
