"""`intarsia study soft`: what is run, printed and written; the published tables as data; ratios by hand."""

from __future__ import annotations

import csv
import json
from itertools import permutations

import numpy as np
import pytest

from intarsia.cli.study import soft as cli
from intarsia.ensemble import Ensemble
from intarsia.io import DataError
from intarsia.report.sheet import Sheet
from intarsia.studies.soft import FIGURES, TABLES, SoftStudySettings, defaults, published
from intarsia.studies.soft.data import points_of
from intarsia.studies.soft.figures import curve_sheet, draw_curves
from intarsia.studies.soft.runs import FORMS, HARD, SOFT, MemberPools, Scored, draw, score_method, score_tasks
from intarsia.studies.soft.settings import QUICK_DATA, Case
from intarsia.studies.soft.tables import Ratio, belongs, ratio, ratio_sheet
from intarsia.studies.soft.verdict import sentences

TOUGH, EASY = Case("8d5k", 3, 4, 0), Case("8d5k", 6, 10, 0)


def scored(case, **nmi):
    return Scored(case, {form: {"NMI": nmi, "CVC": nmi} for form in FORMS})


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
    assert tuple(published.DATA_SETS) == cli.DATA
    assert list(SoftStudySettings(data=("yeast", "8d5k")).data_sets()) == ["8d5k", "yeast"]


@pytest.mark.parametrize("name", published.DATA_SETS)
def test_data_have_the_published_sizes(name, data_dir):
    points = points_of(name, data_dir)
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
    cases = SoftStudySettings().cases(published.DATA_SETS)
    settings = {(case.data, case.n_features, case.n_members) for case in cases}
    assert len(settings) == 4 * 9 + 5 * 9 + 5 * 14 + 5 * 9 + 4 * 9 + 4 * 14
    # one choice of all the members of a pool, three of fewer
    assert len(cases) == 3 * len(settings) - 2 * 27
    assert {case.data for case in SoftStudySettings(quick=True).cases(QUICK_DATA)} == set(QUICK_DATA)


def test_ratio_of_a_hand_made_case():
    cases = [scored(TOUGH, ITK=0.8, sMCLA=0.4), scored(EASY, ITK=0.9, sMCLA=0.1)]
    found = ratio(cases, "ITK", "sMCLA")
    assert found.value == pytest.approx(np.sqrt(2 * 9))
    error = (np.log(9) - np.log(2)) / 2  # half of the difference: the standard error of two
    assert found.low == pytest.approx(found.value * np.exp(-2 * error))
    assert found.high == pytest.approx(found.value * np.exp(2 * error))
    assert ratio(cases, "ITK", "sHBGF") is None


def test_zero_counts_as_a_hundred_thousandth_and_absent_scores_do_not_count():
    cases = [scored(TOUGH, ITK=0.5, sMCLA=0.0), scored(EASY, ITK=0.5)]
    assert ratio(cases, "ITK", "sMCLA").value == pytest.approx(0.5e5)


def test_a_pair_is_reversed_only_where_the_interval_says_so():
    sure, unsure = Ratio.of([0.5, 0.5], [0.6, 0.601]), Ratio.of([0.5, 0.9], [0.7, 0.8])
    assert sure.contradicts(1.03)
    assert not sure.contradicts(0.97)
    assert not unsure.contradicts(1.03)
    assert not Ratio.of([0.5], [0.6]).contradicts(1.03)  # one ensemble says nothing


def test_sheet_names_the_pairs_that_differ_in_direction():
    table = published.RATIO_TABLES["1.12"]
    cases = [with_all_methods(TOUGH, ITK=0.6, sHBGF=x, sMCLA=0.4) for x in (0.5, 0.501)]
    sheet = ratio_sheet(table, cases, SoftStudySettings())
    assert [row[0] for row in sheet.rows] == ["sHBGF / ITK", "sMCLA / ITK", "sMCLA / sHBGF"]
    assert sheet.rows[0][1:3] == (1.03, pytest.approx(1 / 0.968))
    assert sheet.rows[0][3] == pytest.approx(np.sqrt(0.5 * 0.501) / 0.6)
    assert [row[-1] for row in sheet.rows] == ["as printed, intarsia", "no", "no"]
    for form in FORMS:
        says = (
            f"{form}: direction differs from the paper for 1 of 3 pairs, for 1 by more than 2 standard errors"
        )
        assert f"{says}: sHBGF / ITK" in sheet.notes
    assert published.LEFT_OUT in sheet.notes


def test_share_of_zeros_that_would_explain_a_reversed_pair():
    table, n = published.RATIO_TABLES["1.7"], 1000
    cases = [with_all_methods(EASY, CSPA=0.4, MixMns=x) for x in np.linspace(0.45, 0.451, n)]
    notes = ratio_sheet(table, cases, SoftStudySettings()).notes
    (note,) = (note for note in notes if note.startswith("intarsia: the ratio would be the published one"))
    said = float(note.split("MixMns / CSPA ")[1].split("%")[0]) / 100
    n_zeros = round(said * n)
    zeros = [with_all_methods(EASY, CSPA=0.4, MixMns=0.0)] * n_zeros
    assert 0 < n_zeros < n
    assert ratio(cases[n_zeros:] + zeros, "MixMns", "CSPA").value == pytest.approx(0.802, abs=0.01)


def test_conclusions_follow_the_scores():
    good = sentences([with_all_methods(c, sCSPA=x) for c, x in [(TOUGH, 0.7), (EASY, 0.6), (EASY, 0.61)]])
    assert good[0].startswith("as printed, sCSPA over CSPA: 1.270 [")
    assert good[0].endswith("ahead; larger on the tough ones.")
    bad = sentences([with_all_methods(c, sCSPA=x) for c, x in [(TOUGH, 0.4), (EASY, 0.41), (EASY, 0.42)]])
    assert bad[0].endswith("BEHIND; NOT larger on the tough ones.")
    assert any(text.startswith("intarsia, sHBGF over ITK on 8d5k: 1.000") for text in bad)
    assert sentences([]) == []


def test_ensembles_are_drawn_by_case_and_seed_alone():
    rng = np.random.default_rng(0)
    pool = Ensemble.from_memberships([rng.dirichlet(np.ones(3), 20) for _ in range(10)])
    first, again = draw(pool, TOUGH, 0), draw(pool, TOUGH, 0)
    assert first.n_members == 4
    np.testing.assert_array_equal(first.memberships, again.memberships)
    assert not np.array_equal(first.memberships, draw(pool, Case("8d5k", 3, 4, 1), 0).memberships)
    of_nine = [draw(pool, Case("8d5k", 3, 9, number), 0).memberships.tobytes() for number in range(10)]
    assert len(set(of_nine)) == 10  # every choice of nine out of ten, each once


def test_too_few_distinct_rows_score_nothing_whatever_the_method():
    rng = np.random.default_rng(0)
    shares = (
        0.2 + 0.01 * rng.dirichlet(np.ones(5), 12) + 0.3 * np.eye(5)[0]
    )  # soft rows differ, labels do not
    pool = Ensemble.from_memberships([shares / shares.sum(axis=1, keepdims=True)] * 4)
    pools = MemberPools({TOUGH.n_features: pool}, np.arange(12) % 5, SoftStudySettings(quick=True))
    assert [score_method(task, pools)["NMI"] for task in score_tasks([TOUGH])] == [0.0] * 16


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
    assert [row["pair"] for row in rows] == ["sHBGF / ITK", "sMCLA / ITK", "sMCLA / sHBGF"]
    for row in rows:
        assert float(row["as printed low"]) <= float(row["as printed"]) <= float(row["as printed high"])
    chain = float(rows[0]["intarsia"]) * float(rows[2]["intarsia"])
    assert chain == pytest.approx(float(rows[1]["intarsia"]))
    assert (tmp_path / "o" / "table-1.12.md").exists()


def test_defaults_are_chosen_and_reported_on_different_data(monkeypatch):
    plain = defaults._key("sCSPA", {"alike": 0, "metis": "best"})

    def stand_in(names, settings, executor, on_done):
        of_all = {defaults._key(m, o): [0.5, 0.6] for _, m, o in defaults._tasks([TOUGH])}
        return {**of_all, plain: [0.6, 0.7] if "8d5k" in names else [0.4, 0.5]}

    monkeypatch.setattr(defaults, "_scores", stand_in)
    sheet = defaults.defaults_sheet(SoftStudySettings(), None, None)
    assert not set(defaults.CHOSEN_ON) & set(defaults.REPORTED_ON)
    row = next(row for row in sheet.rows if row[:2] == ("sCSPA", "alike=0, metis=best"))
    assert row[2] > 1 > row[5]
    assert "sCSPA: alike=0, metis=best is chosen; on the other data sets it has 0.816" in sheet.notes


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
    assert (SoftStudySettings().n_ensembles, SoftStudySettings().n_runs) == (3, 2)
    assert (SoftStudySettings(quick=True).n_ensembles, SoftStudySettings(quick=True, runs=4).n_runs) == (1, 4)
    assert len(SoftStudySettings(ensembles=5).cases(["yeast"])) == 4 * (5 * 8 + 1)
    assert {case.n_members for case in SoftStudySettings(every=4).cases(["yeast"])} == {2, 6, 10}
