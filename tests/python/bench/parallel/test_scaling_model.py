"""The model of scaling against schedules that can be worked out by hand."""

from __future__ import annotations

import json

import pytest

from intarsia.bench.parallel.scaling_model import Network, Stage, gather_seconds, makespan, predict_seconds
from intarsia.cli.core.main import main


@pytest.mark.parametrize(
    ("seconds", "n_ranks", "expected"),
    [
        ([3, 1, 1, 1], 2, 3),  # the long one first: the others fit beside it
        ([1, 1, 1, 3], 2, 4),  # the long one last: it begins after one of the others
        ([1] * 7, 3, 3),
        ([2, 2], 8, 2),
        ([], 4, 0),
        ([1, 2, 3], 1, 6),
    ],
)
def test_makespan(seconds: list[float], n_ranks: int, expected: float) -> None:
    assert makespan(seconds, n_ranks) == expected


def test_every_task_costs_a_draw() -> None:
    assert makespan([1.0, 1.0], 1, draw=0.25) == 2.5


def test_gathering_grows_with_the_tree_and_the_bytes() -> None:
    network = Network(bandwidth=100.0, latency=0.5)
    assert gather_seconds([50, 150], 1, network) == 0
    assert gather_seconds([50, 150], 8, network) == 3 * 0.5 + 2
    assert gather_seconds([50, 150], 9, network) == 4 * 0.5 + 2


def test_serial_parts_are_not_divided() -> None:
    stage = Stage(("a", "a"), (1.0, 1.0), (0, 0))
    network = Network(1e9, 0.0)
    assert predict_seconds([stage], 3.0, 1, network) == 5.0
    assert predict_seconds([stage], 3.0, 2, network) == 4.0


def test_the_benchmark_measures_and_predicts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "scaling", "--quick", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [row["ranks"] for row in facts["ranks"]] == [1, 8, 64, 512]
    assert facts["ranks"][0]["seconds"] == pytest.approx(facts["seconds"], rel=1e-6)
    assert {row["task"] for row in facts["tasks"]} == {"base run", "cover", "step of a population"}
    runs = next(row for row in facts["tasks"] if row["task"] == "base run")
    assert runs["number"] == 24
    assert 1.2 < runs["mean_kb"] < 1.6  # 300 labels of four bytes
