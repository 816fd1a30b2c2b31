"""How much the form of 2-spirals and half-rings decides: the paper draws them, but does not describe them.

Of each kind of spirals and rings, one number is free, and is the one with which k-means alone errs as in the
paper's table 2. All these data sets fit what the paper says of its own; what the consensus functions make of
them is shown beside what it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from intarsia.arrays import Floats
from intarsia.consensus import AS_PRINTED, combine
from intarsia.executor import Executor
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.annealing.data import ClassedPoints, half_rings, two_spirals
from intarsia.studies.annealing.members import error_percent, kmeans_labels, kmeans_members
from intarsia.studies.annealing.published import TABLE_2, TABLE_3, TABLE_4, ErrorTable
from intarsia.studies.annealing.runs import ANNEALED, OTHERS, AnnealingStudySettings
from intarsia.studies.annealing.tables import standard_error

N_MEMBERS = 30
#: k-means alone may err by so many points more or less than in table 2.
NEAR = 0.5
SEARCH_RUNS = 40
METHODS = {"SA-RI": ANNEALED["SA-RI"], **OTHERS}
COLUMNS = (
    Column("data"), Column("form"), Column("k-means", ".1f"),
    *(Column(f"{name}{more}", ".1f") for name in METHODS for more in ("", " ±")),
)  # fmt: skip
Draw = Callable[[float], ClassedPoints]


@dataclass(frozen=True)
class Family:
    """Data sets that differ in one number, and the table that they should fit."""

    table: ErrorTable
    what: str
    draw: Draw
    free: str
    grid: tuple[float, ...]

    @property
    def k_means_error(self) -> float:
        """The error of k-means alone that the paper prints."""
        return next(row.error for row in TABLE_2 if row.data == self.table.data)


def _grid(least: float, most: float) -> tuple[float, ...]:
    return tuple(np.round(np.arange(least, most + 0.01, 0.05), 2).tolist())


SPIRALS = tuple(
    Family(
        TABLE_3,
        f"inner radius {inner:g}, even {'arcs' if even_arcs else 'angles'}",
        partial(two_spirals, inner=inner, even_arcs=even_arcs),
        "turns",
        _grid(0.5, 3.0),
    )
    for even_arcs in (False, True)
    for inner in (0.0, 0.1, 0.25, 0.4)
)
RINGS = tuple(
    Family(
        TABLE_4,
        f"shift {shift:g}, width {width:g}",
        partial(half_rings, shift=shift, width=width),
        "offset",
        _grid(-0.5, 1.0),
    )
    for shift in (0.5, 1.0, 1.5)
    for width in (0.0, 0.3, 0.6)
)
FAMILIES = (*SPIRALS, *RINGS)


def n_families(quick: bool) -> int:
    """Return how many kinds of data there are to try: one for a quick look."""
    return 1 if quick else len(FAMILIES)


def forms_sheet(
    settings: AnnealingStudySettings, executor: Executor, on_done: Callable[[int], None]
) -> Sheet:
    """Return the errors as printed on the data set of each family that fits table 2, if one does."""
    found = executor.map(_family_row, range(n_families(settings.quick)), settings, on_done)
    rows = tuple(row for row in found if row is not None)
    title = f"Forms of the drawn data: error % as printed, r = {N_MEMBERS}, mean of {settings.n_runs} runs"
    notes = (
        f"of each kind the one with which k-means alone errs as in table 2, within {NEAR:g} points",
        *_ranges(rows),
    )
    return Sheet("forms", title, COLUMNS, rows, notes)


def _ranges(rows: tuple[tuple[Any, ...], ...]) -> list[str]:
    lines = []
    for table in (TABLE_3, TABLE_4):
        own = [row for row in rows if row[0] == table.data]
        for place, name in enumerate(METHODS):
            errors = [row[3 + 2 * place] for row in own]
            if errors:
                published = [row[name] for row in table.rows.values()]
                lines.append(
                    f"{table.data}, {name}: {min(errors):.1f} to {max(errors):.1f} over {len(own)} forms, "
                    f"published {min(published):g} to {max(published):g} over r"
                )
    return lines


def _family_row(number: int, settings: AnnealingStudySettings) -> tuple[Any, ...] | None:
    family = FAMILIES[number]
    alone = {value: _k_means_error(family.draw(value), settings.seed) for value in family.grid}
    nearest = min(family.grid, key=lambda free: abs(alone[free] - family.k_means_error))
    if abs(alone[nearest] - family.k_means_error) > NEAR:
        return None
    errors = _errors(family, family.draw(nearest), settings)
    cells = [value for found in errors.values() for value in (float(found.mean()), standard_error(found))]
    return (family.table.data, f"{family.what}, {family.free} {nearest:g}", alone[nearest], *cells)


def _k_means_error(points: ClassedPoints, seed: int) -> float:
    runs = (kmeans_labels(points.X, 2, seed, run) for run in range(SEARCH_RUNS))
    return float(np.mean([error_percent(labels, points.classes) for labels in runs]))


def _errors(family: Family, points: ClassedPoints, settings: AnnealingStudySettings) -> Mapping[str, Floats]:
    table = family.table
    errors: dict[str, list[float]] = {name: [] for name in METHODS}
    for run in range(settings.n_runs):
        ensemble = kmeans_members(points.X, N_MEMBERS, table.member_clusters, settings.seed, run)
        seed = settings.seed * 1_000_003 + run
        for name, method in METHODS.items():
            options = AS_PRINTED[method]
            labels = combine(ensemble, table.n_clusters, method, random_state=seed, n_threads=1, **options)
            errors[name].append(error_percent(labels, points.classes))
    return {name: np.array(found) for name, found in errors.items()}
