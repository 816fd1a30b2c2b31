"""Tables 1.7 to 1.13: geometric mean ratios, published, as printed and ours, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from intarsia.report.sheet import Column, Sheet
from intarsia.studies.soft.data import GENERATED, GENERATED_NOTE
from intarsia.studies.soft.published import LEFT_OUT, NOT_ON, RatioTable
from intarsia.studies.soft.runs import FORMS, Scored
from intarsia.studies.soft.settings import Case, SoftStudySettings

READING = (
    "first method over second; 'other way': one over the cell of the second over the first, which the paper "
    "prints too; low, high: two standard errors over ensembles, which share their pools of members"
)
SIMILARITY = (
    "sMCLA compares columns by exp(-d²/s), s = median d², as printed, and by extended Jaccard in ours"
)
#: A zero score counts as this; how many standard errors make a difference.
LEAST, SURE = 1e-5, 2.0
ZEROS = (
    f"the ratio would be the published one if this share of the first method's answers were one cluster "
    f"(NMI 0, counted as {LEAST:.5f})"
)
COLUMNS = (
    Column("pair"), Column("published", ".3f"), Column("other way", ".3f"),
    *(Column(f"{form}{part}", ".3f") for form in FORMS for part in ("", " low", " high")),
    Column("reversed"),
)  # fmt: skip


def belongs(table: RatioTable, case: Case) -> bool:
    """Tell whether an ensemble counts in a table."""
    return (case.is_tough or not table.tough) and table.data in (None, case.data)


@dataclass(frozen=True)
class Ratio:
    """A geometric mean ratio over n ensembles, between two standard errors less and two more."""

    value: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, method: Sequence[float], base: Sequence[float]) -> Ratio:
        """Return the ratio of two rows of scores, those of the same ensemble side by side."""
        logs = np.log(np.maximum(method, LEAST)) - np.log(np.maximum(base, LEAST))
        spread = SURE * float(np.std(logs, ddof=1) / np.sqrt(len(logs))) if len(logs) > 1 else np.inf
        low, middle, high = np.exp([logs.mean() - spread, logs.mean(), logs.mean() + spread]).tolist()
        return cls(middle, low, high, len(logs))

    def contradicts(self, published: float) -> bool:
        """Whether the whole interval lies on the other side of 1."""
        return (published > 1.0 and self.high < 1.0) or (published < 1.0 and self.low > 1.0)


def ratio(
    scored: Sequence[Scored], method: str, base: str, measure: str = "NMI", form: str = FORMS[1]
) -> Ratio | None:
    """Return how many times better a method scores, over the ensembles on which both ran."""
    scores = [one.scores[form][measure] for one in scored]
    both = [(of[method], of[base]) for of in scores if method in of and base in of]
    return Ratio.of(*zip(*both, strict=True)) if both else None


def ratio_sheet(table: RatioTable, scored: Sequence[Scored], settings: SoftStudySettings) -> Sheet:
    """Return a table of the paper, as printed and ours, a pair of methods a row."""
    counted = [one for one in scored if belongs(table, one.case)]
    pairs = list(combinations(table.methods, 2))
    rows = tuple(_row(table, counted, base, method) for base, method in pairs)
    notes = (READING, *_differences(table, counted), SIMILARITY, *_data_notes(counted))
    return Sheet(f"table-{table.number}", _title(table, len(counted), settings), COLUMNS, rows, notes)


def _row(table: RatioTable, scored: Sequence[Scored], base: str, method: str) -> tuple[Any, ...]:
    found = [ratio(scored, method, base, table.measure, form) for form in FORMS]
    published = table.ratios[base][method]
    reversed_in = [f for f, one in zip(FORMS, found, strict=True) if one and one.contradicts(published)]
    cells = [value for one in found for value in ((one.value, one.low, one.high) if one else (None,) * 3)]
    both_ways = (published, 1.0 / table.ratios[method][base])
    return (f"{method} / {base}", *both_ways, *cells, ", ".join(reversed_in) or "no")


def _title(table: RatioTable, n_ensembles: int, settings: SoftStudySettings) -> str:
    which = f"{'tough ' if table.tough else ''}ensembles{f' of {table.data}' if table.data else ''}"
    how = f"up to {settings.n_ensembles} a setting, runs of each: {settings.n_runs}, seed {settings.seed}"
    return f"Table {table.number}: geometric mean ratio of {table.measure}, {n_ensembles} {which} ({how})"


def _differences(table: RatioTable, scored: Sequence[Scored]) -> list[str]:
    """Say, for each form, of how many pairs the paper has the other one ahead, and which are sure."""
    pairs = list(combinations(table.methods, 2))
    lines = []
    for form in FORMS:
        found = {(m, b): ratio(scored, m, b, table.measure, form) for b, m in pairs}
        other = [
            p for p, one in found.items() if one and (one.value - 1) * (table.ratios[p[1]][p[0]] - 1) < 0
        ]
        sure = [
            p for p in other if (one := found[p]) is not None and one.contradicts(table.ratios[p[1]][p[0]])
        ]
        names = f": {'; '.join(f'{m} / {b}' for m, b in sure)}" if sure else ""
        lines.append(
            f"{form}: direction differs from the paper for {len(other)} of {len(pairs)} pairs, "
            f"for {len(sure)} by more than {SURE:g} standard errors{names}"
        )
        shares = [(pair, _zero_share(table, scored, *pair, form)) for pair in sure]
        told = [f"{m} / {b} {share:.1%}" for (m, b), share in shares if share is not None]
        lines += [f"{form}: {ZEROS}: {'; '.join(told)}"] if told else []
    return lines


def _zero_share(
    table: RatioTable, scored: Sequence[Scored], method: str, base: str, form: str
) -> float | None:
    """Return which share of the method's answers, scored 0 instead, would turn our ratio into the published.

    None where it is the base's answers that would have to be worse, or a measure that no answer has 0 of.
    """
    found, published = ratio(scored, method, base, table.measure, form), table.ratios[base][method]
    if table.measure != "NMI" or found is None or found.value < published:
        return None
    scores = [one.scores[form][table.measure].get(method) for one in scored]
    logs = np.log(np.maximum([score for score in scores if score is not None], LEAST))
    return float(np.log(found.value / published) / (logs.mean() - np.log(LEAST)))


def _data_notes(scored: Sequence[Scored]) -> list[str]:
    names = list(dict.fromkeys(one.case.data for one in scored))
    without = [
        f"{', '.join(NOT_ON[name])} not run on {name}, as in the paper" for name in names if name in NOT_ON
    ]
    generated = [GENERATED_NOTE] if GENERATED in names else []
    return [f"data: {', '.join(names)}", LEFT_OUT, *without, *generated]
