"""`intarsia bench boosting`: its plain peer is right, and everything is measured."""

from __future__ import annotations

import json

import numpy as np
import pytest

from intarsia import BoostClustering, _core
from intarsia.bench.boosting import boosting
from intarsia.bench.boosting.plain import PlainBoost, memberships, renumbered
from intarsia.metrics import adjusted_rand_index

TINY = boosting.Size(n=400, d=3, k=4, rounds=3)


def test_the_peer_has_the_same_memberships():
    X, _ = boosting.overlapping(TINY)
    centers = np.vstack([X[:2], X[5:7] + 0.3])  # two of them on points
    ours = _core.fuzzy_memberships(X, centers, 3.0, 1)
    np.testing.assert_allclose(memberships(X, centers), ours, atol=1e-12)


def test_the_peer_renumbers_by_shared_points():
    h = np.eye(3)[[0, 0, 1, 2, 2]]
    votes = np.eye(3)[[2, 2, 0, 1, 1]]
    np.testing.assert_array_equal(h[:, renumbered(h, votes)], votes)


def test_the_peer_finds_the_same_clusters():
    X, _ = boosting.overlapping(TINY._replace(n=2000))
    X *= [1, 1, 4]
    ours = BoostClustering(4, max_rounds=10, stop=False, random_state=0, n_threads=1).fit(X)
    peer = PlainBoost(4, 10).fit(X)
    assert len(peer.epsilons_) == 10
    assert peer.epsilons_[0] == pytest.approx(ours.rounds_[0].epsilon, abs=0.05)
    assert adjusted_rand_index(peer.labels_, ours.labels_) > 0.5


@pytest.mark.parametrize("as_json", [True, False])
def test_quick_run_measures_everything(monkeypatch, capfd, as_json):
    monkeypatch.setattr(boosting, "QUICK", TINY)
    monkeypatch.setattr(boosting, "_peak_mb", lambda name, size: 100.0 if name else 90.0)
    boosting.run(quick=True, repeats=1, as_json=as_json)
    out = capfd.readouterr().out
    if as_json:
        rows = json.loads(out)["versions"]
        assert [row["version"] for row in rows] == list(boosting.VERSIONS)
        assert rows[0]["times_ours"] == rows[2]["times_ours"] == 1
        assert all(row["cpu_s"] > 0 and row["mb_above"] == 10 for row in rows)
    else:
        assert "times ours" in out


def test_the_peak_of_a_process_that_fits():
    assert 10 < boosting._answer({"library": boosting.OURS, "size": TINY}) < 4000
