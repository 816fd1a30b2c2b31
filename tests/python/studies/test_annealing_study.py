"""`intarsia study annealing`: what is run, printed and written; the published tables as data."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from intarsia.cli import study_annealing as cli
from intarsia.consensus import METHODS, Consensus
from intarsia.studies.annealing import FIGURES, TABLES, Plan
from intarsia.studies.annealing.data import classed_points
from intarsia.studies.annealing.members import error_percent, kmeans_labels, kmeans_members
from intarsia.studies.annealing.runs import ANNEALED, OTHERS, Cell, run_cell
from intarsia.studies.examce import plots
from intarsia.studies.published import annealing as published


def test_published_tables_are_complete():
    assert list(published.ERROR_TABLES) == [3, 4, 5, 6]
    for table in published.ERROR_TABLES.values():
        assert list(table.rows) == [10, 20, 30, 40, 50]
        assert all(list(row) == [*ANNEALED, *OTHERS] for row in table.rows.values())


def test_paper_says_sa_ri_is_best_or_nearly_so():
    rows = [row for table in published.ERROR_TABLES.values() for row in table.rows.values()]
    assert sum(row["SA-RI"] <= min(row.values()) + 0.3 for row in rows) == len(rows)


def test_command_line_offers_every_table_and_figure():
    assert (cli.TABLES, cli.FIGURES) == (TABLES, FIGURES)


@pytest.mark.parametrize("row", published.TABLE_2, ids=lambda row: row.data)
def test_data_have_the_published_sizes(row):
    points = classed_points(row.data, None)
    assert points.X.shape == (row.n_points, row.n_features)
    assert len(np.unique(points.classes)) == row.n_clusters


def test_wine_is_scaled_to_ten():
    X = classed_points("wine", None).X
    assert X.min(axis=0) == pytest.approx(0)
    assert X.max(axis=0) == pytest.approx(10)


def test_half_rings_are_as_hard_for_k_means_as_published():
    points = classed_points("half-rings", None)
    errors = [error_percent(kmeans_labels(points.X, 2, 0, run), points.classes) for run in range(20)]
    assert np.mean(errors) == pytest.approx(26.4, abs=0.5)


def test_members_have_cluster_numbers_of_the_range_and_small_ensembles_are_nested():
    X = classed_points("iris", None).X
    many, few = (kmeans_members(X, r, (3, 5), 0, 2) for r in (12, 4))
    assert set(many.n_classes) == {3, 4, 5}
    assert np.array_equal(many.labels[:, :4], few.labels)


def test_errors_are_under_the_best_matching():
    assert error_percent(np.array([2, 2, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 2, 2])) == 0
    assert error_percent(np.array([0, 0, 0, 1]), np.array([1, 1, 0, 0])) == pytest.approx(25)


@pytest.fixture
def other_functions(monkeypatch):
    """Register stand-ins for the compared consensus functions: members, cut to k clusters."""
    for q, method in enumerate(OTHERS.values()):
        monkeypatch.setitem(
            METHODS, method, lambda e, k, o, q=q: Consensus((e.labels[:, q] % k).astype(np.int32))
        )


def test_annealed_objectives_are_ahead_of_every_start(other_functions):
    cell = Cell(published.TABLE_5, classed_points("iris", None), 8, 0)
    outcome = run_cell(0, cell)
    assert list(outcome.errors) == [*ANNEALED, *OTHERS]
    assert min(outcome.margins.values()) >= 0
    assert outcome.errors["SA-RI"] < 20


def test_quick_tables(other_functions, intarsia_command, tmp_path):
    done = intarsia_command("study", "annealing", "--quick", "--table", 2, 5, "--out", tmp_path / "out")
    assert done.code == 0
    assert "All tables: SA-RI within 2 points" in done.out
    with open(tmp_path / "out" / "table-5.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["r"] for row in rows] == ["10", "30"]
    assert [float(row["SA-RI paper"]) for row in rows] == [10.7, 10.7]
    assert (tmp_path / "out" / "table-2.md").exists()


def test_figure_ascends(intarsia_command, tmp_path, monkeypatch):
    monkeypatch.setattr(plots, "can_draw", lambda: False)
    done = intarsia_command("study", "annealing", "--figure", 2, "--json", "--out", tmp_path / "out")
    assert done.code == 0
    sheet = json.loads(done.out)["sheets"][0]
    for data in ("iris", "wine"):
        values = [row["mean corrected Rand index"] for row in sheet["rows"] if row["data"] == data]
        assert values[-1] >= values[0]  # k-modes may already be at the top: the walk comes back to it
        assert values[-1] > min(values)


def test_settings():
    assert Plan().n_runs == 20
    assert Plan(quick=True).n_runs == 3
    assert Plan(quick=True).sizes((10, 20, 30, 40, 50)) == (10, 30)


def test_a_table_that_does_not_exist_is_refused(intarsia_command):
    done = intarsia_command("study", "annealing", "--table", 7)
    assert done.code == 2
    assert "7" in done.err
