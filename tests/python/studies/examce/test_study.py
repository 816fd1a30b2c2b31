"""`intarsia study examce`: what is run, printed and written."""

from __future__ import annotations

import csv
import json
from collections import Counter

import numpy as np
import pytest

from intarsia.cli.study import examce as cli_study
from intarsia.report import plots
from intarsia.studies.examce import lab as lab_module
from intarsia.studies.examce import stability, study
from intarsia.studies.examce.settings import ExamceStudySettings, Job

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_csv(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


def jobs_of(tables=(), figures=(), **settings):
    return study.all_jobs(study.experiments(tables, figures), ExamceStudySettings(**settings))


def test_default_study_is_the_forty_instances_once_each():
    jobs = jobs_of((2, 3, 4))
    # and u1060 in 5 clusters, as many as X-means found
    assert Counter(job.data for job in jobs) == {"u1060": 15, "pcb3038": 14, "rat575": 12}
    assert {(job.effort, job.seed, job.solver) for job in jobs} == {("default", 0, "auto")}


def test_command_line_offers_every_table_and_figure():
    assert len(study.experiments(cli_study.TABLES, cli_study.FIGURES)) == 16  # and X-means
    assert set(cli_study.FIGURES) == {*study.FIGURES, *study.ENTROPY_FIGURES}


def test_run_times_need_both_solvers_at_the_papers_effort():
    jobs = jobs_of((5,))
    assert Counter(job.solver for job in jobs) == {"lp": 40, "auto": 40}
    assert {job.effort for job in jobs} == {"paper"}


def test_effort_and_seed_hold_everywhere():
    jobs = jobs_of((2, 5), (5, 6), effort="high", seed=7)
    assert {(job.effort, job.seed) for job in jobs} == {("high", 7)}


def test_stability_has_ten_seeds_on_all_forty_instances():
    instances = Counter(job.instance for job in jobs_of(figures=(3, 4)))
    assert len(instances) == 40
    assert set(instances.values()) == {10}
    assert set(Counter(job.instance for job in jobs_of(figures=(3, 4), seeds=2)).values()) == {2}


def test_as_printed_means_three_seeds_of_the_loop_and_five_of_lpmce():
    jobs = study.all_jobs(study.experiments((2, 3, 4), (), printed=True), ExamceStudySettings(seed=1))
    assert {job.effort for job in jobs} == {"paper"}
    runs = Counter((job.instance, job.solver) for job in jobs)
    assert Counter(runs.values()) == {3: 40, 5: 40, 1: 1}  # and u1060 in 5 clusters once
    assert {job.seed for job in jobs if job.solver == "auto"} == {1, 2, 3}


def test_as_printed_stands_beside_the_published_columns(intarsia_command, small_data, stand_in, tmp_path):
    words = ("--quick", "--printed", "--seeds", 2, "--table", 4, "--data-dir", small_data)
    outcome = intarsia_command("study", "examce", *words, "--out", tmp_path / "res")
    assert (outcome.code, outcome.err) == (0, "")
    assert {call["effort"] for call in stand_in.calls} == {"paper"}
    rows = read_csv(tmp_path / "res" / "table-4-printed.csv")
    assert [row["k"] for row in rows] == ["90", "100"]
    for row in rows:
        for method in ("EXAMCE", "LPMCE"):
            mean, published = float(row[f"{method} mean"]), float(row[f"{method} published"])
            assert float(row[f"{method} least"]) <= mean <= float(row[f"{method} most"])
            assert float(row[f"{method} gap %"]) == pytest.approx(100 * (mean - published) / published)
        assert (row["rounds"], row["covers proved"], row["seeds"]) == ("2.0", "2", "2 + 2")
    assert "EXAMCE: mean at most 0.5 % above the published cost on 0 of 2" in outcome.out
    assert "outside the seeds' range for k = 90, 100 (below)" in outcome.out


def test_figure_2_shares_the_runs_of_the_tables():
    jobs = jobs_of((2, 3), (2,))
    assert Counter(job.effort for job in jobs) == {"default": 29, "paper": 28}  # and X-means' 5 clusters
    printed = study.all_jobs(study.experiments((2, 3), (2,), printed=True), ExamceStudySettings())
    assert len([job for job in printed if job.effort == "default"]) == 28


def test_growing_base_runs_are_nested():
    assert [job.n_base_runs for job in jobs_of(figures=(5,))] == list(range(10, 151, 10))
    assert {job.bracket for job in jobs_of(figures=(5, 6))} == {0}


def test_quick_tables_are_printed_and_written(intarsia_command, small_data, stand_in, tmp_path):
    outcome = intarsia_command(
        "study", "examce", "--quick", "--data-dir", small_data, "--out", tmp_path / "res"
    )
    assert (outcome.code, outcome.err) == (0, "")
    assert "Table 2: u1060 (effort paper, seed 0, one run each)" in outcome.out
    (x_means,) = read_csv(tmp_path / "res" / "x-means.csv")
    assert (x_means["data"], x_means["k"], float(x_means["X-means, published"])) == ("u1060", "5", 3.79152e9)
    assert "no worse than the paper's EXAMCE" in outcome.out
    rows = read_csv(tmp_path / "res" / "table-2.csv")
    assert [(row["data"], row["k"], row["best other"]) for row in rows] == [
        ("u1060", "100", "VNS+"),
        ("u1060", "150", "VNS+"),
    ]
    for row in rows:
        ours, paper = float(row["as printed"]), float(row["EXAMCE"])
        assert float(row["gap % EXAMCE"]) == pytest.approx(100 * (ours - paper) / paper, rel=1e-12)
    assert len(read_csv(tmp_path / "res" / "statistics.csv")) == 3
    assert (tmp_path / "res" / "table-4.md").read_text().count("| rat575 |") == 2


def test_equal_jobs_are_run_once(intarsia_command, small_data, stand_in):
    words = ("--quick", "--data-dir", small_data, "--table", 2, "--table", 4, 5, "--seed", 3, "--threads", 1)
    assert intarsia_command("study", "examce", *words).code == 0
    ran = Counter((call["k"], call["solver"]) for call in stand_in.calls)
    assert ran == {(k, solver): 1 for k in (90, 100, 150, 500) for solver in ("auto", "lp")} | {
        (100, "auto"): 2,  # u1060 and rat575
        (100, "lp"): 2,
    }
    assert {call["seed"] for call in stand_in.calls} == {3}


def test_small_sets_are_read_without_their_class(intarsia_command, small_data, stand_in):
    outcome = intarsia_command(
        "study", "examce", "--quick", "--table", 6, 7, "--data-dir", small_data, "--json"
    )
    sheets = {sheet["name"]: sheet for sheet in json.loads(outcome.out)["sheets"]}
    assert list(sheets) == ["table-6", "table-7"]
    assert [(row["data"], row["k"]) for row in sheets["table-7"]["rows"]] == [
        ("iris", 2),
        ("iris", 3),
        ("soybean_small", 2),
        ("soybean_small", 4),
    ]
    of_300 = sheets["table-6"]["rows"][0]
    assert (of_300["EXAMCE"], of_300["rounds, published"], of_300["rounds"]) == (399982.3, 3, 2)
    assert any("the paper prints no costs" in note for note in sheets["table-7"]["notes"])


def test_quick_figures_have_numbers_and_pictures(
    intarsia_command, small_data, stand_in, tmp_path, monkeypatch
):
    monkeypatch.setitem(
        study.FIGURES, 6, study.FIGURES[5]
    )  # the full Gauss100 set is too slow for a stand-in
    words = ("--quick", "--figure", 2, 3, 4, 5, "--data-dir", small_data, "--out", tmp_path / "res")
    outcome = intarsia_command("study", "examce", *words)
    assert (outcome.code, outcome.err) == (0, "")
    for number in (2, 3, 4, 5):
        assert (tmp_path / "res" / f"figure-{number}.png").read_bytes().startswith(PNG_SIGNATURE)
        assert read_csv(tmp_path / "res" / f"figure-{number}.csv")
    assert [row["base runs"] for row in read_csv(tmp_path / "res" / "figure-5.csv")] == ["10", "20", "30"]
    assert not list((tmp_path / "res").glob(".*")), "no temporary file stays"


def test_without_matplotlib_figures_are_tables(intarsia_command, small_data, stand_in, tmp_path, monkeypatch):
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    words = ("--quick", "--figure", 4, "--data-dir", small_data, "--out", tmp_path / "res")
    outcome = intarsia_command("study", "examce", *words)
    assert outcome.code == 0
    assert outcome.err.count("\n") == 1
    assert "matplotlib is not installed" in outcome.err
    assert sorted(path.name for path in (tmp_path / "res").iterdir()) == ["figure-4.csv", "figure-4.md"]


def test_missing_data_is_one_line_before_any_run(intarsia_command, stand_in, tmp_path, monkeypatch):
    monkeypatch.delenv("INTARSIA_DATA", raising=False)
    outcome = intarsia_command("study", "examce", "--data-dir", tmp_path)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert "no data named 'u1060' found" in outcome.err
    assert stand_in.calls == []


def test_a_file_where_results_should_go_is_one_line_before_any_run(intarsia_command, stand_in, tmp_path):
    (tmp_path / "taken").write_text("")
    outcome = intarsia_command("study", "examce", "--quick", "--out", tmp_path / "taken")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "taken: needs to be a folder, but is a file" in outcome.err
    assert stand_in.calls == []


@pytest.mark.parametrize("words", [("--table", 1), ("--figure", 1), ("--effort", "huge")])
def test_bad_options_are_refused(intarsia_command, words):
    outcome = intarsia_command("study", "examce", *words)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def test_other_points_under_the_same_name_are_noticed(intarsia_command, small_data, stand_in):
    path = small_data / "iris.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:41]) + "\n")
    outcome = intarsia_command("study", "examce", "--quick", "--table", 7, "--data-dir", small_data)
    assert "iris here has 40 points, the paper's 150" in outcome.out


def test_interrupted_run_ends_the_study_and_keeps_earlier_rows(
    intarsia_command, small_data, stand_in, tmp_path, monkeypatch
):
    whole_fit = stand_in.fit

    def fit(self, X):
        whole_fit(self, X)
        self.status_ = "interrupted" if self.n_clusters == 150 else "done"

    monkeypatch.setattr(stand_in, "fit", fit)
    words = ("--quick", "--table", 2, "--data-dir", small_data, "--out", tmp_path / "res")
    assert intarsia_command("study", "examce", *words).code == 130
    assert [row["k"] for row in read_csv(tmp_path / "res" / "table-2.csv")] == ["100"]


def test_pairwise_ari_of_relabelled_and_unrelated_partitions():
    a = np.array([0, 0, 1, 1, 2, 2])
    renamed = np.array([2, 2, 0, 0, 1, 1])
    other = np.array([0, 1, 0, 1, 0, 1])
    indices = stability.pairwise_ari([a, renamed, other])
    assert indices[0] == 1.0
    assert indices[1] == indices[2] < 0.0


def test_base_labels_are_those_of_the_seed_and_made_once(small_data):
    lab = lab_module.Lab(ExamceStudySettings(data_dir=small_data, seed=4))
    first = lab.base_labels("rat575", 10, 3)
    assert lab.base_labels("rat575", 10, 3) is first
    assert [len(set(labels.tolist())) for labels in first] == [10, 10, 10]
    assert not np.array_equal(first[0], first[1])


def test_more_base_runs_contain_fewer():
    lab = lab_module.Lab(ExamceStudySettings())
    jobs = [Job("demo:half-rings", 20, "paper", 0, n_base_runs=n, bracket=0) for n in (2, 4, 8, 16)]
    best = [lab.run(job).best_base_cost for job in jobs]
    assert best == sorted(best, reverse=True)
    assert best[-1] < best[0]


def test_gauss100_recombined_is_better_than_its_base_runs():
    lab = lab_module.Lab(ExamceStudySettings())
    outcome = lab.run(Job("demo:gauss100", 100, "paper", 0, n_base_runs=4, bracket=0))
    assert outcome.cost < outcome.best_base_cost


def test_quick_study_of_the_papers_data(intarsia_command, tmp_path, data_dir):
    words = ("--quick", "--table", 4, 7, "--data-dir", data_dir, "--out", tmp_path / "res")
    outcome = intarsia_command("study", "examce", *words)
    assert (outcome.code, outcome.err) == (0, "")
    small = read_csv(tmp_path / "res" / "table-7.csv")
    assert all(float(row["gap % EXAMCE"]) <= 1e-3 for row in small)
    rat575 = read_csv(tmp_path / "res" / "table-4.csv")
    assert all(float(row["as printed"]) <= float(row["best base run"]) for row in rat575)
    assert all(abs(float(row["gap % EXAMCE"])) < 1.0 for row in rat575)
