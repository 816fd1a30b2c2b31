"""`bench budgets`: its verdict, and what it asks for."""

from __future__ import annotations

import json

import pytest

from intarsia.bench.quality import budgets
from intarsia.bench.quality.run_file import Run


@pytest.fixture
def asked(monkeypatch):
    """Answer every request with made-up figures: twice the time halves the cost."""
    requests = []

    def answer(request):
        requests.append((request.instance, request.budgets, request.seed))
        return [Run(request.instance, 5, "intarsia", 3, request.budgets[0], 10 / request.budgets[0], 1.0)]

    monkeypatch.setattr(budgets, "in_fresh_process", answer)
    return requests


@pytest.mark.parametrize(("costs", "verdict"), [((3.0, 2.0, 2.0), True), ((3.0, 2.0, 2.1), False)])
def test_the_verdict(costs, verdict):
    assert budgets.Course("case:2", costs, (1.0, 2.0, 3.0)).never_rises is verdict


def test_every_problem_is_fitted_with_every_limit(intarsia, asked):
    done = intarsia("bench", "budgets", "--cases", "iris:10", "--budgets", "5", "1", "--seed", "3")
    assert asked == [("iris", (1.0,), 3), ("iris", (5.0,), 3)]
    assert "+400.0000" in done.out
    assert "more time never hurts: 1 of 1" in done.out


def test_the_quick_form_as_json(intarsia, asked):
    told = json.loads(intarsia("bench", "budgets", "--quick", "--json").out)
    assert [row["case"] for row in told["cases"]] == ["iris:10", "blobs-300-4:5"]
    assert all(row["never_rises"] for row in told["cases"])


def test_a_failed_run_ends_it_in_one_line(monkeypatch):
    failed = Run("iris", 10, "intarsia", 0, 1.0, status="failed: no luck")
    monkeypatch.setattr(budgets, "in_fresh_process", lambda _: [failed])
    with pytest.raises(RuntimeError, match="iris:10: failed: no luck"):
        budgets.run(cases=["iris:10"])
