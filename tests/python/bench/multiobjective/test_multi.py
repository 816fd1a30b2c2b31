"""`intarsia bench multi`: ours against the plain steps."""

import json

from intarsia.bench.multiobjective import multi


def test_quick_run(capsys):
    multi.run(quick=True, repeats=1, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert all(step["same"] for step in found["steps"])
    assert found["fit"]["proven"]
    multi.run(quick=True, repeats=1, as_json=False)
    assert "seven-shapes, 2 resamples" in capsys.readouterr().out
