"""`intarsia bench spectral`: both libraries find the same clusters, and a table says how fast."""

import json

from intarsia.bench.kernels import spectral


def test_quick_run(capsys):
    spectral.run(quick=True, repeats=1, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert [case["n_samples"] for case in found["cases"]] == [spectral.QUICK_SAMPLES] * len(spectral.CASES)
    assert all(case["same_labels"] and case["our_ms"] > 0 for case in found["cases"])


def test_table(capsys, monkeypatch):
    monkeypatch.setattr(spectral, "CASES", spectral.CASES[3:])
    spectral.run(quick=True, repeats=1, as_json=False)
    assert "700 x 2" in capsys.readouterr().out
