"""`bench fast` and `bench defaults`: figures on a problem that all solve, and the quick forms."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs

from intarsia.bench.quality import defaults, fast
from intarsia.bench.quality.beside import Beside
from intarsia.bench.quality.instances import instance_points, parse_instance

BENCHES = pytest.mark.parametrize("bench", [fast, defaults])


@BENCHES
def test_what_is_measured_on_iris(bench: Any) -> None:
    row = bench.PAIR.measure(parse_instance("iris:3"), None, n_seeds=2)
    X = instance_points(parse_instance("iris:3"), None)
    best = KMeans(3, n_init=20, random_state=0).fit(X).inertia_
    assert row.cost == pytest.approx(best)
    assert row.sklearn_cost == pytest.approx(best, rel=1e-3)  # of one start each it is not always the best
    assert row.cpu_s > 0


def test_ahead_is_cheaper_in_no_more_time() -> None:
    def beside(cost: float, cpu_s: float) -> bool:
        return Beside("case:2", 1, cost, cpu_s, sklearn_cost=10.0, sklearn_cpu_s=1.0).is_ahead

    assert beside(9.0, 1.0)
    assert beside(10.0, 0.5)
    assert not beside(9.0, 1.1)
    assert not beside(10.1, 0.5)


@BENCHES
def test_the_quick_form_as_json(bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    bench.run(quick=True, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [row["case"] for row in told["cases"]] == ["iris:3", "blobs-300-4:5"]


def test_points_that_scikit_learn_makes() -> None:
    np.testing.assert_array_equal(instance_points(parse_instance("digits:10"), None), load_digits().data)
    made = make_blobs(200, 3, centers=4, cluster_std=5.0, random_state=0)[0]
    np.testing.assert_array_equal(instance_points(parse_instance("blobs-200-3-std5:4"), None), made)
