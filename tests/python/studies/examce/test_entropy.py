"""Tables 8, 9 and figures 7, 8: what is run, and what the tables say about it."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from intarsia.datasets import load_demo
from intarsia.examce.settings import EFFORTS
from intarsia.studies.examce import study
from intarsia.studies.examce.entropy import OWN, PRINTED, accuracy
from intarsia.studies.examce.entropy_runs import entropy_from_classes, entropy_model, typical_radius
from intarsia.studies.examce.lab import Lab
from intarsia.studies.examce.settings import ExamceStudySettings, Job


def jobs_of(tables=(), figures=(), **settings):
    return study.all_jobs(study.experiments(tables, figures), ExamceStudySettings(**settings))


def test_every_set_in_both_settings_with_each_seed():
    jobs = jobs_of((8,))
    assert len(jobs) == 6 * 2 * 5
    assert {job.setting for job in jobs} == {PRINTED, OWN}
    assert {job.seed for job in jobs_of((9,), seed=3)} == set(range(3, 13))
    assert {job.data for job in jobs_of(figures=(7, 8))} == {"demo:2d2k", "demo:8d5k", "demo:gauss100"}


def test_as_printed_is_random_starts_a_radius_and_no_least_size():
    X = load_demo("iris").X
    model = entropy_model(Job("iris", 3, "default", 0, setting=PRINTED), X, 1)
    assert (model.base, model.min_size, model.effort) == ("random", 1, "paper")
    assert (model.criterion.alpha, model.criterion.scaling) == (0.9, "none")
    assert model.criterion.radius == typical_radius(X, 3)
    own = entropy_model(Job("iris", 3, "default", 0, setting=OWN), X, 1)
    assert (own.criterion, own.base, own.min_size) == ("entropy", None, None)


def test_half_of_the_points_have_so_many_within_the_typical_radius():
    X = load_demo("iris").X
    around = (cdist(X, X) <= typical_radius(X, 3)).sum(axis=1)
    assert 0.5 <= (around >= 25).mean() <= 0.6


def test_a_local_search_from_the_classes():
    points = load_demo("iris")
    classes = np.unique(points.labels, return_inverse=True)[1]
    model = entropy_model(Job("iris", 3, "default", 0, setting=OWN), points.X, 1)
    criterion = model.start_state(
        np.ascontiguousarray(points.X), None, Lab(ExamceStudySettings()).executor
    ).criterion
    before = criterion.entropy_of(criterion.partition(classes.astype(np.int32)))
    assert 0 < entropy_from_classes(model, points.X, classes) < before


def test_accuracy_names_clusters_as_well_as_can_be():
    assert accuracy(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 1])) == 0.75


def test_the_quick_figure_is_printed_drawn_and_true(intarsia_command, monkeypatch, tmp_path):
    monkeypatch.setitem(EFFORTS, "paper", replace(EFFORTS["paper"], n_base_runs=4))
    outcome = intarsia_command("study", "examce", "--figure", "7", "--quick", "--out", tmp_path)
    assert outcome.code == 0, outcome.err
    assert "J above that of a local search from the classes" in outcome.out
    assert (tmp_path / "figure-7.png").is_file()
    with open(tmp_path / "figure-7.csv", newline="") as stream:
        printed, own = csv.DictReader(stream)
    assert (printed["setting"], own["setting"]) == (PRINTED, OWN)
    assert float(own["accuracy mean"]) > 0.99
    assert int(own["smallest cluster"]) >= 80
    assert float(own["J mean"]) <= float(own["J from classes"]) + 1e-9


def test_published_and_ours_stand_beside_each_other(data_dir):
    lab = Lab(ExamceStudySettings(data_dir=data_dir))
    experiment = study.ENTROPY_TABLES[8]
    results = [lab.run(Job("soybean_small", 4, "fast", seed, setting=OWN)) for seed in (0, 1)]
    row = experiment.sheet(results, lab).records()[0]
    scores = [adjusted_rand_score(lab.classes("soybean_small"), result.labels) for result in results]
    assert row["published"] == 1.0
    assert row["ARI mean"] == pytest.approx(np.mean(scores))
    assert row["runs above it"] == sum(result.entropy > result.from_classes + 1e-9 for result in results)
