"""`intarsia bench mpi`: its quick form really starts ranks, and they find the same cost."""

from __future__ import annotations

import json

from intarsia.cli.core.main import main


def test_quick_form(mpirun, capfd):
    assert main(["bench", "mpi", "--quick", "--json"]) == 0
    rows = json.loads(capfd.readouterr().out)["rows"]
    assert [row["ranks"] for row in rows] == [1, 2, 1, 2]
    assert rows[0]["cost"] == rows[1]["cost"]
    assert rows[2]["cost"] == rows[3]["cost"]
    assert rows[0]["speed_up"] == rows[2]["speed_up"] == 1.0


def test_without_a_launcher(monkeypatch, capfd):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    assert main(["bench", "mpi", "--quick"]) == 2
    assert "pip install intarsia[mpi]" in capfd.readouterr().err
