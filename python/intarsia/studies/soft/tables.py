"""Tables 1.7 to 1.13: geometric mean ratios beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from intarsia.metrics import geometric_mean_ratio
from intarsia.studies.published.soft import LEFT_OUT, NOT_ON, RatioTable
from intarsia.studies.sheet import Column, Sheet, paired, paired_columns
from intarsia.studies.soft.data import GENERATED, GENERATED_NOTE
from intarsia.studies.soft.plan import Case, Plan
from intarsia.studies.soft.runs import Scored

READING = "cell: geometric mean of column over row"


def belongs(table: RatioTable, case: Case) -> bool:
    """Tell whether an ensemble counts in a table."""
    return (case.is_tough or not table.tough) and table.data in (None, case.data)


def ratio(scored: Sequence[Scored], method: str, base: str, measure: str = "NMI") -> float | None:
    """Return how many times better a method scores, over the ensembles on which both ran."""
    scores = [one.scores[measure] for one in scored]
    both = [(of[method], of[base]) for of in scores if method in of and base in of]
    return geometric_mean_ratio(*zip(*both, strict=True)) if both else None


def ratio_sheet(table: RatioTable, scored: Sequence[Scored], plan: Plan) -> Sheet:
    """Return a table of the paper and ours, cell by cell."""
    counted = [one for one in scored if belongs(table, one.case)]
    rows = tuple(
        (base, *paired(table.ratios[base], _row(counted, table, base), table.methods))
        for base in table.methods
    )
    columns = (Column("method"), *paired_columns(table.methods, ".3f"))
    notes = (READING, *_differences(table, counted), *_data_notes(counted))
    return Sheet(f"table-{table.number}", _title(table, len(counted), plan), columns, rows, notes)


def _row(scored: Sequence[Scored], table: RatioTable, base: str) -> dict[str, float | None]:
    return {method: ratio(scored, method, base, table.measure) for method in table.methods}


def _title(table: RatioTable, n_ensembles: int, plan: Plan) -> str:
    which = f"{'tough ' if table.tough else ''}ensembles{f' of {table.data}' if table.data else ''}"
    how = f"{plan.n_ensembles} a setting, runs of each: {plan.n_runs}, seed {plan.seed}"
    return f"Table {table.number}: geometric mean ratio of {table.measure}, {n_ensembles} {which} ({how})"


def _differences(table: RatioTable, scored: Sequence[Scored]) -> list[str]:
    """Name the pairs of methods of which the paper has the other one ahead."""
    pairs = []
    for base, method in combinations(table.methods, 2):
        theirs, ours = table.ratios[base][method], ratio(scored, method, base, table.measure)
        if ours is not None and (ours - 1.0) * (theirs - 1.0) < 0:
            pairs.append(f"{method} over {base} (paper {theirs:g}, ours {ours:.3f})")
    n = len(table.methods) * (len(table.methods) - 1) // 2
    if not pairs:
        return [f"direction as in the paper for all {n} pairs of methods"]
    return [f"direction differs from the paper for {len(pairs)} of {n} pairs: {'; '.join(pairs)}"]


def _data_notes(scored: Sequence[Scored]) -> list[str]:
    names = list(dict.fromkeys(one.case.data for one in scored))
    without = [
        f"{', '.join(NOT_ON[name])} not run on {name}, as in the paper" for name in names if name in NOT_ON
    ]
    generated = [GENERATED_NOTE] if GENERATED in names else []
    return [f"data: {', '.join(names)}", LEFT_OUT, *without, *generated]
