"""The four data sets of the paper, with their classes.

The paper draws 2-spirals and half-rings but does not say how it made them, so errors on them compare in
direction only. Ours: spirals and half rings of evenly spaced points, with turns and an offset such
that k-means alone has about the error of the paper's table 2 (41.5 and 26.4 %).

Wine is 10 x / max a feature: of the ways to bring it "into [0, 10]" the one with which k-means alone has the
error of table 2 (8.4 %).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from intarsia.arrays import Floats, Labels
from intarsia.datasets import load
from intarsia.io import DataError
from intarsia.io.points import Points

HALF_RING_POINTS = 250
HALF_RING_OFFSET = (1.0, 0.65)
HALF_RING_NOISE = 0.05
SPIRAL_POINTS = 95
SPIRAL_TURNS = 1.5
SPIRAL_RADII = (1.0, 6.5)
SCALE = 10.0
GENERATOR_NOTE = (
    "the paper does not give its generator: ours is of the same size and shape, errors differ by it"
)
IRIS_NOTE = "iris is scikit-learn's copy, which differs from UCI's file in two rows"


@dataclass(frozen=True, eq=False)
class ClassedPoints:
    """Points, their classes as numbers, and what a reader of the results should know."""

    X: Floats
    classes: Labels
    note: str = ""


def classed_points(name: str, data_dir: Path | None) -> ClassedPoints:
    """Return a data set of the paper; wine is scaled to at most 10 a feature, `wine-unscaled` is not."""
    if name == "two-spirals":
        return two_spirals()
    if name == "half-rings":
        return half_rings()
    source, note = _source(name.removesuffix("-unscaled"), data_dir)
    X = np.ascontiguousarray(source.X, dtype=np.float64)
    if name == "wine":
        X = SCALE * X / X.max(axis=0)
    classes = np.unique(np.asarray(source.labels), return_inverse=True)[1]
    return ClassedPoints(X, classes.reshape(-1).astype(np.int32), note)


def two_spirals() -> ClassedPoints:
    """Return two spirals, each the other turned by half a circle."""
    along = np.linspace(0.0, 1.0, SPIRAL_POINTS)
    angle = np.pi * (0.5 + 2.0 * SPIRAL_TURNS * along)
    radius = SPIRAL_RADII[0] + (SPIRAL_RADII[1] - SPIRAL_RADII[0]) * along
    arm = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    return ClassedPoints(
        np.vstack([arm, -arm]), np.repeat([0, 1], SPIRAL_POINTS).astype(np.int32), GENERATOR_NOTE
    )


def half_rings(seed: int = 0) -> ClassedPoints:
    """Return two interlocking half rings, each the other turned upside down."""
    angle = np.linspace(0.0, np.pi, HALF_RING_POINTS)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.vstack([ring, HALF_RING_OFFSET - ring])
    X += HALF_RING_NOISE * np.random.Generator(np.random.Philox(seed)).standard_normal(X.shape)
    return ClassedPoints(X, np.repeat([0, 1], HALF_RING_POINTS).astype(np.int32), GENERATOR_NOTE)


def _source(name: str, data_dir: Path | None) -> tuple[Points, str]:
    try:
        return load(name, data_dir), ""
    except DataError:
        if data_dir is not None:
            raise
        return load(f"demo:{name}"), IRIS_NOTE if name == "iris" else ""
