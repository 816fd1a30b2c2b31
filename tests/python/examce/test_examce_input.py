"""What Examce accepts, at the edges, and what it refuses in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture

from intarsia import Ensemble, Examce
from intarsia.base.registry import BASES
from intarsia.examce.base_runs import bracket_of, spread_evenly, spread_runs
from intarsia.examce.cover.problem import CountRange

X = np.random.default_rng(0).normal(size=(60, 2))


def fit(points: np.ndarray = X, k: int = 4, weights: Any = None, **more: Any) -> Examce:
    options = {"effort": "paper", "n_base_runs": 8, "random_state": 0, "n_threads": 1, **more}
    return Examce(k, **options).fit(points, sample_weight=weights)


@pytest.mark.parametrize(
    ("k", "low", "high"), [(10, 9, 11), (5, 5, 5), (1, 1, 2), (50, 45, 55), (6, 6, 7), (20, 10, 20)]
)
def test_k_gets_the_largest_share_of_the_runs(k: int, low: int, high: int) -> None:
    runs = spread_runs(150, k, low, high)
    counts = np.bincount(runs, minlength=high + 1)
    assert len(runs) == 150
    assert set(runs) == set(range(low, high + 1))
    assert runs[0] == k
    others = np.delete(counts[low:], k - low)
    assert others.size == 0 or counts[k] > others.max()
    assert others.size == 0 or others.max() - others.min() <= 1


def test_fewer_runs_are_the_first_of_more() -> None:
    longer = spread_runs(150, 30, 27, 33)
    for n_runs in (1, 2, 7, 149):
        assert np.array_equal(spread_runs(n_runs, 30, 27, 33), longer[:n_runs])


def test_bracket_stays_between_one_and_the_distinct_points() -> None:
    assert bracket_of(CountRange(50, 50), None, 1000) == (45, 55)
    assert bracket_of(CountRange(9, 9), None, 1000) == (9, 9)
    assert bracket_of(CountRange(3, 3), 10, 5) == (1, 5)
    assert bracket_of(CountRange(4, 4), 0, 4) == (4, 4)
    assert bracket_of(CountRange(20, 50), None, 1000) == (18, 55)


def test_runs_of_a_range_of_clusters_fill_it_evenly() -> None:
    longer = spread_evenly(150, 3, 12)
    counts = np.bincount(longer, minlength=13)[3:]
    assert counts.min() >= 14
    assert counts.max() <= 16
    assert np.array_equal(spread_evenly(7, 3, 12), longer[:7])
    assert set(spread_evenly(30, 2, 2)) == {2}


@pytest.mark.parametrize("solver", ["auto", "highs", "lp"])
@pytest.mark.parametrize("effort", ["paper", "default"])
def test_every_solver(solver: str, effort: str) -> None:
    model = fit(solver=solver, effort=effort)
    assert model.status_ == "done"
    assert model.inertia_ <= model.best_base_inertia_
    assert len(np.unique(model.labels_)) == 4


@pytest.mark.parametrize(
    "base",
    [
        *BASES,
        KMeans(n_init=1),
        AgglomerativeClustering(),
        GaussianMixture(reg_covar=1e-3),
        DBSCAN(eps=0.3),
        DBSCAN(eps=1e-9),
    ],
    ids=lambda base: base if isinstance(base, str) else type(base).__name__,
)
def test_base_clusterers(base: Any) -> None:
    model = fit(base=base, n_base_runs=4)
    assert np.bincount(model.labels_, minlength=4).min() > 0
    assert model.inertia_ <= model.best_base_inertia_ < np.inf


def test_clusters_of_a_foreign_clusterer_come_as_it_makes_them() -> None:
    ward = AgglomerativeClustering(4).fit_predict(X)
    cost = sum(((X[ward == c] - X[ward == c].mean(axis=0)) ** 2).sum() for c in range(4))
    assert fit(base=AgglomerativeClustering()).best_base_inertia_ == pytest.approx(cost)


def test_a_given_optimal_partition_is_kept() -> None:
    best = fit(effort="default", n_base_runs=50)
    poor = fit(n_base_runs=1, init_partitions=[7 * best.labels_ + 3], random_state=9)
    assert poor.inertia_ == pytest.approx(best.inertia_, rel=1e-12)
    assert poor.best_base_inertia_ >= poor.inertia_


@pytest.mark.parametrize("own", [np.arange(60) % 5, np.arange(60) % 3, np.arange(60) % 4 - 1])
def test_given_partitions_of_any_number_of_clusters(own: np.ndarray) -> None:
    alone = fit()
    assert fit(init_partitions=[own]).inertia_ <= alone.inertia_ * (1 + 1e-12)
    assert fit(init_partitions=np.array([own, own]).T).n_columns_ >= alone.n_columns_


def test_given_partitions_come_as_an_ensemble_does() -> None:
    own = [np.arange(60) % 5 - 1, np.arange(60) % 3]
    as_text = [[f"c{label}" if label >= 0 else "" for label in member] for member in own]
    forms = [
        np.column_stack(own),
        pandas.DataFrame({"a": own[0], "b": own[1]}),
        as_text,
        Ensemble.from_labels(own),
    ]
    expected = fit(init_partitions=own)
    for form in forms:
        model = fit(init_partitions=form)
        assert model.n_columns_ == expected.n_columns_
        np.testing.assert_array_equal(model.labels_, expected.labels_)


def test_points_left_out_form_no_cluster() -> None:
    # The left-out points would be a perfect cluster; it must not appear as a column.
    points = np.concatenate([X, np.full((5, 2), 50.0)])
    own = np.concatenate([np.arange(60) % 4, np.full(5, -1)])
    with_own = fit(points, n_base_runs=1, tau=0, init_partitions=[own], solver="highs")
    without = fit(points, n_base_runs=1, tau=0, solver="highs")
    assert with_own.history_[0]["columns"] == without.history_[0]["columns"] + 4


def test_one_cluster_and_as_many_as_points() -> None:
    one = fit(k=1, effort="default")
    assert one.inertia_ == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())
    assert fit(k=60, effort="default").inertia_ == 0


def test_duplicates_constant_columns_and_one_dimension() -> None:
    repeated = np.repeat(np.arange(6.0)[:, None], 5, axis=0)
    assert fit(repeated, k=6, effort="default").inertia_ == 0
    padded = np.column_stack([np.full(60, 7.0), X[:, 0], np.zeros(60)])
    assert fit(padded).inertia_ == pytest.approx(fit(X[:, :1]).inertia_)


def test_more_clusters_than_distinct_points() -> None:
    points = np.repeat([[0.0], [1.0], [2.0]], 5, axis=0)
    with pytest.raises(ValueError, match=r"^number of distinct points=3 should be >= n_clusters=4\.$"):
        fit(points)
    weights = np.repeat([1.0, 1.0, 0.0], 5)
    with pytest.raises(ValueError, match=r"^number of distinct points=2 should be >= n_clusters=3\.$"):
        fit(points, k=3, weights=weights)


def test_weightless_points_follow_and_change_nothing() -> None:
    weights = np.ones(60)
    weights[::4] = 0
    with_them, without = fit(weights=weights), fit(X[weights > 0], weights=np.ones(45))
    assert with_them.inertia_ == without.inertia_
    assert np.array_equal(with_them.labels_[weights > 0], without.labels_)
    assert np.array_equal(with_them.labels_[::4], with_them.predict(X[::4]))
    assert fit(weights=weights, init_partitions=[np.arange(60) % 4]).inertia_ <= with_them.inertia_ * (
        1 + 1e-12
    )


def test_one_weight_for_all() -> None:
    assert fit(weights=2.0).inertia_ == pytest.approx(2 * fit().inertia_)


@pytest.mark.parametrize("scale", [2.0**-60, 2.0**60])
def test_the_unit_of_the_data_does_not_matter(scale: float) -> None:
    assert np.array_equal(fit(X * scale, k=10).labels_, fit(k=10).labels_)


def test_float32_points_are_the_same_points() -> None:
    small = X.astype(np.float32)
    assert fit(small).inertia_ == fit(small.astype(np.float64)).inertia_


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"k": 0}, r"n_clusters=0 should be >= 1\."),
        ({"k": 61}, r"n_samples=60 should be >= n_clusters=61\."),
        ({"k": (2, 3)}, r"n_clusters=\(2, 3\) should be one number for criterion='mssc'\."),
        ({"criterion": "x"}, r"criterion='x' should be one of 'mssc', .*"),
        ({"effort": "x"}, r"effort='x' should be one of 'fast', 'default', 'high', 'paper'\."),
        ({"solver": "x"}, r"solver='x' should be one of 'auto', 'highs', 'lp'\."),
        ({"base": "x"}, r"base='x' should be one of .* or a scikit-learn clusterer\."),
        ({"time_limit": 0}, r"time_limit=0 should be > 0\."),
        ({"time_limit": float("nan")}, r"time_limit=nan should be > 0\."),
        ({"n_base_runs": 0}, r"n_base_runs=0 should be >= 1\."),
        ({"bracket": -1}, r"bracket=-1 should be >= 0\."),
        ({"tau": -1}, r"tau=-1 should be >= 0\."),
        ({"random_state": -1}, r"random_state=-1 should be >= 0\."),
        ({"random_state": 2**64}, r"random_state=18446744073709551616 should be < 2\*\*64\."),
        ({"n_threads": 0}, r"n_threads=0 should be >= 1\."),
        ({"init_partitions": [np.zeros(5)]}, r"init_partitions: 5 labels of each should be 60\."),
        ({"init_partitions": np.zeros((2, 60))}, r"init_partitions: 2 labels of each should be 60\."),
        (
            {"init_partitions": [np.full(60, -1)]},
            r"init_partitions: member 0 has no labels: .*",
        ),
        ({"init_partitions": [np.full(60, 0.5)]}, r"init_partitions: member 0.*"),
        ({"weights": np.zeros(60)}, r"sample_weight is zero everywhere: at least one should be > 0\."),
        ({"weights": np.ones(5)}, r"sample_weight\.shape=\(5,\) should be \(60,\)\."),
    ],
)
def test_bad_values(option: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        fit(**option)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"k": 2.5}, r"n_clusters=2\.5 should be a whole number >= 1\."),
        ({"base": 5}, r"base=5 should be one of .*, or have fit_predict and get_params, as .*\."),
        ({"criterion": 5}, r"criterion=5 should be a name, a Criterion or a function of \(X, members\)\."),
        ({"time_limit": "5"}, r"time_limit='5' should be a number > 0 or None\."),
        ({"time_limit": True}, r"time_limit=True should be a number > 0 or None\."),
        ({"callback": 5}, r"callback=5 should be callable or None\."),
        ({"n_base_runs": 2.0}, r"n_base_runs=2\.0 should be a whole number >= 1\."),
        ({"bracket": "1"}, r"bracket='1' should be a whole number >= 0\."),
        ({"tau": 1.5}, r"tau=1\.5 should be a whole number >= 0\."),
        ({"n_threads": "2"}, r"n_threads='2' should be a whole number >= 1 or None\."),
    ],
)
def test_bad_types(option: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        fit(**option)


class Scribbler(KMeans):
    """Writes into what it is given."""

    def fit_predict(self, X, y=None, sample_weight=None):
        labels = super().fit_predict(X, sample_weight=sample_weight)
        X[:] = 0
        return labels


class Strange(KMeans):
    """Returns no labels."""

    def fit_predict(self, X, y=None):
        return np.array(["a"] * len(X))


def test_a_base_that_writes_into_its_points_harms_nobody() -> None:
    points = X.copy()
    scribbled = fit(points, base=Scribbler(n_init=1))
    np.testing.assert_array_equal(points, X)
    assert scribbled.inertia_ == fit(base=KMeans(n_init=1)).inertia_


def test_a_base_that_takes_weights_gets_them() -> None:
    weights = np.where(np.arange(60) < 10, 1000.0, 1.0)
    seen = []

    class Witness(KMeans):
        def fit_predict(self, X, y=None, sample_weight=None):
            seen.append(sample_weight)
            return super().fit_predict(X, sample_weight=sample_weight)

    fit(weights=weights, base=Witness(n_init=1))
    assert all(np.array_equal(given, weights) for given in seen)
    assert len(seen) == 8


def test_a_base_without_labels_is_named() -> None:
    with pytest.raises(ValueError, match=r"Strange.* gave labels of shape \(60,\) and type <U1"):
        fit(base=Strange(n_init=1))


@pytest.mark.parametrize("solver", ["auto", "highs", "lp"])
def test_far_outliers_do_not_spoil_the_bound(solver: str) -> None:
    near = np.random.default_rng(2).normal(size=(100, 2))
    model = fit(np.r_[near, [[1e6, 1e6], [-1e6, 1e6]]], k=8, solver=solver, n_base_runs=150)
    assert model.inertia_ == pytest.approx(fit(near, k=6, n_base_runs=150).inertia_, rel=0.05)
    assert model.pool_bound_ <= model.inertia_ * (1 + 1e-9)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"tau": 10**20}, "tau="),
        ({"n_base_runs": 10**20}, "n_base_runs="),
        ({"init_partitions": 5}, "init_partitions: labels.shape"),
        ({"checkpoint": "ck", "checkpoint_every": None}, "checkpoint_every=None should be a number"),
    ],
)
def test_strange_settings_are_named(setting: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        fit(**setting)
