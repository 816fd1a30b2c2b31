"""`intarsia bench memory` sees what a process takes, and what of it is shared."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from intarsia.bench.parallel import memory
from intarsia.cli.core.main import main

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")


def test_quick_form_is_within_its_limit(capfd):
    assert main(["bench", "memory", "--quick", "--works", "kmeans", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["rows"]
    assert row["data_mb"] == pytest.approx(memory.QUICK_POINTS * memory.FEATURES * 8 / 2**20, rel=1e-3)
    assert row["data_mb"] < row["peak_mb"] < row["limit_mb"]
    assert row["within"]


def test_a_peak_is_seen():
    code = "import sys, time; a = bytearray(b'x') * (80 * 2**20); time.sleep(0.5)"
    assert 80 < memory._peak_of([sys.executable, "-c", code, "mark"], "mark") < 120


def test_a_fit_that_fails_is_said():
    with pytest.raises(ValueError, match="the fit failed: no such thing"):
        memory._peak_of([sys.executable, "-c", "import sys; sys.exit('no such thing')"], "mark")
