"""Data by name: generated or bundled demo sets, and files found in a data folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from intarsia.io import DataError, Points, make_points, read_points
from intarsia.io.points import refuse_url
from intarsia.io.read import STANDARD_INPUT, existing_file

#: Environment variable that names the folder with the data files.
DATA_VARIABLE = "INTARSIA_DATA"

_DEMO_PREFIX = "demo:"
_HOW = f"give data_dir=FOLDER or set {DATA_VARIABLE} to the folder that holds it"


def load(source: str | os.PathLike[str], data_dir: str | os.PathLike[str] | None = None, **kw: Any) -> Points:
    """Load `demo:NAME`, an existing file, or a bare name such as `u1060` found by `find_data`.

    `kw` goes to `load_demo` or `read_points`; "-" is standard input.
    """
    text = os.fspath(source)
    refuse_url(text)
    if text.startswith(_DEMO_PREFIX):
        return load_demo(text.removeprefix(_DEMO_PREFIX), **kw)
    if text == STANDARD_INPUT or Path(text).exists() or not _is_bare_name(text):
        return read_points(text, data_dir=data_dir, **kw)
    return read_points(_found(text, data_dir), **kw)


def _found(name: str, data_dir: str | os.PathLike[str] | None) -> Path:
    try:
        return find_data(name, data_dir)
    except DataError as error:
        raise DataError(f"{str(error).rstrip('.')}; built-in are {_listing(_DEMO_PREFIX)}.") from None


def check_source(source: str, data_dir: str | os.PathLike[str] | None = None) -> None:
    """Refuse what `load` would not find, without a look inside."""
    if source.startswith(_DEMO_PREFIX):
        if source.removeprefix(_DEMO_PREFIX) not in DEMOS:
            load_demo(source.removeprefix(_DEMO_PREFIX))
    elif source != STANDARD_INPUT:
        refuse_url(source)
        if not Path(source).exists() and _is_bare_name(source):
            _found(source, data_dir)
        else:
            existing_file(Path(source), data_dir)


def load_demo(name: str, random_state: int = 0) -> Points:
    """Return a built-in data set; the same `random_state` always gives the same points."""
    if name not in DEMOS:
        raise DataError(f"no demo data named {name!r}; choose from {_listing()}.")
    if random_state < 0:
        raise ValueError(f"random_state={random_state} should be >= 0.")
    X, labels, feature_names = DEMOS[name](np.random.Generator(np.random.Philox(random_state)))
    return make_points(f"{_DEMO_PREFIX}{name}", X, labels, feature_names, name)


def find_data(name: str, data_dir: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of `name.csv`, `name.csv.gz` or `tsplib/name.tsp` in the first data folder that has it.

    Searched are `data_dir`, the folder in the environment variable INTARSIA_DATA, and `./data`.
    """
    if not name or Path(name).name != name:
        raise DataError(f"data name {name!r} should be a bare name such as 'u1060'.")
    if data_dir is not None and not Path(data_dir).is_dir():
        raise DataError(f"data folder {os.fspath(data_dir)!r} does not exist.")
    for folder in _data_folders(data_dir):
        for candidate in (f"{name}.csv", f"{name}.csv.gz", f"tsplib/{name}.tsp"):
            if (folder / candidate).is_file():
                return folder / candidate
    raise DataError(f"no data named {name!r} found: {_HOW}.")


def _data_folders(data_dir: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """Yield the folders to search, the most explicit first."""
    if data_dir is not None:
        yield Path(data_dir)
    if from_environment := os.environ.get(DATA_VARIABLE):
        yield Path(from_environment)
    yield Path("data")


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
    """Two Gaussians of standard deviation 0.1 in the plane, 500 points each (after Strehl).

    With variance 0.1 the best possible error would be 24 %.
    """
    centers = np.array([[-0.227, 0.077], [0.095, 0.323]])
    return _gaussians(rng, centers, 500, 0.1)


def _8d5k(rng: Generator) -> Demo:
    """Five Gaussians of standard deviation 0.1 in R^8, 200 points each, means in the unit cube (Strehl)."""
    return _gaussians(rng, rng.uniform(0.0, 1.0, (5, 8)), 200, 0.1)


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


def _two_moons(rng: Generator) -> Demo:
    """Two interlocking half moons of 500 points each, with noise of 0.1."""
    X = np.vstack([_arc(rng, 500, 0.0), [1.0, 0.5] - _arc(rng, 500, 0.0)])
    return X + 0.1 * rng.standard_normal(X.shape), np.repeat([0, 1], 500), None


def _shapes(rng: Generator) -> Demo:
    """4,000 points in seven clusters of any shape: of the kind of the boost-clustering paper's figure 8.

    A ring (800 points) around a disc (300), two interlocking half moons (550 each), a wave (900), a bar
    (500) and a Gaussian (400); none touches another. The paper gives neither its set nor a recipe.
    """
    ring_angle = rng.uniform(0.0, 2.0 * np.pi, 800)
    wave = rng.uniform(0.0, 1.0, 900)
    bar = rng.uniform(0.0, 1.0, 500)[:, None]
    disc_angle, disc_radius = rng.uniform(0.0, 2.0 * np.pi, 300), 0.9 * np.sqrt(rng.uniform(0.0, 1.0, 300))
    parts: list[NDArray[np.float64]] = [
        2.2 * _circle(ring_angle) + [2.5, 7.0] + 0.14 * rng.standard_normal((800, 2)),
        disc_radius[:, None] * _circle(disc_angle) + [2.5, 7.0],
        1.7 * _arc(rng, 550, 0.0) + [7.3, 6.6] + 0.14 * rng.standard_normal((550, 2)),
        [9.0, 7.4] - 1.7 * _arc(rng, 550, 0.0) + 0.14 * rng.standard_normal((550, 2)),
        np.column_stack([11.0 * wave, 2.6 + np.sin(2.2 * np.pi * wave)])
        + 0.14 * rng.standard_normal((900, 2)),
        [0.2, 1.6] + bar * [4.8, -1.6] + 0.14 * rng.standard_normal((500, 2)),
        np.array([9.0, 0.0]) + [0.6, 0.3] * rng.standard_normal((400, 2)),
    ]
    return np.vstack(parts), np.repeat(np.arange(7), [len(part) for part in parts]), None


def _spirals_and_blob(rng: Generator) -> Demo:
    """Two spirals and a Gaussian, 64 points each: after the multiobjective clustering paper's figure 1."""
    parts = [
        _spiral(64, 0.25, 1.6, 0.0) + 0.02 * rng.standard_normal((64, 2)),
        _spiral(64, 0.25, 1.6, np.pi) + 0.02 * rng.standard_normal((64, 2)),
        np.array([4.6, 0.0]) + 0.65 * rng.standard_normal((64, 2)),
    ]
    return np.vstack(parts), np.repeat([0, 1, 2], 64), None


def _seven_shapes(rng: Generator) -> Demo:
    """1,000 points in two spirals, three rings and two Gaussians, one inside a ring: after its figure 3."""
    lines = [_spiral(170, 0.3, 2.2, phase) for phase in (0.0, np.pi)]
    for radius, n, centre in ((2.0, 200, (4.8, 0.3)), (0.7, 90, (2.2, 2.1)), (0.7, 90, (2.1, -2.1))):
        lines.append(radius * _circle(np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)) + centre)
    parts = [line + 0.02 * rng.standard_normal(line.shape) for line in lines]
    for deviation, n, centre in ((0.38, 130, (4.8, 0.3)), (0.5, 150, (5.0, -3.9))):
        parts.append(np.array(centre) + deviation * rng.standard_normal((n, 2)))
    return np.vstack(parts), np.repeat(np.arange(7), [len(part) for part in parts]), None


def _spiral(n: int, first: float, last: float, phase: float) -> NDArray[np.float64]:
    """Return points on an Archimedean spiral of 1.25 turns, evenly spaced along it."""
    fine = np.linspace(0.0, 1.0, 10_001)
    radius, angle = first + (last - first) * fine, phase + 2.5 * np.pi * fine
    line = radius[:, None] * _circle(angle)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    where = np.linspace(0.0, along[-1], n)
    return np.column_stack([np.interp(where, along, line[:, 0]), np.interp(where, along, line[:, 1])])


def _circle(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _arc(rng: Generator, n: int, beyond: float) -> NDArray[np.float64]:
    """Draw points on the upper half of the unit circle, prolonged at both ends by a share of itself."""
    angle = np.pi * rng.uniform(-beyond, 1.0 + beyond, n)
    return _circle(angle)


def _iris(rng: Generator) -> Demo:
    """scikit-learn's copy of the iris data: 150 points, 4 features, 3 species."""
    parts = ("sepal length", "sepal width", "petal length", "petal width")
    return _bundled("iris.csv", [f"{part} (cm)" for part in parts])


def _wine(rng: Generator) -> Demo:
    """scikit-learn's copy of the wine data: 178 points, 13 features, 3 cultivars."""
    names = (
        "alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols "
        "proanthocyanins color_intensity hue od280/od315_of_diluted_wines proline"
    )
    return _bundled("wine_data.csv", names.split())


def _bundled(name: str, features: list[str]) -> Demo:
    """Read a file of scikit-learn's: importing it for that would take two seconds."""
    package = find_spec("sklearn")
    assert package is not None  # we depend on it
    assert package.origin is not None
    path = Path(package.origin).parent / "datasets" / "data" / name
    with path.open(encoding="utf-8") as lines:
        classes = np.array(next(lines).strip().split(",")[2:])  # after the numbers of points and of features
        table = np.loadtxt(lines, delimiter=",")
    return np.ascontiguousarray(table[:, :-1]), classes[table[:, -1].astype(int)], features


#: The built-in data sets: each a function of a random generator.
DEMOS: dict[str, Callable[[Generator], Demo]] = {
    "gauss100": _gauss100,
    "two-spirals": _two_spirals,
    "half-rings": _half_rings,
    "bananas": _bananas,
    "two-moons": _two_moons,
    "shapes": _shapes,
    "spirals-and-blob": _spirals_and_blob,
    "seven-shapes": _seven_shapes,
    "iris": _iris,
    "wine": _wine,
    "2d2k": _2d2k,
    "8d5k": _8d5k,
}
