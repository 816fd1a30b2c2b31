"""Goodness, candidates and the objective against a direct transcription of the paper's formulas."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans

from intarsia import _core
from intarsia.multiobjective.algorithms import Family, Instance, default_algorithms, families_of
from intarsia.multiobjective.candidates import SelectionData, candidates_of
from intarsia.multiobjective.goodness import Resampling, Work, cluster_everybody, score_resample

pytestmark = pytest.mark.kernels


def transcribed(C, partition):
    """Algorithm 1's similarity of a cluster (a set of points) and a partition (a list of sets)."""
    m = sum(map(len, partition))
    star = set().union(*[other for other in partition if 2 * len(other & C) > len(other)])
    if not star or len(star) == m:
        return 0.0
    everybody = set().union(*partition)
    first, second = (C, everybody - C), (star, everybody - star)
    information = sum(
        len(a & b) / m * log(m * len(a & b) / (len(a) * len(b))) for a in first for b in second if a & b
    )
    entropies = [-sum(len(a) / m * log(len(a) / m) for a in pair) for pair in (first, second)]
    return information / (sum(entropies) / 2)


def as_sets(labels):
    return [set(np.flatnonzero(labels == c).tolist()) for c in range(labels.max() + 1)]


@pytest.mark.parametrize("seed", range(20))
def test_stability_is_that_of_the_paper(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, 50).astype(np.int32)
    b = np.where(rng.random(50) < 0.6, a, rng.integers(0, 7, 50)).astype(np.int32)
    scores = _core.cluster_stability(a, 4, b, 7)
    expected = [transcribed(C, as_sets(b)) for C in as_sets(a)]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def objective(chosen, goodness, sets, n, gammas, rule, guess=None):
    """Equations 7 and 9, with the share of uncovered points counted."""
    s = sum(goodness[i] for i in chosen)
    u_q_u = sum(
        len(sets[i] & sets[j]) / rule(len(sets[i]), len(sets[j])) for i in chosen for j in chosen if i != j
    )
    xi = 1 - len(set().union(*[sets[i] for i in chosen])) / n
    if guess is not None:
        s, gammas = s / len(chosen), (gammas[0] / guess, gammas[1] / guess)
    return -s + gammas[0] * u_q_u + gammas[1] * xi


@pytest.mark.parametrize("rule", ["min", "max"])
@pytest.mark.parametrize("guess", [None, 3])
def test_objectives_are_those_of_the_paper(rule, guess):
    rng = np.random.default_rng(1)
    n = 60
    rows = [np.flatnonzero(rng.random(n) < share).astype(np.int32) for share in rng.uniform(0.1, 0.5, 8)]
    goodness = rng.random(8)
    data = SelectionData.of_rows(rows, goodness, n, rule, 2)
    gammas = (0.4, 5.0) if guess is None else (0.4 / guess, 5.0 / guess)
    problem = data.problem(*gammas, guess is not None)
    sets = [set(row.tolist()) for row in rows]
    for size in (1, 2, 4, 8):
        chosen = rng.choice(8, size, replace=False).astype(np.int32)
        expected = objective(chosen, goodness, sets, n, (0.4, 5.0), min if rule == "min" else max, guess)
        assert problem.objective(chosen) == pytest.approx(expected, rel=1e-12)


def test_equal_clusters_are_one_candidate_with_the_best_goodness():
    a, b = np.array([0, 0, 1, 1, 1, -1], np.int32), np.array([1, 1, 0, 0, 2, 2], np.int32)
    one, two = Instance("one", {}), Instance("two", {})
    values = [np.array([0.5, 0.6]), np.array([0.3, 0.9, 0.2])]
    found = candidates_of([(0, 0, one, a), (1, 0, two, b)], values, 2)
    assert [(c.members.tolist(), c.instance.algorithm, c.goodness) for c in found] == [
        ([0, 1], "two", 0.9),
        ([2, 3, 4], "one", 0.6),
        ([2, 3], "two", 0.3),
        ([4, 5], "two", 0.2),
    ]
    assert len(candidates_of([(0, 0, one, a), (1, 0, two, b)], values, 3)) == 1


def test_resamples():
    some = Resampling(share=0.9)
    drawn = some.draw(100, 7, 1, 0)
    assert len(drawn) == len(set(drawn)) == 90
    assert not np.array_equal(drawn, some.draw(100, 7, 2, 0))
    assert not np.array_equal(drawn, some.draw(100, 7, 1, 1))
    np.testing.assert_array_equal(drawn, some.draw(100, 7, 1, 0))
    again = Resampling(share=0.9, replace=True).draw(100, 7, 1, 0)
    assert len(again) == 90 > len(set(again))
    np.testing.assert_array_equal(some.draw(5, 7, 0, 0), np.arange(5))


def test_points_left_out_are_labelled_in_the_clusterers_own_way():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    drawn = np.sort(rng.permutation(60)[:50])
    left = np.setdiff1d(np.arange(60), drawn)
    (labels,) = Family("kmeans", (4,)).label_all(X, drawn, 3, 1)
    means = np.array([X[drawn][labels[drawn] == c].mean(axis=0) for c in range(4)])
    np.testing.assert_array_equal(labels[left], ((X[left, None] - means) ** 2).sum(axis=2).argmin(axis=1))
    for base in ("single-link", "spectral"):
        for labels in Family(base, (3, 5)).label_all(X, drawn, 3, 1):
            nearest = drawn[((X[left, None] - X[drawn]) ** 2).sum(axis=2).argmin(axis=1)]
            np.testing.assert_array_equal(labels[left], labels[nearest])


def test_families_share_what_they_can():
    grid = {"n_clusters": [2, 3], "sigma": [0.1, 0.5]}
    families = families_of([("spectral", grid), ("kmeans", {"n_clusters": range(2, 5)})], 5)
    assert [family.counts for family in families] == [(2, 3), (2, 3), (2,), (3,), (4,)]
    assert [family.n_init for family in families] == [1, 1, 5, 5, 5]
    assert families[1].instances()[1] == Instance("spectral", {"n_clusters": 3, "sigma": 0.5})
    dbscan = families_of([(DBSCAN(), {"eps": [0.1, 0.2]})], 5)
    assert [family.instances()[0].parameters for family in dbscan] == [{"eps": 0.1}, {"eps": 0.2}]
    assert families_of({"kmeans": {"n_clusters": 3}}, 1)[0].counts == (3,)


@pytest.mark.parametrize(
    ("algorithms", "error", "words"),
    [
        ([], ValueError, "algorithms should name at least one"),
        ([("kmeans", {})], ValueError, "the grid of 'kmeans' should have n_clusters"),
        ([("kmeans", {"n_clusters": [0]})], ValueError, "n_clusters=0 should be >= 1"),
        ([("kmeans", {"n_clusters": [2], "sigma": [1]})], TypeError, "kmeans has no option 'sigma'"),
        ([("nobody", {"n_clusters": [2]})], ValueError, "base='nobody' should be one of"),
    ],
)
def test_wrong_algorithms_are_refused(algorithms, error, words):
    with pytest.raises(error, match=words):
        families_of(algorithms, 1)


def test_defaults_fit_few_points():
    for n in (1, 2, 3, 5, 30):
        X = np.random.default_rng(n).normal(size=(n, 2))
        for k in (None, 1, min(n, 3)):
            families = families_of(default_algorithms(X, k), 1)
            assert max(count for family in families for count in family.counts) <= n


class Moody(KMeans):
    """Fails on what it is given first."""

    failing = 2

    def fit_predict(self, X, y=None, sample_weight=None):
        if type(self).failing > 0:
            type(self).failing -= 1
            raise RuntimeError("not  today")
        return super().fit_predict(X)


def test_a_failing_base_is_tried_with_other_streams(monkeypatch):
    monkeypatch.setattr(Moody, "failing", 2)
    X = np.random.default_rng(0).normal(size=(40, 2))
    families = families_of([(Moody(n_init=1), {"n_clusters": [2]})], 1)
    work = Work(X, families, Resampling(1), 0, 1)
    found = cluster_everybody(0, work)
    assert found.failures == ("RuntimeError: not today",) * 2
    monkeypatch.setattr(Moody, "failing", 9)
    work = Work(X, families, Resampling(1), 0, 1, [found.labels])
    scores = score_resample((0, 1), work)
    assert len(scores.failures) == 5
    assert np.isnan(scores.values).all()
