"""`intarsia bench base` measures what it says: checked on tiny data, never for speed."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec

import numpy as np
import pytest

from intarsia.bench.kernels import base, base_cases


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(base, "QUICK_SAMPLES", 1100)
    monkeypatch.setattr(base, "peak_in_subprocess", lambda *_: 1.0)


@pytest.mark.parametrize("name", list(base_cases.CASES))
def test_ours_reaches_the_peers_objective_from_the_same_start(name, tiny):
    case = base_cases.CASES[name]
    pytest.importorskip(case.peer, reason=f"{case.peer} is not installed")
    result = base.measure(case, 1100, 1)
    assert result["relative_difference"] < 1e-6
    assert result["ratio"] > 0


def test_table_and_json(intarsia, tiny):
    wanted = [name for name, case in base_cases.CASES.items() if find_spec(case.peer)]
    table = intarsia("bench", "base", "--quick")
    assert table.code == 0
    assert all(name in table.out for name in wanted)
    result = json.loads(intarsia("bench", "base", "--quick", "--json").out)
    assert [method["method"] for method in result["methods"]] == wanted


def test_absent_peers_are_named(intarsia, tiny, monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: None if name == "kmodes" else find_spec(name))
    outcome = intarsia("bench", "base", "--quick")
    assert re.search("not installed: .*kmodes", outcome.out)


def test_peak_memory_comes_from_a_process_of_its_own():
    assert base.peak_in_subprocess(base_cases.CASES["EM full"], "intarsia", 1100) > 20


def test_mode_cost_counts_categories_beside_the_commonest():
    rows = np.array([[0, 1], [0, 2], [0, 2], [5, 5]])
    assert base_cases.mode_cost(rows, np.array([0, 0, 0, 1])) == 1
