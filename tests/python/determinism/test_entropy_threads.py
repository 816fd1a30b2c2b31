"""Entropy: neighbourhoods, expansion of twelve clusters and whole fits, the same bits for any threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from intarsia import Examce
from intarsia._core import ColumnPool
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.entropy import Entropy
from intarsia.examce.criteria.neighbourhoods import NeighbourRule
from intarsia.examce.criteria.protocol import Data, SizeLimits
from intarsia.examce.settings import EFFORTS

pytestmark = [pytest.mark.kernels, pytest.mark.filterwarnings("ignore:criterion='entropy'")]

THREADS = (1, 2, 3, 7)


@pytest.mark.parametrize(
    "rule",
    [
        NeighbourRule(9, None, None, "none", "manhattan"),
        NeighbourRule(None, 3.0, None, "none", "euclidean"),
        NeighbourRule(None, None, 0.2, "none", "euclidean"),
    ],
    ids=["nearest", "radius", "box"],
)
def test_neighbourhoods(rule: NeighbourRule) -> None:
    X = np.random.default_rng(0).integers(0, 40, (3000, 3)).astype(float)  # many are equally far
    found = {b"".join(part.tobytes() for part in rule.rows(X, 10, threads)) for threads in THREADS}
    assert len(found) == 1


def test_expansion() -> None:
    rng = np.random.default_rng(1)
    X, labels = rng.normal(size=(1500, 3)), np.arange(1500, dtype=np.int32) % 12
    found = set()
    for threads in THREADS:
        part = Entropy().on(Data(X, None, CountRange(12, 12), SizeLimits(1, 1500), threads))
        pool = ColumnPool(1500)
        part.expand(pool, labels, 10, 0)
        found.add((pool.members.tobytes(), pool.costs.tobytes()))
    assert len(found) == 1


@pytest.mark.parametrize("alpha", [0.9, 1.0])
def test_fits(alpha: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EFFORTS, "default", replace(EFFORTS["default"], max_steps=4))
    centres = np.random.default_rng(2).normal(scale=4, size=(8, 2))
    X = np.repeat(centres, 40, axis=0) + np.random.default_rng(3).normal(size=(320, 2))
    found = set()
    for threads in THREADS:
        model = Examce(8, criterion=Entropy(alpha), n_base_runs=6, random_state=0, n_threads=threads).fit(X)
        found.add((model.labels_.tobytes(), model.inertia_, model.pool_bound_, model.n_columns_))
    assert len(found) == 1
