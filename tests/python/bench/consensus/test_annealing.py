"""`intarsia bench annealing`: its NumPy peer is right, and every part is measured."""

from __future__ import annotations

import json

import numpy as np
import pytest

from intarsia.bench.consensus import annealing
from intarsia.bench.consensus.numpy_annealing import NumpyAnnealing
from intarsia.consensus import mean_agreement

TINY = annealing.Size(60, 3, 5)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(annealing, "PAPER", TINY)
    monkeypatch.setattr(annealing, "QUICK_LARGE", annealing.Size(300, 3, 4))
    monkeypatch.setattr(annealing, "GROWTH", (annealing.Size(600, 3, 4),))


def test_the_peer_keeps_the_value_up_to_date():
    ensemble, start = annealing.noisy_members(TINY)
    peer = NumpyAnnealing(ensemble.labels, start, TINY.k)
    assert peer.value == pytest.approx(mean_agreement(ensemble, start), abs=1e-12)
    values = list(peer.run(5))
    assert values[-1] == pytest.approx(mean_agreement(ensemble, peer.partition), abs=1e-12)
    assert np.array_equal(peer.sizes, np.bincount(peer.partition, minlength=TINY.k))


def test_quick_run_measures_everything(tiny, capfd):
    annealing.run(quick=True, repeats=1, as_json=True)
    result = json.loads(capfd.readouterr().out)
    assert result["paper"]["ratio"] > 0
    assert result["large"]["objective"] >= result["large"]["start_objective"]
    assert [row["n"] for row in result["growth"]] == [60]


def test_table(tiny, capfd):
    annealing.run(quick=True, repeats=1, as_json=False)
    out = capfd.readouterr().out
    assert "ratio" in out
    assert "ms a loop" in out
