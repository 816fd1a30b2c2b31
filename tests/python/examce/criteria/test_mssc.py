"""The sum of squares on many points, and against the clock."""

from __future__ import annotations

import numpy as np
import pytest

from intarsia._core import Stage
from intarsia.clock import Clock
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria import mssc
from intarsia.examce.criteria.mssc import Mssc
from intarsia.examce.criteria.protocol import Data, SizeLimits, Stream, SwapLimits
from intarsia.executor import local

pytestmark = pytest.mark.kernels
STREAM = Stream(0, Stage.SEEDING, 7, 0)


def on(X: np.ndarray, k: int, clock: Clock | None = None, weights: np.ndarray | None = None) -> Mssc:
    return Mssc().on(Data(X, weights, CountRange(k, k), SizeLimits(1, len(X)), clock=clock))


@pytest.fixture
def few(monkeypatch):
    """Starts that look at some of the points first, on small data too."""
    monkeypatch.setattr(mssc, "_FEWEST_SOME", 100)
    monkeypatch.setattr(mssc, "_SOME_PER_CLUSTER", 10)


@pytest.mark.parametrize("weighted", [False, True])
def test_starts_from_some_points_are_local_optima_of_all(few, weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3)) + 12 * rng.integers(0, 4, (3000, 1))
    w = rng.uniform(0.5, 2, 3000) if weighted else None
    labels = on(X, 4, weights=w).start(4, STREAM).labels
    np.testing.assert_array_equal(labels, on(X, 4, weights=w).start(4, STREAM).labels)
    means = np.array(
        [np.average(X[labels == c], axis=0, weights=None if w is None else w[labels == c]) for c in range(4)]
    )
    nearest = ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(labels, nearest)


def test_starts_see_all_points_where_some_are_too_much_alike(few):
    X = np.zeros((4000, 2))
    X[:5] = np.arange(10).reshape(5, 2) + 1.0
    labels = on(X, 6).start(6, STREAM).labels
    assert np.unique(labels).tolist() == list(range(6))


def test_a_local_search_ends_with_the_clock():
    X = np.random.default_rng(0).normal(size=(2000, 2))
    labels = (np.arange(2000) % 40).astype(np.int32)
    late, whole = on(X, 40, Clock(1e-9)), on(X, 40)
    cost = late.partition(late.local_search(labels)).cost
    assert whole.partition(whole.local_search(labels)).cost < cost <= whole.partition(labels).cost


def test_a_chain_ends_once_it_is_unwanted(monkeypatch):
    part = on(np.random.default_rng(2).uniform(size=(500, 2)), 20)
    start = part.start(20, STREAM).labels
    monkeypatch.setattr(local, "is_wanted", lambda: False)
    found = part.swap_search(start, SwapLimits(2**62), STREAM)  # would have no end
    assert part.partition(found.labels).cost < part.partition(start).cost


def test_ctrl_c_ends_a_chain(monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    part = on(np.random.default_rng(2).uniform(size=(500, 2)), 20)
    start = part.start(20, STREAM).labels
    monkeypatch.setattr(local, "is_wanted", interrupt)
    found = part.swap_search(start, SwapLimits(2**62), STREAM)
    assert isinstance(found.interrupt, KeyboardInterrupt)
    assert part.partition(found.labels).cost < part.partition(start).cost
