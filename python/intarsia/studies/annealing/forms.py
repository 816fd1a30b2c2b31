"""How much the form of 2-spirals and half-rings decides: the paper draws them, but does not describe them.

Of each kind of spirals and rings one number is free, and is any on a grid with which k-means alone errs as in
the paper's table 2. All these data sets fit what the paper says of its own; what the consensus functions make
of them is shown beside what it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from intarsia.studies.annealing.tables import SURE, standard_error

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
    for inner in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
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
    """Return the errors as printed on every data set of each family that fits table 2."""
    found = executor.map(_family_rows, range(n_families(settings.quick)), settings, on_done)
    rows = tuple(row for of_family in found for row in of_family)
    title = f"Forms of the drawn data: error % as printed, r = {N_MEMBERS}, mean of {settings.n_runs} runs"
    notes = (
        f"all forms with which k-means alone errs as in table 2, within {NEAR:g} points",
        *(line for table in (TABLE_3, TABLE_4) for line in _ranges(table, rows)),
    )
    return Sheet("forms", title, COLUMNS, rows, notes)


def _ranges(table: ErrorTable, rows: Sequence[tuple[Any, ...]]) -> list[str]:
    """Say how far the forms reach, on how many a column lies as published, and SA-RI where the others do."""
    own = [row for row in rows if row[0] == table.data]
    if not own:
        return []
    lines, as_published = [], {}
    for place, name in enumerate(METHODS):
        errors, published = [row[3 + 2 * place] for row in own], [row[name] for row in table.rows.values()]
        as_published[name] = [_fits(row, place, published) for row in own]
        lines.append(
            f"{table.data}, {name}: {min(errors):.1f} to {max(errors):.1f} over {len(own)} forms, published "
            f"{min(published):g} to {max(published):g} over r: there, but for chance, "
            f"on {sum(as_published[name])} forms"
        )
    agree = zip(*(as_published[name] for name in OTHERS), strict=True)
    left = [row[3] for row, fit in zip(own, agree, strict=True) if all(fit)]
    reach = f", and SA-RI errs {min(left):.1f} to {max(left):.1f} there" if left else ""
    return [*lines, f"{table.data}: all other columns lie as published on {len(left)} forms{reach}"]


def _fits(row: tuple[Any, ...], place: int, published: Sequence[float]) -> bool:
    error, slack = row[3 + 2 * place], SURE * row[4 + 2 * place]
    return bool(min(published) - slack <= error <= max(published) + slack)


def _family_rows(number: int, settings: AnnealingStudySettings) -> list[tuple[Any, ...]]:
    family, rows = FAMILIES[number], []
    for free in family.grid:
        points = family.draw(free)
        alone = _k_means_error(points, settings.seed)
        if abs(alone - family.k_means_error) <= NEAR:
            errors = _errors(family, points, settings)
            cells = [float(v) for found in errors.values() for v in (found.mean(), standard_error(found))]
            rows.append((family.table.data, f"{family.what}, {family.free} {free:g}", alone, *cells))
    return rows


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
