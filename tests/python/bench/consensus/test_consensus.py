"""`bench consensus`: its ensembles, the plain versions, fresh processes and the quick form."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from intarsia.bench.consensus.cases import CASES, EnsembleCase, cases_of, make_ensemble
from intarsia.bench.consensus.plain import PLAIN
from intarsia.bench.consensus.worker import MethodRun, measure


def test_the_sizes_asked_for():
    assert [(c.n_samples, c.n_members, c.n_clusters) for c in CASES] == [
        (1_000, 20, 5),
        (10_000, 50, 10),
        (100_000, 20, 10),
        (1_000_000, 20, 10),
    ]
    assert cases_of([1_000, 3_000], quick=False) == [CASES[0], EnsembleCase(3_000, 20, 10)]


def test_members_have_k_to_2k_clusters_and_come_from_the_seed():
    labels, truth = make_ensemble(EnsembleCase(600, 6, 4), seed=1)
    assert labels.shape == (600, 6)
    assert truth.max() == 3
    assert all(4 <= len(np.unique(member)) <= 8 for member in labels.T)
    np.testing.assert_array_equal(labels, make_ensemble(EnsembleCase(600, 6, 4), seed=1)[0])


@pytest.mark.parametrize("method", PLAIN)
def test_plain_versions_recover_a_partition_from_noisy_copies(method):
    rng, truth = np.random.default_rng(0), np.repeat(np.arange(4), 50)
    copies = np.column_stack([truth] * 10)
    noise = rng.random(copies.shape) < 0.1
    copies[noise] = rng.integers(4, size=noise.sum())
    assert adjusted_rand_score(truth, PLAIN[method](copies.astype(np.int32), 4)) >= 0.99


def test_quick_form(intarsia):
    outcome = intarsia("bench", "consensus", "--quick", "--methods", "plain-mcla", "mcla", "--json")
    assert outcome.code == 0
    result = json.loads(outcome.out)
    assert [run["method"] for run in result["runs"]] == ["plain-mcla", "mcla"]
    for run in result["runs"]:
        assert 0 < run["nmi"] <= 1
        assert run["peak_mb"] > 10
        assert run["cpu_s"] > 0


def test_table_and_what_failed(intarsia, monkeypatch):
    def failing(path, asked, *_):
        return MethodRun(asked.n_samples, asked.n_members, asked.n_clusters, asked.method, note="over 600 s")

    monkeypatch.setattr("intarsia.bench.consensus.consensus.measure", failing)
    outcome = intarsia("bench", "consensus", "--sizes", 300, "--methods", "hbgf")
    assert "over 600 s" in outcome.out


def test_a_process_that_fails_or_takes_too_long_says_so(tmp_path):
    asked = MethodRun(10, 2, 3, "mcla")
    assert measure(str(tmp_path / "none.npz"), asked, 1, 0, 60.0).note.startswith("failed: FileNotFoundError")
    assert measure(str(tmp_path / "none.npz"), asked, 1, 0, 0.01).note == "over 0.01 s"


def test_an_unknown_method_is_refused(intarsia):
    outcome = intarsia("bench", "consensus", "--methods", "magic")
    assert outcome.code == 2
    assert "--methods magic should be one of" in outcome.err
