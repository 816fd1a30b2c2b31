"""One run of the study: a split, every method on its training points, their scores on its test points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from intarsia.arrays import Floats, Labels
from intarsia.base.protocol import BaseFit
from intarsia.base.registry import base_clusterer
from intarsia.base.runs import best_run
from intarsia.boosting.estimator import BaggingClustering, BoostClustering
from intarsia.metrics import connectivity, isolation, robust_z
from intarsia.studies.boosting.data import ClassedPoints, Split, split_points
from intarsia.studies.boosting.published import BAG, DATA, ENTROPY, MINMAX, SINGLE, ZTable
from intarsia.studies.boosting.settings import BoostingStudySettings

BOOSTS = (MINMAX, ENTROPY)


class Case(NamedTuple):
    """One configuration: data, how its features are scaled, clusters, which split."""

    data: str
    features: str
    n_clusters: int
    split: int


@dataclass(frozen=True)
class TableData:
    """What the runs of a table share."""

    table: ZTable
    points: Mapping[str, ClassedPoints]
    settings: BoostingStudySettings


@dataclass(frozen=True)
class Scores:
    """Isolation and connectivity of each method on the test points, and the rounds of the ensembles."""

    isolation: Mapping[str, float]
    connectivity: Mapping[str, float]
    rounds: Mapping[str, int]

    def z(self) -> dict[str, float]:
        """Return the sum of the robust Z-scores over the methods."""
        names = list(self.isolation)
        sums = robust_z([self.isolation[m] for m in names]) + robust_z([self.connectivity[m] for m in names])
        return dict(zip(names, sums.tolist(), strict=True))


def cases_of(table: ZTable, settings: BoostingStudySettings) -> list[Case]:
    """Return the configurations of a table: tasks that ranks share."""
    rows, splits = settings.rows(table), range(settings.n_splits)
    return [Case(data, f, k, s) for data, k in rows for f in settings.features for s in splits]


def run_case(case: Case, shared: TableData) -> Scores:
    """Run every method of a table on one split."""
    settings, table = shared.settings, shared.table
    X, n_train = shared.points[case.data].X, DATA[case.data].n_train
    points = split_points(X, n_train, case.features, settings.seed, case.split)
    labels, rounds = _labels(points, table, case, settings)
    pairs: dict[str, Any] = {"n_pairs": settings.n_pairs, "random_state": case.split, "n_threads": 1}
    return Scores(
        {method: isolation(points.test, found, n_threads=1) for method, found in labels.items()},
        {method: connectivity(points.test, found, **pairs) for method, found in labels.items()},
        rounds,
    )


def best_single(X: Floats, base: str, n_clusters: int, n_runs: int, seed: int) -> BaseFit:
    """Return the run of lowest error on the points it was made of."""
    clusterer = base_clusterer(base)
    return best_run([clusterer.fit(X, n_clusters, seed=seed, task=task) for task in range(n_runs)])


def boosted(X: Floats, base: str, n_clusters: int, quality: str, seed: int) -> BoostClustering:
    """Return boost-clustering as the paper has it."""
    model = BoostClustering(n_clusters, base=base, quality=quality, random_state=seed, n_threads=1)
    model.fit(X)
    return model


def _labels(
    points: Split, table: ZTable, case: Case, settings: BoostingStudySettings
) -> tuple[dict[str, Labels], dict[str, int]]:
    seed, k = settings.seed + case.split, case.n_clusters
    single = best_single(points.train, table.base, k, settings.n_single, seed)
    labels, rounds = {SINGLE: single.label(points.test)}, {}
    for quality in BOOSTS:
        model = boosted(points.train, table.base, k, quality, seed)
        labels[quality], rounds[quality] = model.predict(points.test), model.n_rounds_
    if BAG in table.methods:  # as many rounds as boosting with the same index made
        bag = BaggingClustering(k, base=table.base, n_rounds=rounds[MINMAX], random_state=seed, n_threads=1)
        labels[BAG], rounds[BAG] = bag.fit(points.train).predict(points.test), rounds[MINMAX]
    return {method: np.asarray(found) for method, found in labels.items()}, rounds
