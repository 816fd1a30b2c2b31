"""Runs kept on disk: read back as they were, and not made again."""

from __future__ import annotations

import csv
from dataclasses import fields, replace

import numpy as np
import pytest

from intarsia.studies.examce import store as store_module
from intarsia.studies.examce.lab import JobResult
from intarsia.studies.examce.settings import Job
from intarsia.studies.examce.store import RunStore

JOB = Job("demo:gauss100", 100, "paper", 3, "lp", n_base_runs=20, bracket=0)
RESULT = JobResult(JOB, 1.5, 2.5, 0.25, "done", np.arange(4, dtype=np.int32), 2, True, 0.125)


def read_csv(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_result_comes_back_as_it_was(tmp_path):
    store = RunStore(tmp_path / "runs")
    assert store.read(JOB) is None
    store.write(RESULT)
    found = store.read(JOB)
    for field in fields(JobResult):
        assert np.array_equal(getattr(found, field.name), getattr(RESULT, field.name)), field.name


OTHER = {"seed": 4, "solver": "auto", "n_base_runs": 30, "bracket": None, "effort": "high", "setting": "x"}


@pytest.mark.parametrize("field", OTHER)
def test_every_setting_of_a_job_tells_it_from_others(tmp_path, field):
    store = RunStore(tmp_path)
    store.write(RESULT)
    assert store.read(replace(JOB, **{field: OTHER[field]})) is None


def test_runs_of_another_version_and_damaged_ones_do_not_count(tmp_path, monkeypatch):
    store = RunStore(tmp_path)
    store.write(RESULT)
    (path,) = tmp_path.iterdir()
    with monkeypatch.context() as other:
        other.setattr(store_module, "__version__", "0.0.0")
        assert store.read(JOB) is None
    path.write_bytes(path.read_bytes()[:-50])
    assert store.read(JOB) is None


def test_resumed_study_makes_only_what_is_missing(intarsia_command, small_data, stand_in, tmp_path):
    words = ("--quick", "--table", 4, "--data-dir", small_data, "--out", tmp_path / "res", "--resume")
    assert intarsia_command("study", "examce", *words, "--only", "rat575:90").code == 0
    first = read_csv(tmp_path / "res" / "table-4.csv")
    assert [call["k"] for call in stand_in.calls] == [90]
    assert intarsia_command("study", "examce", *words).code == 0
    assert [call["k"] for call in stand_in.calls] == [90, 100]
    assert read_csv(tmp_path / "res" / "table-4.csv")[:1] == first


def test_kept_runs_are_shown_and_none_is_made(intarsia_command, small_data, stand_in, tmp_path):
    words = ("--quick", "--printed", "--table", 2, 4, "--data-dir", small_data, "--out", tmp_path / "res")
    outcome = intarsia_command("study", "examce", *words, "--kept")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "has kept no run" in outcome.err
    assert intarsia_command("study", "examce", *words, "--resume", "--only", "rat575:100").code == 0
    n_made = len(stand_in.calls)
    outcome = intarsia_command("study", "examce", *words, "--kept")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Table 4, as printed" in outcome.out
    assert "Table 2" not in outcome.out
    assert len(stand_in.calls) == n_made


def test_one_of_two_instances_stands_beside_its_own_published_cost(
    intarsia_command, small_data, stand_in, tmp_path
):
    words = ("--table", 2, 3, "--only", "pcb3038:10", "--data-dir", small_data, "--out", tmp_path / "res")
    assert intarsia_command("study", "examce", *words).code == 0
    (row,) = read_csv(tmp_path / "res" / "x-means.csv")
    assert (row["data"], row["k"], float(row["EXAMCE, published"])) == ("pcb3038", "10", 5.60251e8)


@pytest.mark.parametrize(
    ("only", "said"), [("u1060", "should be such as u1060:50,100"), ("iris:3", "names no instance")]
)
def test_bad_instances_are_one_line(intarsia_command, small_data, stand_in, only, said):
    outcome = intarsia_command("study", "examce", "--table", 4, "--data-dir", small_data, "--only", only)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert said in outcome.err
    assert stand_in.calls == []
