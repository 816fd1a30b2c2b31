"""Which defaults sCSPA and sHBGF should have: chosen on some of the data sets, reported on the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from intarsia.executor import Executor
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.soft.runs import HARD, SOFT, MemberPools, OnDone, member_pools, score_options
from intarsia.studies.soft.settings import Case, SoftStudySettings
from intarsia.studies.soft.tables import Ratio

#: Every other data set of table 1.5 on which all functions run.
CHOSEN_ON, REPORTED_ON = ("8d5k", "glass", "vehicle"), ("vowel", "yeast")
_WAYS = ("best", "published")
#: Function, its hard form, and what is tried: grouping alike rows, hiding faint edges, how METIS is asked.
VARIANTS: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    *(("sCSPA", "CSPA", {"alike": alike, "metis": way}) for alike in (0.1, 0) for way in _WAYS),
    *(
        ("sHBGF", "HBGF", {"alike": alike, "thin": thin, "metis": way})
        for alike in (0.1, 0)
        for thin in (True, False)
        for way in _WAYS
    ),
)
HALVES = ("chosen on", "reported on")
COLUMNS = (
    Column("function"), Column("options"),
    *(Column(f"{half}{end}", ".3f") for half in HALVES for end in ("", " low", " high")),
)  # fmt: skip
#: An ensemble and the function, with its options, to score on it.
VariantTask = tuple[Case, str, Mapping[str, Any]]


def defaults_sheet(settings: SoftStudySettings, executor: Executor, on_done: OnDone) -> Sheet:
    """Return each variant's ratio of NMI over its hard form, on both halves of the data sets."""
    halves = [_scores(names, settings, executor, on_done) for names in (CHOSEN_ON, REPORTED_ON)]
    rows = []
    for soft, hard, options in VARIANTS:
        found = [Ratio.of(scores[_key(soft, options)], scores[_key(hard, {})]) for scores in halves]
        cells = [value for one in found for value in (one.value, one.low, one.high)]
        rows.append((soft, ", ".join(f"{name}={value}" for name, value in options.items()), *cells))
    n_chosen, n_reported = (len(next(iter(scores.values()))) for scores in halves)
    notes = (
        f"NMI over that of the hard form; chosen on {', '.join(CHOSEN_ON)} ({n_chosen} ensembles), "
        f"reported on {', '.join(REPORTED_ON)} ({n_reported})",
        "low, high: two standard errors over ensembles",
        *_choices(rows),
    )
    return Sheet(
        "defaults", "Defaults of the soft functions, by halves of the data sets", COLUMNS, tuple(rows), notes
    )


def _choices(rows: Sequence[tuple[Any, ...]]) -> list[str]:
    """Say which options the first half would choose, and how they do on the other."""
    lines = []
    for function in dict.fromkeys(row[0] for row in rows):
        best = max((row for row in rows if row[0] == function), key=lambda row: row[2])
        lines.append(f"{function}: {best[1]} is chosen; on the other data sets it has {best[5]:.3f}")
    return lines


def n_steps(settings: SoftStudySettings) -> int:
    """Return how often `on_done` is called."""
    return len(_tasks(settings.cases((*CHOSEN_ON, *REPORTED_ON))))


def _tasks(cases: Sequence[Case]) -> list[VariantTask]:
    hard: list[tuple[str, Mapping[str, Any]]] = [
        (name, {}) for name in dict.fromkeys(base for _, base, _ in VARIANTS)
    ]
    soft = [(name, options) for name, _, options in VARIANTS]
    return [(case, name, options) for case in cases for name, options in (*hard, *soft)]


def _scores(
    names: Sequence[str], settings: SoftStudySettings, executor: Executor, on_done: OnDone
) -> dict[str, list[float]]:
    """Return the NMI of each variant, ensemble by ensemble."""
    found: dict[str, list[float]] = {}
    for name in names:
        cases = settings.cases([name])
        tasks = _tasks(cases)
        pools = member_pools(name, cases, settings, executor)
        for (_, method, options), score in zip(
            tasks, executor.map(_score, tasks, pools, on_done), strict=True
        ):
            found.setdefault(_key(method, options), []).append(score)
    return found


def _score(task: VariantTask, pools: MemberPools) -> float:
    case, name, options = task
    return score_options(case, {**HARD, **SOFT}[name], options, pools)["NMI"]


def _key(method: str, options: Mapping[str, Any]) -> str:
    return f"{method} {sorted(options.items())}"
