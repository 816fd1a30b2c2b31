"""From runs to cells: means, bests, references and verdicts, on rows made up by hand."""

from __future__ import annotations

import math

import pytest

from intarsia.bench.quality.comparison import compare_runs, count_ahead
from intarsia.bench.quality.mssc_report import Report, as_object, show, verdict
from intarsia.bench.quality.run_file import Run

PEERS = ("sklearn", "bkmeans")


def rows(method, costs, budget=1.0, instance="toy", k=3):
    return [Run(instance, k, method, seed, budget, cost, 1.0, 1.0, 1) for seed, cost in enumerate(costs)]


def test_mean_best_and_percent_above_the_best_of_the_run():
    (comparison,) = compare_runs(rows("intarsia", [100, 104]) + rows("sklearn", [110, 130]), {})
    assert comparison.label == "toy:3"
    assert comparison.reference == 100
    assert (comparison.scores["intarsia"].mean, comparison.scores["intarsia"].best) == (102, 100)
    assert (comparison.scores["sklearn"].mean, comparison.scores["sklearn"].n_runs) == (120, 2)
    assert comparison.above(comparison.scores["sklearn"].mean) == pytest.approx(20)


def test_reference_is_the_better_of_known_and_found():
    runs = rows("sklearn", [110])
    assert compare_runs(runs, {"toy:3": 100.0})[0].reference == 100
    assert compare_runs(runs, {"toy:3": 120.0})[0].reference == 110


def test_reference_is_shared_by_the_budgets_of_a_problem():
    cells = compare_runs(rows("sklearn", [110], budget=2.0) + rows("sklearn", [120], budget=0.5), {})
    assert [(comparison.budget, comparison.reference) for comparison in cells] == [(0.5, 110), (2.0, 110)]


def test_best_peer_has_the_least_mean_not_the_least_best():
    (comparison,) = compare_runs(rows("sklearn", [100, 200]) + rows("bkmeans", [140, 140]), {})
    assert comparison.best_peer(PEERS) == "bkmeans"


def test_a_tie_counts_as_at_or_below_and_rounding_does_not_break_it():
    tied = compare_runs(rows("intarsia", [100 * (1 + 1e-12)]) + rows("sklearn", [100]), {})
    worse = compare_runs(rows("intarsia", [100 * (1 + 1e-6)]) + rows("sklearn", [100]), {})
    assert tied[0].is_ahead("intarsia", PEERS) is True
    assert worse[0].is_ahead("intarsia", PEERS) is False


def test_one_peer_ahead_is_enough_to_lose_a_cell():
    (comparison,) = compare_runs(rows("intarsia", [100]) + rows("sklearn", [110]) + rows("bkmeans", [99]), {})
    assert comparison.is_ahead("intarsia", PEERS) is False


def test_count_of_cells_leaves_out_those_without_peer_or_without_ours():
    runs = rows("intarsia", [1], instance="a") + rows("sklearn", [2], instance="a")
    runs += rows("intarsia", [3], instance="b") + rows("sklearn", [2], instance="b")
    runs += rows("intarsia", [1], instance="alone") + rows("sklearn", [1], instance="theirs")
    assert count_ahead(compare_runs(runs, {}), "intarsia", PEERS) == (1, 2)


def test_failed_runs_count_nowhere_but_are_reported():
    runs = rows("intarsia", [1.0]) + rows("sklearn", [2.0, math.nan])
    report = Report(("intarsia", "sklearn"), runs)
    assert report.comparisons[0].scores["sklearn"].n_runs == 1
    assert as_object(report)["n_failed"] == 1


def test_random_swap_is_no_peer():
    runs = rows("intarsia", [2.0]) + rows("random-swap", [1.0]) + rows("sklearn", [3.0])
    report = Report(("intarsia", "sklearn", "random-swap"), runs)
    assert verdict(report) == "our mean is at or below every peer's mean on 1 of 1 cells"


def test_a_cost_below_a_proven_optimum_is_named():
    honest = rows("sklearn", [96317864.46], instance="u1060", k=100)
    wrong = rows("bkmeans", [96000000.0], instance="u1060", k=100)
    assert Report(("sklearn", "bkmeans"), honest).impossible == []
    assert Report(("sklearn", "bkmeans"), honest + wrong).impossible == wrong


@pytest.mark.parametrize(("cpu", "words"), [(0.5, "less CPU"), (1.0, ""), (1.5, "overran a budget: 1.50")])
def test_what_our_search_really_used_is_said_when_it_is_not_the_budget(cpu, words, capsys):
    run = Run("toy", 3, "intarsia", 0, 1.0, 100.0, cpu, 1.0, 1, "done", 50.0)
    show(Report(("intarsia",), [run]), as_json=False)
    out = capsys.readouterr().out
    assert words in out
    assert ("less CPU" in out, "overran" in out) == (cpu < 0.9, cpu > 1.1)
