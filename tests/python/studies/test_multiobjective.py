"""`intarsia study multiobjective`: what is run, printed and written; the published tables as data."""

from __future__ import annotations

import json

import numpy as np
import pytest

from intarsia.cli.study import multiobjective as cli
from intarsia.datasets import load_demo
from intarsia.executor import SerialExecutor
from intarsia.studies.common import StudySettings
from intarsia.studies.multiobjective import CASES, published, runs, tables


def test_published_tables_hold_every_point():
    for table in (published.SEGMENTATION_7, published.SEGMENTATION_FREE):
        assert {sum(row) for row in table} == {330}
        assert len({len(row) for row in table}) == 1
    assert tuple(CASES) == cli.DATA


def test_generated_sets_have_the_published_sizes():
    assert len(load_demo("spirals-and-blob").X) == 192
    assert len(load_demo("seven-shapes").X) == 1000


def test_errors_by_hand():
    classes = np.array([0, 0, 0, 1, 1, 2], np.int32)
    labels = np.array([0, 0, 1, 1, 1, 1], np.int32)
    assert runs.majority_errors(classes, labels) == 2
    assert runs.matched_errors(classes, labels) == 2
    pieces = np.arange(6, dtype=np.int32)
    assert runs.majority_errors(classes, pieces) == 0
    assert runs.matched_errors(classes, pieces) == 3


def test_the_papers_clusters_stand_beside_ours():
    paper = np.array(published.SEGMENTATION_FREE)
    ours = paper[:, [2, 0, 3, 1, 4, 5]]
    assert tables._matched(ours, paper) == [2, 0, 3, 1, 4, 5]


@pytest.fixture(scope="module")
def three():
    return runs.run_case(CASES["three"], StudySettings(), 5, SerialExecutor())


def test_three_clusters_are_recovered_by_none_alone(three):
    (answer,) = three.answers
    assert answer.n_errors == 0
    assert answer.is_proved
    assert sorted(map(tuple, answer.confusion[:, :3].T)) == [(0, 0, 64), (0, 64, 0), (64, 0, 0)]
    assert min(three.single.values()) > 0
    assert all(three.single_majority[name] <= errors for name, errors in three.single.items())
    sheet = tables.confusion_sheet(three, answer)
    assert sheet.rows[0][0] == three.class_names[0]


def test_command(intarsia_command, monkeypatch):
    monkeypatch.delenv("INTARSIA_DATA", raising=False)  # or the data that should be missing are found
    done = intarsia_command(
        "study", "multiobjective", "--data", "three", "--resamples", 2, "--json", "--threads", 1
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [sheet["name"] for sheet in found["sheets"]] == ["three-fixed", "summary"]
    words = (
        "study",
        "multiobjective",
        "--data",
        "three",
        "--resamples",
        2,
        "--json",
        "--threads",
        1,
        "--resume",
    )
    for _ in range(2):  # what is kept, and what goes on from it
        assert json.loads(intarsia_command(*words).out)["sheets"] == found["sheets"]
    missing = intarsia_command("study", "multiobjective", "--data", "dermatology", "--data-dir", ".")
    assert missing.code == 2
    assert "dermatology" in missing.err
