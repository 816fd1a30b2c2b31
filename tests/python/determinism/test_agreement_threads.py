"""Contingency tables and pair histograms: the same bits for any number of threads, over many chunks."""

from __future__ import annotations

import numpy as np
import pytest

from intarsia import _core

pytestmark = pytest.mark.kernels

THREADS = (1, 2, 3, 7)


def test_contingency():
    rng = np.random.default_rng(0)
    n = 9 * 2**16 + 5
    a, b = (rng.integers(-1, 7, n).astype(np.int32) for _ in range(2))
    weights = rng.uniform(size=n)
    tables = [_core.contingency(a, b, weights, 7, 7, t) for t in THREADS]
    for other in tables[1:]:
        np.testing.assert_array_equal(tables[0][2], other[2])
    expected = np.zeros((7, 7))
    both = (a >= 0) & (b >= 0)
    np.add.at(expected, (a[both], b[both]), weights[both])
    np.testing.assert_allclose(tables[0][2], expected.ravel(), rtol=1e-12)


def test_pair_histogram():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, (700, 6)).astype(np.int32)
    member, point, grid = rng.uniform(size=6), rng.uniform(size=700), np.linspace(0, 1, 11)
    counts = [_core.pairs_up_to(labels, member, point, grid, t) for t in THREADS]
    for other in counts[1:]:
        np.testing.assert_array_equal(counts[0], other)
