"""`intarsia bench neighbours` measures what it says: checked on tiny data, never for speed."""

from __future__ import annotations

import json

import pytest

from intarsia.bench.kernels import neighbours


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(neighbours, "QUICK_SAMPLES", 300)
    monkeypatch.setattr(neighbours, "peak_in_subprocess", lambda *_: 1.0)


def test_table_and_json(intarsia, tiny):
    table = intarsia("bench", "neighbours", "--quick")
    assert table.code == 0
    assert "300 x 64" in table.out
    result = json.loads(intarsia("bench", "neighbours", "--quick", "--json").out)
    assert len(result["cases"]) == len(neighbours.CASES)
    # scikit-learn's products lose digits that differences keep
    assert all(case["relative_difference"] < 1e-6 for case in result["cases"])
    assert {case["peer"] for case in result["cases"]} == {"SciPy cKDTree", "scikit-learn brute"}


def test_peak_memory_comes_from_a_process_of_its_own():
    case = neighbours.NeighbourCase(500, 3, 4)
    assert neighbours.peak_in_subprocess(case, "intarsia") > 20
