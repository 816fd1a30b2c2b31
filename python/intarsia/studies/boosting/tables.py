"""Tables 2 to 5: Z-scores beside the published ones, then isolation and connectivity as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from intarsia.executor import Executor
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.boosting.counts import BOOST_OVER_SINGLE, Count, ZRow, count, questions_of
from intarsia.studies.boosting.data import points_of
from intarsia.studies.boosting.published import BAG, TABLES, ZTable
from intarsia.studies.boosting.runs import BOOSTS, Case, Scores, TableData, cases_of, run_case
from intarsia.studies.boosting.settings import BoostingStudySettings
from intarsia.studies.common import read_by_rank_zero

Z_NOTE = (
    "Z over so few methods takes few values and moves by jumps; only 1 of the 32 published rows fits the "
    "printed formula: read isolation and connectivity beside it"
)


@dataclass(frozen=True)
class TableScores:
    """A table's scores by configuration."""

    table: ZTable
    settings: BoostingStudySettings
    scores: Mapping[Case, Scores]

    def of_row(self, data: str, n_clusters: int, features: str) -> list[Scores]:
        """Return the scores of every split of a row."""
        splits = range(self.settings.n_splits)
        return [self.scores[Case(data, features, n_clusters, split)] for split in splits]

    def z_rows(self, features: str) -> list[tuple[ZRow, list[ZRow]]]:
        """Return published scores and those of every split, row by row."""
        return [
            (self.table.rows[row], [scores.z() for scores in self.of_row(*row, features)])
            for row in self.settings.rows(self.table)
        ]

    def counts(self, features: str) -> list[Count]:
        """Return what is counted in this table."""
        return [count(question, self.z_rows(features)) for question in questions_of(self.table)]


def run_table(
    number: int,
    settings: BoostingStudySettings,
    executor: Executor,
    on_done: Callable[[int], None] | None = None,
) -> TableScores:
    """Run all configurations of a table."""
    table = TABLES[number]
    names = list(dict.fromkeys(data for data, _ in settings.rows(table)))
    points = read_by_rank_zero(executor, lambda: {name: points_of(name, settings.data_dir) for name in names})
    cases = cases_of(table, settings)
    found = executor.map(run_case, cases, TableData(table, points, settings), on_done)
    return TableScores(table, settings, dict(zip(cases, found, strict=True)))


def z_sheet(found: TableScores) -> Sheet:
    """Return a table as the paper has it: medians of Z over the splits beside the published scores."""
    table, settings = found.table, found.settings
    columns = [Column("data"), Column("C", "d"), *(Column(f"{m} paper", ".3f") for m in table.methods)]
    for features in settings.features:
        columns += [Column(f"{m} {features}", ".3f") for m in table.methods]
        columns.append(Column(f"boost wins {features}", "d"))
    rows = tuple(_z_row(found, data, k) for data, k in settings.rows(table))
    notes = [f"{f} features: {c.sentence()}" for f in settings.features for c in found.counts(f)]
    title = (
        f"Table {table.number}: sum of robust Z-scores on the test set, {table.base}; published, and medians "
        f"of {settings.n_splits} splits with the splits that boosting wins"
    )
    return Sheet(f"table-{table.number}", title, tuple(columns), rows, (*notes, Z_NOTE))


def _z_row(found: TableScores, data: str, n_clusters: int) -> tuple[object, ...]:
    table = found.table
    row: list[object] = [data, n_clusters, *(table.rows[data, n_clusters][m] for m in table.methods)]
    for features in found.settings.features:
        splits = [scores.z() for scores in found.of_row(data, n_clusters, features)]
        row += [float(np.median([z[m] for z in splits])) for m in table.methods]
        row.append(sum(BOOST_OVER_SINGLE.is_so(z) for z in splits))
    return tuple(row)


def raw_sheet(found: TableScores) -> Sheet:
    """Return what lies behind Z: medians of isolation and connectivity, and the rounds."""
    table, settings = found.table, found.settings
    columns = [Column("data"), Column("C", "d"), Column("features")]
    for index in ("isolation", "connectivity"):
        columns += [Column(f"{m} {index}", ".4g") for m in table.methods]
    columns += [Column(f"{m} rounds", ".1f") for m in BOOSTS]
    rows = tuple(
        (data, k, features, *_raw_values(found.of_row(data, k, features), table.methods))
        for data, k in settings.rows(table)
        for features in settings.features
    )
    notes = [_ahead(found, features) for features in settings.features]
    title = (
        f"Table {table.number}, unscaled: medians over {settings.n_splits} splits, mean rounds; {table.base}"
    )
    return Sheet(f"table-{table.number}-raw", title, tuple(columns), rows, (*notes, rounds_sentence([found])))


def _raw_values(splits: Sequence[Scores], methods: Sequence[str]) -> list[float]:
    values = [float(np.median([s.isolation[m] for s in splits])) for m in methods]
    values += [float(np.median([s.connectivity[m] for s in splits])) for m in methods]
    return values + [float(np.mean([s.rounds[m] for s in splits])) for m in BOOSTS]


def _ahead(found: TableScores, features: str) -> str:
    """Say in how many runs each ensemble is above the best single one, index by index."""
    runs = [scores for case, scores in found.scores.items() if case.features == features]
    parts = []
    for method in (*BOOSTS, *((BAG,) if BAG in found.table.methods else ())):
        isolated = sum(s.isolation[method] > s.isolation["single"] for s in runs)
        connected = sum(s.connectivity[method] > s.connectivity["single"] for s in runs)
        parts.append(f"{method} in {isolated} by isolation, {connected} by connectivity")
    return f"{features} features, above the best single one in {len(runs)} runs: {'; '.join(parts)}"


def rounds_sentence(tables: Sequence[TableScores]) -> str:
    """Say how many rounds boosting used."""
    used = [scores.rounds[m] for found in tables for scores in found.scores.values() for m in BOOSTS]
    full = sum(rounds == 20 for rounds in used)
    return (
        f"rounds used: {np.mean(used):.1f} on average, {min(used)} to {max(used)}, all 20 in {full} of "
        f"{len(used)} runs; published: 10 on average, never 20"
    )


def conclusions(tables: Sequence[TableScores]) -> list[str]:
    """Return the counts over tables 2 and 3 together, and over 4 and 5 together, where both were run."""
    lines = []
    for numbers in ((2, 3), (4, 5)):
        both = [found for found in tables if found.table.number in numbers]
        if len(both) < 2:
            continue
        for features in both[0].settings.features:
            rows = [row for found in both for row in found.z_rows(features)]
            for question in questions_of(both[0].table):
                text = count(question, rows).sentence()
                lines.append(f"Tables {numbers[0]} and {numbers[1]}, {features} features: {text}.")
    return [*lines, f"All tables: {rounds_sentence(tables)}."] if tables else []
