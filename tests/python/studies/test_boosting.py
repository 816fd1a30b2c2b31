"""`intarsia study boosting`: published tables as data, splits, scores, counts, its small form."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from sklearn.cluster import KMeans

from intarsia.cli.study import boosting as cli
from intarsia.io import DataError
from intarsia.metrics import connectivity, isolation
from intarsia.studies.boosting import FIGURES, TABLES, BoostingStudySettings, published
from intarsia.studies.boosting.counts import BOOST_OVER_SINGLE, OF_BAGGING, count
from intarsia.studies.boosting.data import points_of, split_points, split_rows
from intarsia.studies.boosting.published import BAG, ENTROPY, MINMAX, SINGLE
from intarsia.studies.boosting.runs import Case, Scores, TableData, best_single, cases_of, run_case
from intarsia.studies.boosting.weights import gain, hard_shares, sign_p

QUICK = BoostingStudySettings(quick=True)


def printed(*numbers):
    return [row for number in numbers for row in published.TABLES[number].rows.values()]


def test_command_line_offers_every_table_and_figure():
    assert (cli.TABLES, cli.FIGURES) == (TABLES, FIGURES)


@pytest.mark.parametrize(
    ("numbers", "question", "said"),
    [
        ((2,), BOOST_OVER_SINGLE, 11),
        ((3,), BOOST_OVER_SINGLE, 14),
        ((4, 5), BOOST_OVER_SINGLE, 8),
        ((4, 5), OF_BAGGING[0], 8),
        ((4, 5), OF_BAGGING[1], 8),
        ((4, 5), OF_BAGGING[2], 7),
    ],
)
def test_published_tables_hold_what_the_paper_says_of_them(numbers, question, said):
    assert sum(map(question.is_so, printed(*numbers))) == said


def test_paper_says_ten_and_ten_and_thirteen_and_eleven_of_each_index():
    ahead = [
        sum(row[index] > row[SINGLE] for row in printed(number))
        for number in (2, 3)
        for index in (MINMAX, ENTROPY)
    ]
    assert ahead == [10, 10, 13, 11]


def test_chance_is_that_of_exchangeable_scores():
    scores = np.random.default_rng(0).random((100_000, 4))
    rows = [dict(zip((SINGLE, MINMAX, ENTROPY, BAG), row, strict=True)) for row in scores.tolist()]
    for question in (BOOST_OVER_SINGLE, *OF_BAGGING):
        assert np.mean([question.is_so(row) for row in rows]) == pytest.approx(question.chance, abs=0.01)
    found = count(BOOST_OVER_SINGLE, [(row, [row] * 2) for row in printed(2, 3)])
    assert (found.n_rows, found.published, found.by_split) == (32, 25, (25, 25))
    assert found.chance == pytest.approx(21.33, abs=0.01)


def test_splits_are_random_and_whole():
    train, test = split_rows(2000, 1000, 0, 3)
    assert sorted([*train, *test]) == list(range(2000))
    assert 450 < (train < 1000).sum() < 550  # the bananas come ordered by class
    again, other = split_rows(2000, 1000, 0, 3)[0], split_rows(2000, 1000, 0, 4)[0]
    np.testing.assert_array_equal(train, again)
    assert not np.array_equal(train, other)


def test_standardised_by_the_training_points():
    X = points_of("banana", None).X
    train, test = split_points(X, 1000, "standardised", 0, 0)
    np.testing.assert_allclose([train.mean(axis=0), train.std(axis=0)], [[0, 0], [1, 1]], atol=1e-12)
    raw = split_points(X, 1000, "raw", 0, 0)
    np.testing.assert_allclose(test, (raw.test - raw.train.mean(axis=0)) / raw.train.std(axis=0))


@pytest.mark.parametrize("name", published.DATA)
def test_data_have_the_published_sizes(name, data_dir):
    assert len(points_of(name, data_dir).X) == published.DATA[name].n_points


def test_data_of_another_size_are_refused(tmp_path):
    (tmp_path / "clouds.csv").write_text("f0,f1,class\n1,2,a\n3,4,b\n")
    with pytest.raises(DataError, match=r"clouds has \(2, 2\) .* table 1 has \(5000, 2\)"):
        points_of("clouds", tmp_path)


def test_best_single_is_that_of_lowest_error():
    X = np.ascontiguousarray(points_of("banana", None).X[::4])
    found = best_single(X, "kmeans", 4, 6, 0)
    worst = max(KMeans(4, n_init=1, init="random", random_state=s).fit(X).inertia_ for s in range(6))
    assert found.cost <= worst
    assert found.cost == pytest.approx(sum(((X - found.centers[found.labels]) ** 2).sum(axis=1)))


def test_scores_of_a_case_are_the_indices_of_its_test_points():
    table = published.TABLE_4
    case = Case("figure-8", "raw", 5, 1)
    points = {"figure-8": points_of("figure-8", None)}
    scores = run_case(case, TableData(table, points, QUICK))
    assert list(scores.isolation) == list(scores.connectivity) == list(table.methods)
    assert scores.rounds[BAG] == scores.rounds[MINMAX]
    train, test = split_points(points["figure-8"].X, 2000, "raw", 0, 1)
    labels = best_single(train, "kmeans", 5, QUICK.n_single, 1).label(test)
    assert scores.isolation[SINGLE] == isolation(test, labels)
    expected = connectivity(test, labels, n_pairs=QUICK.n_pairs, random_state=1)
    assert scores.connectivity[SINGLE] == pytest.approx(expected, rel=1e-12)


def test_z_by_hand():
    names = (SINGLE, MINMAX, ENTROPY)
    scores = Scores(dict(zip(names, (1, 2, 4), strict=True)), dict(zip(names, (5, 5, 9), strict=True)), {})
    # isolation: median 2, MAD 1; connectivity: MAD 0, mean deviation 4/3
    assert scores.z() == {SINGLE: -1, MINMAX: 0, ENTROPY: pytest.approx(2 + 3)}


def test_cases_cover_every_row_split_and_scaling():
    settings = BoostingStudySettings()
    assert settings.n_splits == 6
    assert len(cases_of(published.TABLE_2, settings)) == 16 * 6 * 2
    assert len(cases_of(published.TABLE_4, BoostingStudySettings(splits=8))) == 4 * 8 * 2
    assert {case.data for case in cases_of(published.TABLE_3, QUICK)} == {"banana"}


@pytest.mark.parametrize("name", ["clouds", "page_blocks"])
def test_what_is_hard_to_cluster_gains_weight(name, data_dir):
    X = np.ascontiguousarray(points_of(name, data_dir).X[::5])
    shares = [hard_shares(X, 4, seed, n_rounds=6) for seed in range(6)]
    assert all(share.weight[0] == pytest.approx(0.1, abs=1e-3) for share in shares)
    assert all(share.weight[-1] > share.weight[0] for share in shares)
    assert sum(gain(share) > 0 for share in shares) == 6
    assert sign_p(20, 20) == pytest.approx(2**-20)


def test_quick_study(intarsia_command, tmp_path):
    out = tmp_path / "out"
    words = ("--table", 2, "--table", 4, "--figure", "5", "6-7", "8", "--threads", 1)
    done = intarsia_command("study", "boosting", "--quick", *words, "--out", out)
    assert done.code == 0
    assert "chance 1.3" in done.out
    assert "rounds used" in done.out
    with open(out / "table-2.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["data"], row["C"]) for row in rows] == [("banana", "3"), ("banana", "4")]
    assert float(rows[0]["single paper"]) == -2.676
    with open(out / "table-4-raw.csv", newline="") as stream:
        assert all(0 < float(row["bagging isolation"]) <= 1 for row in csv.DictReader(stream))
    assert (out / "figure-5.csv").exists()


def test_figure_of_shapes(intarsia_command, tmp_path):
    done = intarsia_command(
        "study",
        "boosting",
        "--quick",
        "--figure",
        "shapes",
        "--json",
        "--threads",
        1,
        "--out",
        tmp_path / "o",
    )
    rows = json.loads(done.out)["sheets"][0]["rows"]
    by_method = {(row["data"], row["method"]): row["median ARI"] for row in rows}
    assert by_method["two-moons", "boosted, evidence"] > 0.9
    assert by_method["two-moons", "best k-means"] < 0.7


def test_missing_data_are_said_in_one_line(intarsia_command, tmp_path, monkeypatch):
    monkeypatch.delenv("INTARSIA_DATA", raising=False)
    done = intarsia_command(
        "study", "boosting", "--data-dir", tmp_path, "--table", 2, "--out", tmp_path / "o"
    )
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "clouds" in done.err
