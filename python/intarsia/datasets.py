"""Data by name: generated or bundled demo sets, and files found in a data folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from intarsia.io import DataError, Points, find_data, make_points, read_points

_DEMO_PREFIX = "demo:"


def load(source: str | os.PathLike[str], data_dir: str | os.PathLike[str] | None = None, **kw: Any) -> Points:
    """Load `demo:NAME`, an existing file, or a bare name such as `u1060` found by `find_data`.

    `kw` goes to `load_demo` or `read_points`.
    """
    text = os.fspath(source)
    if text.startswith(_DEMO_PREFIX):
        return load_demo(text.removeprefix(_DEMO_PREFIX), **kw)
    if Path(text).exists() or not _is_bare_name(text):
        return read_points(text, data_dir=data_dir, **kw)
    try:
        path = find_data(text, data_dir)
    except DataError as error:
        raise DataError(f"{str(error).rstrip('.')}; built-in are {_listing(_DEMO_PREFIX)}.") from None
    return read_points(path, **kw)


def load_demo(name: str, random_state: int = 0) -> Points:
    """Return a built-in data set; the same `random_state` always gives the same points."""
    if name not in DEMOS:
        raise DataError(f"no demo data named {name!r}; choose from {_listing()}.")
    if random_state < 0:
        raise ValueError(f"random_state={random_state} should be >= 0.")
    X, labels, feature_names = DEMOS[name](np.random.Generator(np.random.Philox(random_state)))
    return make_points(f"{_DEMO_PREFIX}{name}", X, labels, feature_names, name)


def _is_bare_name(text: str) -> bool:
    return bool(text) and Path(text).name == text and not Path(text).suffix


def _listing(prefix: str = "") -> str:
    return ", ".join(prefix + name for name in DEMOS)


Demo = tuple[NDArray[Any], NDArray[Any], list[str] | None]


def _gaussians(rng: Generator, centers: NDArray[np.float64], n_each: int, deviation: float) -> Demo:
    """Draw the same number of points around each centre, all with the same spherical spread."""
    labels = np.repeat(np.arange(len(centers)), n_each)
    noise = rng.standard_normal((labels.size, centers.shape[1]))
    return centers[labels] + deviation * noise, labels, None


def _gauss100(rng: Generator) -> Demo:
    """10,000 points in R^5 around 100 spherical Gaussian centres in the cube [0, 100]^5."""
    return _gaussians(rng, rng.uniform(0.0, 100.0, (100, 5)), 100, 5.0)


def _2d2k(rng: Generator) -> Demo:
    """Two overlapping Gaussians of variance 0.1 in the plane, 500 points each (after Strehl)."""
    centers = np.array([[-0.227, 0.077], [0.095, 0.323]])
    return _gaussians(rng, centers, 500, np.sqrt(0.1))


def _8d5k(rng: Generator) -> Demo:
    """Five Gaussians of variance 0.1 in R^8, 200 points each, means uniform in [0, 1]^8 (after Strehl)."""
    return _gaussians(rng, rng.uniform(0.0, 1.0, (5, 8)), 200, np.sqrt(0.1))


def _two_spirals(rng: Generator) -> Demo:
    """Two interleaved spirals of 95 points each, slightly jittered."""
    turn = np.linspace(0.0, 1.0, 95)
    angle = np.pi * (0.5 + 3.0 * turn)
    radius = 1.0 + 5.5 * turn
    arm = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    labels = np.repeat([0, 1], 95)
    return np.vstack([arm, -arm]) + 0.05 * rng.standard_normal((190, 2)), labels, None


def _half_rings(rng: Generator) -> Demo:
    """Two interlocking half rings of 250 points each."""
    X = np.vstack([_arc(rng, 250, 0.0), [1.0, 0.5] - _arc(rng, 250, 0.0)])
    return X + 0.08 * rng.standard_normal(X.shape), np.repeat([0, 1], 250), None


def _bananas(rng: Generator) -> Demo:
    """Two thick banana-shaped clusters of 1,000 points each."""
    first = 5.0 * _arc(rng, 1000, 0.125) + rng.standard_normal((1000, 2))
    second = [3.75, -1.25] - 5.0 * _arc(rng, 1000, 0.125) + rng.standard_normal((1000, 2))
    return np.vstack([first, second]), np.repeat([0, 1], 1000), None


def _arc(rng: Generator, n: int, beyond: float) -> NDArray[np.float64]:
    """Draw points on the upper half of the unit circle, prolonged at both ends by a share of itself."""
    angle = np.pi * rng.uniform(-beyond, 1.0 + beyond, n)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _iris(rng: Generator) -> Demo:
    """scikit-learn's copy of the iris data: 150 points, 4 features, 3 species."""
    from sklearn.datasets import load_iris

    return _bundled(load_iris())


def _wine(rng: Generator) -> Demo:
    """scikit-learn's copy of the wine data: 178 points, 13 features, 3 cultivars."""
    from sklearn.datasets import load_wine

    return _bundled(load_wine())


def _bundled(bunch: Any) -> Demo:
    return bunch.data, bunch.target_names[bunch.target], list(bunch.feature_names)


#: The built-in data sets: each a function of a random generator.
DEMOS: dict[str, Callable[[Generator], Demo]] = {
    "gauss100": _gauss100,
    "two-spirals": _two_spirals,
    "half-rings": _half_rings,
    "bananas": _bananas,
    "iris": _iris,
    "wine": _wine,
    "2d2k": _2d2k,
    "8d5k": _8d5k,
}
