"""`bench stop`: its figures on a problem that is solved at once, and the quick form."""

from __future__ import annotations

import json

import pytest
from sklearn.cluster import KMeans

from intarsia.bench.quality import stop
from intarsia.bench.quality.instances import instance_points, parse_instance


def test_what_is_measured_on_iris() -> None:
    row = stop.measure(parse_instance("iris:3"), None, n_seeds=2, effort="default")
    X = instance_points(parse_instance("iris:3"), None)
    best = KMeans(3, n_init=20, random_state=0).fit(X).inertia_
    assert row.cost == row.worst == pytest.approx(best)
    assert 0 < row.share < 1  # it ends within what is allowed
    assert row.n_seeds == 2


def test_the_quick_form_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    stop.run(quick=True, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [row["case"] for row in told["cases"]] == ["iris:3", "2d2k:2"]


def test_generated_points_of_so_many_features() -> None:
    assert instance_points(parse_instance("blobs-300-4:5"), None).shape == (300, 4)
    assert instance_points(parse_instance("blobs-300:5"), None).shape == (300, 5)
