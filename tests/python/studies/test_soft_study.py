"""`intarsia study soft`: what is run, printed and written; the published tables as data; ratios by hand."""

from __future__ import annotations

import csv
import json
from itertools import permutations

import numpy as np
import pytest

from intarsia.cli import study_soft as cli
from intarsia.ensemble import Ensemble
from intarsia.io import DataError, find_data
from intarsia.studies.published import soft as published
from intarsia.studies.sheet import Sheet
from intarsia.studies.soft import FIGURES, TABLES, Plan
from intarsia.studies.soft import data as soft_data
from intarsia.studies.soft.data import points_of
from intarsia.studies.soft.figures import curve_sheet, draw_curves
from intarsia.studies.soft.plan import QUICK_DATA, Case
from intarsia.studies.soft.runs import HARD, SOFT, Bench, Scored, draw, run_case
from intarsia.studies.soft.tables import belongs, ratio, ratio_sheet
from intarsia.studies.soft.verdict import sentences

TOUGH, EASY = Case("8d5k", 3, 4, 0), Case("8d5k", 6, 10, 0)


def scored(case, **nmi):
    return Scored(case, {"NMI": nmi, "CVC": nmi})


def with_all_methods(case, **nmi):
    return scored(case, **{**dict.fromkeys([*HARD, *SOFT], 0.5), **nmi})


def test_published_tables_are_square_with_ones_on_the_diagonal():
    assert list(published.RATIO_TABLES) == [f"1.{n}" for n in range(7, 14)]
    for table in published.RATIO_TABLES.values():
        assert all(tuple(row) == table.methods for row in table.ratios.values())
        assert all(table.ratios[method][method] == 1 for method in table.methods)


def test_published_ratios_are_nearly_reciprocal_but_for_mcla():
    for table in published.RATIO_TABLES.values():
        for i, j in permutations(set(table.methods) - {"MCLA", "MixMns"}, 2):
            assert table.ratios[i][j] * table.ratios[j][i] == pytest.approx(1, abs=0.03)


def test_paper_has_every_soft_form_ahead_and_more_so_on_tough_ensembles():
    for soft, hard in published.HARD_OF.items():
        assert published.TOUGH.ratios[hard][soft] > published.ALL.ratios[hard][soft] > 1


def test_command_line_offers_every_table_and_figure():
    assert (TABLES, tuple(FIGURES)) == (cli.TABLES, cli.FIGURES)


@pytest.mark.parametrize("name", published.DATA_SETS)
def test_data_have_the_published_sizes(name):
    if name != soft_data.GENERATED:
        try:
            find_data(name)
        except DataError as error:
            pytest.skip(f"needs the file {name}.csv: {error}")
    points = points_of(name, None)
    if name == "pendigits":
        np.testing.assert_allclose(points.X.sum(axis=0), len(points.X))
    assert len(np.unique(points.labels)) == published.DATA_SETS[name].n_classes


def test_data_of_another_size_are_refused(tmp_path):
    (tmp_path / "glass.csv").write_text("f0,f1,class\n1,2,a\n3,4,b\n")
    with pytest.raises(DataError, match=r"glass has \(2, 2\) .* table 1.5 has \(214, 9\) in 6"):
        points_of("glass", tmp_path)


@pytest.mark.parametrize(
    ("case", "tough"),
    [
        (TOUGH, True),
        (Case("8d5k", 3, 5, 0), False),
        (Case("8d5k", 4, 2, 0), False),
        (Case("yeast", 2, 2, 1), True),
        (Case("vehicle", 4, 3, 0), True),
        (Case("vehicle", 5, 3, 0), False),
    ],
)
def test_tough_ensembles_have_few_members_of_fewest_features(case, tough):
    assert case.is_tough is tough
    assert belongs(published.TOUGH, case) is tough
    assert belongs(published.ALL, case)
    assert belongs(published.RATIO_TABLES["1.13"], case) is (case.data == "yeast")


def test_every_setting_of_table_1_6_is_there():
    cases = Plan().cases(published.DATA_SETS)
    settings = {(case.data, case.n_features, case.n_members) for case in cases}
    assert len(settings) == 4 * 9 + 5 * 9 + 5 * 14 + 5 * 9 + 4 * 9 + 4 * 14
    assert len(cases) == Plan().n_ensembles * len(settings)
    assert {case.data for case in Plan(quick=True).cases(QUICK_DATA)} == set(QUICK_DATA)


def test_ratio_of_a_hand_made_case():
    cases = [scored(TOUGH, ITK=0.8, sMCLA=0.4), scored(EASY, ITK=0.9, sMCLA=0.1)]
    assert ratio(cases, "ITK", "sMCLA") == pytest.approx(np.sqrt(2 * 9))
    assert ratio(cases, "ITK", "sHBGF") is None


def test_zero_counts_as_a_hundred_thousandth_and_absent_scores_do_not_count():
    cases = [scored(TOUGH, ITK=0.5, sMCLA=0.0), scored(EASY, ITK=0.5)]
    assert ratio(cases, "ITK", "sMCLA") == pytest.approx(0.5e5)


def test_sheet_names_the_pairs_that_differ_in_direction():
    table = published.RATIO_TABLES["1.12"]
    cases = [with_all_methods(TOUGH, ITK=0.6, sHBGF=0.5, sMCLA=0.4)]
    sheet = ratio_sheet(table, cases, Plan())
    assert sheet.rows[0] == ("ITK", 1.0, 1.0, 1.03, pytest.approx(5 / 6), 0.97, pytest.approx(2 / 3))
    assert any("differs from the paper for 1 of 3 pairs: sHBGF over ITK" in note for note in sheet.notes)
    assert published.LEFT_OUT in sheet.notes


def test_conclusions_follow_the_scores():
    good = sentences([with_all_methods(TOUGH, sCSPA=0.7, ITK=0.9), with_all_methods(EASY, sCSPA=0.51)])
    assert good[0].startswith("sCSPA over CSPA: 1.195 over all, 1.400 over the tough ensembles")
    assert good[0].endswith("no worse than its hard form; the gain is larger on the tough ones.")
    assert "above 1.05 over all; the lead is larger" in good[3]
    bad = sentences([with_all_methods(TOUGH, sCSPA=0.4, ITK=0.4), with_all_methods(EASY)])
    assert "WORSE than its hard form, unlike the paper; the gain is NOT larger" in bad[0]
    assert "NOT above 1.05" in bad[3]
    assert sentences([]) == []


def test_ensembles_are_drawn_by_case_and_seed_alone():
    rng = np.random.default_rng(0)
    pool = Ensemble.from_memberships([rng.dirichlet(np.ones(3), 20) for _ in range(10)])
    first, again = draw(pool, TOUGH, 0), draw(pool, TOUGH, 0)
    assert first.n_members == 4
    np.testing.assert_array_equal(first.memberships, again.memberships)
    assert not np.array_equal(first.memberships, draw(pool, Case("8d5k", 3, 4, 1), 0).memberships)


def test_too_few_distinct_rows_are_one_cluster_of_no_information():
    pool = Ensemble.from_memberships([np.full((12, 5), 0.2)] * 4)
    bench = Bench(pool, np.arange(12) % 5, Plan(quick=True))
    found = run_case(TOUGH, bench).scores["NMI"]
    assert list(found.values()) == [0.0] * len(found)


def test_figures_average_over_what_is_not_varied(tmp_path):
    cases = [with_all_methods(Case("vowel", f, r, 0), ITK=f / 10 + r / 100) for f in (3, 5) for r in (2, 4)]
    sheet = curve_sheet(FIGURES["1.2"], cases)
    assert isinstance(sheet, Sheet)
    assert [row[:3] for row in sheet.rows] == [
        ("vowel", 3, pytest.approx(0.33)),
        ("vowel", 5, pytest.approx(0.53)),
    ]
    pytest.importorskip("matplotlib", reason="matplotlib draws the figures")
    draw_curves(FIGURES["1.2"], sheet, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_quick_study_of_generated_data(intarsia_command, tmp_path):
    done = intarsia_command(
        "study", "soft", "--quick", "--table", "1.12", "--threads", 2, "--out", tmp_path / "o"
    )
    assert done.code == 0
    assert "sCSPA over CSPA:" in done.out
    with open(tmp_path / "o" / "table-1.12.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["method"] for row in rows] == ["ITK", "sHBGF", "sMCLA"]
    assert float(rows[0]["ITK"]) == 1
    one, other = float(rows[0]["sMCLA"]), float(rows[2]["ITK"])
    assert one * other == pytest.approx(1)
    assert (tmp_path / "o" / "table-1.12.md").exists()


def test_results_do_not_depend_on_threads(intarsia_command, tmp_path):
    words = ("study", "soft", "--quick", "--table", "1.12", "--json", "--out", tmp_path / "o")
    one, two = (json.loads(intarsia_command(*words, "--threads", t).out) for t in (1, 2))
    assert one == two
    assert one["conclusions"]


def test_missing_data_are_said_in_one_line_before_anything_is_written(intarsia_command, tmp_path):
    out, nowhere = tmp_path / "o", tmp_path / "nowhere"
    done = intarsia_command("study", "soft", "--data-dir", nowhere, "--table", "1.13", "--out", out)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "does not exist" in done.err
    assert not out.exists()


def test_a_table_that_does_not_exist_is_refused(intarsia_command):
    done = intarsia_command("study", "soft", "--table", "1.6")
    assert done.code == 2
    assert "1.6" in done.err


def test_numbers_of_ensembles_and_runs_can_be_set():
    assert (Plan().n_ensembles, Plan().n_runs) == (3, 2)
    assert (Plan(quick=True).n_ensembles, Plan(quick=True, runs=4).n_runs) == (1, 4)
    assert len(Plan(ensembles=5).cases(["yeast"])) == 5 * 4 * 9
