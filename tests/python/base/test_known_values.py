"""Proven optima from the literature, on the files they belong to."""

from __future__ import annotations

from pathlib import Path

import pytest

from intarsia import Examce
from intarsia.datasets import load

# Table 7 of the paper: proven optimal sums of squares of iris (UCI's file).
IRIS = {
    2: 152.368706,
    3: 78.9408414,
    4: 57.3178732,
    5: 46.5355821,
    6: 38.9309630,
    7: 34.1892055,
    8: 29.8799198,
    9: 27.7654245,
    10: 25.8133869,
}


@pytest.mark.parametrize("k", sorted(IRIS))
def test_iris(k: int, data_dir: Path) -> None:
    model = Examce(k, effort="paper", random_state=0).fit(load("iris", data_dir).X)
    assert model.inertia_ == pytest.approx(IRIS[k], rel=1e-8)


def test_u1060_with_100_clusters(data_dir: Path) -> None:
    model = Examce(100, effort="paper", random_state=0).fit(load("u1060", data_dir).X)
    assert model.inertia_ == pytest.approx(96317864.46, rel=1e-9)
