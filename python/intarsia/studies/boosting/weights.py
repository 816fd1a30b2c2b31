"""Does boosting do what it claims: does what is hard to cluster gain weight, round by round?

For each seed the hardest tenth of the points are those of highest CQ in the final aggregate. Their share of
the weight, and of what each round drew, is followed; the control draws with equal weights (bagging), and has
a hardest tenth of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from intarsia.arrays import Floats, Ids
from intarsia.boosting.estimator import BaggingClustering, BoostClustering
from intarsia.boosting.quality import point_quality
from intarsia.executor import Executor
from intarsia.report.plots import Panel, Series, draw_panels
from intarsia.report.sheet import Column, Sheet
from intarsia.studies.boosting.data import points_of
from intarsia.studies.boosting.settings import BoostingStudySettings
from intarsia.studies.common import read_by_rank_zero

N_ROUNDS = 10
N_CLUSTERS = 4
HARDEST = 0.1
COLUMNS = (
    Column("data"),
    Column("round", "d"),
    *(
        Column(f"{name} {what}", ".4f")
        for name in ("weight", "boosted draws", "uniform draws")
        for what in ("mean", "least", "most")
    ),
)
STYLES = {
    "weight": {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    "boosted draws": {"color": "#009e73", "marker": "^", "linestyle": "--"},
    "uniform draws": {"color": "#d55e00", "marker": "s", "linestyle": ":"},
}  # fmt: skip


class HardShares(NamedTuple):
    """Shares of the hardest tenth by round: of the weight, of the boosted draws, of uniform draws."""

    weight: Floats
    boosted: Floats
    uniform: Floats


class _Task(NamedTuple):
    data: str
    seed: int


def hard_shares(X: Floats, n_clusters: int, seed: int, n_rounds: int = N_ROUNDS) -> HardShares:
    """Return the shares of one seed."""
    common: dict[str, Any] = {"keep_weights": True, "random_state": seed, "n_threads": 1}
    boost = BoostClustering(n_clusters, max_rounds=n_rounds, stop=False, **common).fit(X)
    bag = BaggingClustering(n_clusters, n_rounds=n_rounds, **common).fit(X)
    hard, control = (_hardest(model.predict_proba(X)) for model in (boost, bag))
    return HardShares(
        boost.weights_history_[:, hard].sum(axis=1),
        boost.draws_history_[:, hard].sum(axis=1) / len(X),
        bag.draws_history_[:, control].sum(axis=1) / len(X),
    )


def _hardest(memberships: Floats) -> Ids:
    quality = point_quality(memberships, "minmax", None, 1)
    hardest: Ids = np.argsort(-quality, kind="stable")[: round(HARDEST * len(quality))]
    return hardest


def weights_sheet(
    settings: BoostingStudySettings, executor: Executor, on_done: Callable[[int], None] | None = None
) -> Sheet:
    """Return the shares by round, over all seeds."""
    names = settings.weight_data
    points = read_by_rank_zero(
        executor, lambda: {name: points_of(name, settings.data_dir).X for name in names}
    )
    tasks = [_Task(name, settings.seed + s) for name in names for s in range(settings.n_seeds)]
    found = dict(zip(tasks, executor.map(_run, tasks, points, on_done), strict=True))
    rows, notes = [], []
    for name in names:
        shares = [found[task] for task in tasks if task.data == name]
        rows += [(name, t + 1, *_spread(shares, t)) for t in range(N_ROUNDS)]
        notes.append(_sentence(name, shares))
    title = (
        f"Share of the hardest tenth of the points by round: {settings.n_seeds} seeds, k-means, minmax, "
        f"C = {N_CLUSTERS}"
    )
    return Sheet("figure-weights", title, COLUMNS, tuple(rows), tuple(notes))


def _run(task: _Task, points: dict[str, Floats]) -> HardShares:
    return hard_shares(points[task.data], N_CLUSTERS, task.seed)


def _spread(shares: list[HardShares], t: int) -> list[float]:
    columns = [[share[which][t] for share in shares] for which in range(3)]
    return [float(of(column)) for column in columns for of in (np.mean, min, max)]


def gain(shares: HardShares) -> float:
    """Return how much more the share of draws grew, first round to last, than that of the control."""
    grown = shares.boosted[-1] - shares.boosted[0]
    return float(grown - (shares.uniform[-1] - shares.uniform[0]))


def _sentence(name: str, shares: list[HardShares]) -> str:
    n, grew = len(shares), sum(share.weight[-1] > share.weight[0] for share in shares)
    above = sum(gain(share) > 0 for share in shares)
    steps = np.mean([np.mean(np.diff(share.weight) > 0) for share in shares])
    return (
        f"{name}: from round 1 to {N_ROUNDS} the hardest tenth gained weight with {grew} of {n} seeds and "
        f"was drawn more often, against the control, with {above} (sign test: p = {sign_p(above, n):.2g}); "
        f"the weight grew in {100 * steps:.0f} % of the steps"
    )


def sign_p(successes: int, n: int) -> float:
    """Return the probability of so many successes or more in fair tosses."""
    from scipy.stats import binomtest

    return float(binomtest(successes, n, alternative="greater").pvalue)


def draw_weights(sheet: Sheet, path: Path) -> None:
    """Draw one panel for each data set: means over the seeds."""
    panels = []
    records = sheet.records()
    for name in dict.fromkeys(record["data"] for record in records):
        rows = [record for record in records if record["data"] == name]
        x = [row["round"] for row in rows]
        series = [
            Series(label, x, [row[f"{label} mean"] for row in rows], style) for label, style in STYLES.items()
        ]
        panels.append(Panel(name, "round", "share of the hardest tenth", series, zero_line=True))
    draw_panels(path, "Weight of the points that are hard to cluster", panels)
