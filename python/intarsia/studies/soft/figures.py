"""Figures 1.1 to 1.4: how NMI grows with the features a member sees and with the number of members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.soft.published import BEST, HARD_AND_SOFT
from intarsia.studies.soft.runs import FORMS, Scored
from intarsia.studies.soft.settings import Case

#: The paper does not plot MixMns: too low.
PAIRS = tuple(name for name in HARD_AND_SOFT if name != "MixMns")
PANELS = ("pendigits", "vowel")
#: What a column of each form is called after its method.
SUFFIXES = dict(zip(FORMS, (" printed", ""), strict=True))
#: One colour and marker for a method, dashed where it is hard.
LOOKS = {
    "CSPA": ("#d55e00", "s"),
    "MCLA": ("#009e73", "^"),
    "HBGF": ("#0072b2", "o"),
    "ITK": ("#000000", "D"),
}


@dataclass(frozen=True)
class Figure:
    """A figure: its number, what varies (a field of `Case` and its name), the methods."""

    number: str
    field: str
    varied: str
    methods: tuple[str, ...]


_FEATURES, _MEMBERS = ("n_features", "features a member sees"), ("n_members", "members")
FIGURES = {
    figure.number: figure
    for figure in (
        Figure("1.1", *_FEATURES, PAIRS),
        Figure("1.2", *_FEATURES, BEST),
        Figure("1.3", *_MEMBERS, PAIRS),
        Figure("1.4", *_MEMBERS, BEST),
    )
}


def shows(case: Case) -> bool:
    """Tell whether an ensemble counts in the figures."""
    return case.data in PANELS


def curve_sheet(figure: Figure, scored: Sequence[Scored]) -> Sheet:
    """Return the points of a figure: mean NMI for each value of what is varied."""
    shown = [one for one in scored if shows(one.case)]
    places = dict.fromkeys((one.case.data, getattr(one.case, figure.field)) for one in shown)
    rows = tuple((data, x, *_means(figure, shown, data, x)) for data, x in sorted(places))
    names = [f"{method}{suffix}" for suffix in SUFFIXES.values() for method in figure.methods]
    columns = (Column("data"), Column(figure.varied, "d"), *(Column(name, ".4f") for name in names))
    other = "numbers of members" if figure.field == "n_features" else "numbers of features"
    notes = (f"mean NMI over all {other}", "the paper's curves have no printed numbers")
    return Sheet(
        f"figure-{figure.number}", f"Figure {figure.number}: NMI by {figure.varied}", columns, rows, notes
    )


def draw_curves(figure: Figure, sheet: Sheet, path: Path) -> None:
    """Draw one panel for each data set."""
    rows = sheet.records()
    names = dict.fromkeys(row["data"] for row in rows)
    panels = [
        _panel(figure, name, [row for row in rows if row["data"] == name], form)
        for name in names
        for form in FORMS
    ]
    draw_panels(path, sheet.title, panels)


def _means(figure: Figure, scored: Sequence[Scored], data: str, x: int) -> list[float | None]:
    here = [one for one in scored if (one.case.data, getattr(one.case, figure.field)) == (data, x)]
    by_form = [[one.scores[form]["NMI"] for one in here] for form in SUFFIXES]
    return [_mean([of[m] for of in scores if m in of]) for scores in by_form for m in figure.methods]


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _panel(figure: Figure, data: str, rows: Sequence[dict[str, Any]], form: str) -> Panel:
    xs, suffix = [row[figure.varied] for row in rows], SUFFIXES[form]
    run = [m for m in figure.methods if rows[0][m + suffix] is not None]
    series = [Series(m, xs, [row[m + suffix] for row in rows], _look(m)) for m in run]
    return Panel(f"{data}, {form}", figure.varied, "NMI", series)


def _look(method: str) -> dict[str, str]:
    color, marker = LOOKS[method.removeprefix("s")]
    return {
        "color": color,
        "marker": marker,
        "linestyle": "--" if method in ("CSPA", "MCLA", "HBGF") else "-",
    }
