"""`intarsia doctor` reports a healthy installation, and a broken one."""

from __future__ import annotations

import json

from intarsia.cli.doctor import checks as doctor_checks

REQUIRED = ["intarsia", "python", "numpy", "scipy", "scikit-learn", "highspy", "simd", "threads"]


def test_healthy(intarsia):
    outcome = intarsia("doctor")
    assert (outcome.code, outcome.err) == (0, "")
    for name in REQUIRED:
        assert f"\n{name} " in "\n" + outcome.out
    assert "BROKEN" not in outcome.out


def test_json(intarsia):
    outcome = intarsia("doctor", "--json")
    report = json.loads(outcome.out)
    assert outcome.code == 0
    assert report["ok"] is True
    assert all(report[name]["ok"] for name in REQUIRED)
    assert report["simd"]["text"] in ("avx512", "avx2", "generic")


def test_a_broken_part_is_named_and_exit_1(intarsia, monkeypatch):
    def broken():
        raise RuntimeError("no\nsolver")

    monkeypatch.setattr(doctor_checks, "_check_highs", broken)
    outcome = intarsia("doctor")
    assert outcome.code == 1
    assert "BROKEN  no solver" in outcome.out


def test_a_missing_extra_is_no_illness(intarsia, monkeypatch):
    def missing():
        raise ModuleNotFoundError("gone", name="mpi4py")

    monkeypatch.setattr(doctor_checks, "_mpi", missing)
    outcome = intarsia("doctor")
    assert outcome.code == 0
    assert "none    mpi4py is not installed" in outcome.out
