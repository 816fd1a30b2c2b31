"""Line plots of the figures, drawn without a display (matplotlib, extra [plot])."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intarsia.io.writers import atomic_write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NO_MATPLOTLIB = (
    "matplotlib is not installed: figures are written as tables only (pip install 'intarsia[plot]')"
)

N_COLOURS = 64
OWN_LABEL, PRINTED_LABEL = "intarsia", "as printed"
# colour-blind safe, and told apart by marker and dash in black and white
STYLES: dict[str, dict[str, Any]] = {
    OWN_LABEL: {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    PRINTED_LABEL: {"color": "#009e73", "marker": "^", "linestyle": "-."},
}
OTHER_STYLE: dict[str, Any] = {"color": "#d55e00", "marker": "s", "linestyle": "--"}


@dataclass(frozen=True)
class Series:
    """One line of a plot; without a style it is drawn by its label: ours, as printed, or another's."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    style: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Panel:
    """One set of axes: `level` is drawn as a thin line, and so is zero if asked."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    level: float | None = None
    zero_line: bool = False


def can_draw() -> bool:
    """Tell whether matplotlib is there."""
    return find_spec("matplotlib") is not None


def draw_panels(path: Path, title: str, panels: Sequence[Panel]) -> None:
    """Draw panels side by side into a small PNG file, which appears only when it is complete."""
    from matplotlib.figure import Figure
    from PIL import Image  # matplotlib's own

    figure = Figure(figsize=(1.2 + 4.8 * len(panels), 4.2), layout="constrained")
    for position, panel in enumerate(panels, start=1):
        _draw_panel(figure.add_subplot(1, len(panels), position), panel)
    figure.suptitle(title)
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    with atomic_write_bytes(path) as stream:  # a palette: lines need few colours
        Image.open(drawn).convert("RGB").quantize(N_COLOURS).save(stream, format="PNG", optimize=True)


def _draw_panel(axes: Axes, panel: Panel) -> None:
    for series in panel.series:
        style = series.style or STYLES.get(series.label, OTHER_STYLE)
        axes.plot(series.x, series.y, label=series.label, linewidth=1.8, markersize=5, **style)
    if panel.zero_line:
        axes.axhline(0.0, color="0.4", linewidth=0.8)
    if panel.level is not None:
        axes.axhline(
            panel.level,
            color="0.4",
            linewidth=0.8,
            linestyle=":",
            label=f"{panel.level:g}, the paper's level",
        )
    axes.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
