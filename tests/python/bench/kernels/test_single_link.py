"""`intarsia bench single-link` measures what it says: checked on tiny data, never for speed."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec

import pytest

from intarsia.bench.kernels import single_link


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(single_link, "QUICK_SAMPLES", 300)
    monkeypatch.setattr(single_link, "peak_in_subprocess", lambda *_: 1.0)


def test_table_and_json(intarsia, tiny):
    table = intarsia("bench", "single-link", "--quick")
    assert table.code == 0
    assert "300 x 8" in table.out
    cases = json.loads(intarsia("bench", "single-link", "--quick", "--json").out)["cases"]
    compared = [case for case in cases if case["peer"]]
    assert compared
    assert len(compared) < len(cases)
    assert all(case["relative_difference"] < 1e-12 for case in compared)


def test_absent_peers_are_named(intarsia, tiny, monkeypatch):
    monkeypatch.setattr(
        single_link, "find_spec", lambda name: None if name == "fastcluster" else find_spec(name)
    )
    assert re.search("not installed: fastcluster", intarsia("bench", "single-link", "--quick").out)


def test_peak_memory_comes_from_a_process_of_its_own():
    assert single_link.peak_in_subprocess(single_link.TreeCase(500, 3, None), "intarsia") > 20
