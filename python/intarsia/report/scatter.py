"""Pictures of points in the plane, coloured by cluster, drawn without a display (extra [plot])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from intarsia.io.writers import atomic_write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: More points than this say nothing more in a picture.
MOST_POINTS = 4000
_PIXELS_AN_INCH = 80
_PLAIN = "0.25"
_COLOURS = 48


@dataclass(frozen=True, eq=False)
class Cloud:
    """One set of axes: points in the plane, all alike or coloured by label."""

    title: str
    points: NDArray[Any]
    labels: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Plane:
    """Where points lie in a picture: as they are in two dimensions, else on their two main axes."""

    center: NDArray[np.float64]
    axes: NDArray[np.float64]
    names: tuple[str, str]

    @classmethod
    def of(cls, X: NDArray[Any]) -> Plane:
        """Return the plane of some points; those on a line get a second coordinate of zero."""
        n_features = X.shape[1]
        if n_features <= 2:
            return cls(np.zeros(n_features), np.eye(n_features, 2), ("feature 1", "feature 2"))
        center = X.mean(axis=0, dtype=np.float64)
        spread = np.cov(X - center, rowvar=False)
        axes = np.linalg.eigh(spread)[1][:, :-3:-1]
        axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])  # eigenvectors have no sign
        return cls(center, axes, ("principal component 1", "principal component 2"))

    def place(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return two coordinates a point."""
        placed: NDArray[np.float64] = (X - self.center) @ self.axes
        return placed


def some_rows(n: int) -> NDArray[np.int64]:
    """Return evenly spaced rows, all where they are few."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST_POINTS)).round().astype(np.int64))


def draw_clouds(
    path: Path,
    title: str,
    clouds: Sequence[Cloud],
    names: tuple[str, str],
    *,
    n_columns: int = 2,
    same_scale: bool = True,
) -> None:
    """Draw clouds in rows of panels into a PNG file, which appears only when it is complete."""
    from matplotlib.figure import Figure

    columns = min(n_columns, len(clouds))
    rows = -(-len(clouds) // columns)
    figure = Figure(figsize=(0.6 + 4.2 * columns, 0.7 + 3.6 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=same_scale, sharey=same_scale)
    for axes, cloud in zip(grid.flat, clouds, strict=False):
        _draw(axes, cloud, names)
    for axes in list(grid.flat)[len(clouds) :]:
        axes.set_visible(False)
    figure.suptitle(title)
    _write_png(path, figure)


def _write_png(path: Path, figure: Figure) -> None:
    """Write few colours: a cloud of points takes a third of the bytes."""
    from PIL import Image  # matplotlib brings it along

    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=_PIXELS_AN_INCH)
    picture = Image.open(drawn).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    with atomic_write_bytes(path) as stream:
        picture.save(stream, format="png", optimize=True)


def _draw(axes: Axes, cloud: Cloud, names: tuple[str, str]) -> None:
    colour: dict[str, Any] = {"color": _PLAIN}
    if cloud.labels is not None:
        many = cloud.labels.max(initial=0) > 9
        colour = {"c": cloud.labels % 20 if many else cloud.labels, "cmap": "tab20" if many else "tab10"}
        colour.update(vmin=0, vmax=19 if many else 9)
    axes.scatter(cloud.points[:, 0], cloud.points[:, 1], s=4, linewidths=0, **colour)
    axes.set(title=cloud.title, xlabel=names[0], ylabel=names[1])
    axes.spines[["top", "right"]].set_visible(False)
