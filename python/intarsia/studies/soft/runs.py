"""Scores of every method on every ensemble: EM members over random features, combined soft and hardened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from intarsia._core import Stage
from intarsia.arrays import Floats, Labels
from intarsia.consensus import AS_PRINTED, combine
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor
from intarsia.metrics import normalized_mutual_information, purity
from intarsia.streams import generator
from intarsia.studies.common import read_by_rank_zero
from intarsia.studies.soft.data import points_of
from intarsia.studies.soft.published import DATA_SETS, NOT_ON
from intarsia.studies.soft.settings import Case, SoftStudySettings

#: The paper's names: ours. Methods of the first group get the hardened ensemble.
HARD = {"CSPA": "cspa", "MCLA": "mcla", "HBGF": "hbgf", "MixMns": "mixmns"}
SOFT = {"sCSPA": "scspa", "sMCLA": "smcla", "sHBGF": "shbgf", "ITK": "itk"}
MEASURES = {"NMI": normalized_mutual_information, "CVC": purity}
OnDone = Callable[..., None]
#: Every method in two forms: as its authors print it, with nothing added, and with the defaults of intarsia.
FORMS = ("as printed", "intarsia")
#: An ensemble, a method to score on it, and in which form.
ScoreTask = tuple[Case, str, str]


@dataclass(frozen=True)
class Scored:
    """An ensemble and its scores: by form, by measure, then by method, averages over the runs."""

    case: Case
    scores: Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True, eq=False)
class MemberPools:
    """What the ensembles of one data set are drawn from: clusterings, by the features they saw."""

    by_features: Mapping[int, Ensemble]
    classes: Labels
    settings: SoftStudySettings


def score_tasks(cases: Sequence[Case]) -> list[ScoreTask]:
    """Return every method on every ensemble: tasks this small keep all workers busy to the end."""
    return [
        (case, name, form)
        for case in cases
        for name in (*HARD, *SOFT)
        if name not in NOT_ON.get(case.data, ())
        for form in FORMS
    ]


def run_cases(
    cases: Sequence[Case], settings: SoftStudySettings, executor: Executor, on_done: OnDone
) -> list[Scored]:
    """Score every method on every ensemble, in the order of the cases."""
    scored: list[Scored] = []
    for name, group in groupby(cases, key=lambda case: case.data):
        of_data = list(group)
        tasks = sorted(score_tasks(of_data), key=lambda task: -task[0].n_members)  # the longest first
        pools = member_pools(name, of_data, settings, executor)
        scored += _by_case(of_data, tasks, executor.map(score_method, tasks, pools, on_done))
    return scored


def score_method(task: ScoreTask, pools: MemberPools) -> dict[str, float]:
    """Return the score of one method on one ensemble by each measure."""
    case, name, form = task
    method = {**HARD, **SOFT}[name]
    return score_options(case, method, AS_PRINTED[method] if form == "as printed" else {}, pools)


def score_options(
    case: Case, method: str, options: Mapping[str, Any], pools: MemberPools
) -> dict[str, float]:
    """Return the score of a consensus function with these options by each measure."""
    soft = draw(pools.by_features[case.n_features], case, pools.settings.seed)
    runs = _answers(soft, method, options, case, pools.settings)
    return {measure: _mean(score, pools.classes, runs) for measure, score in MEASURES.items()}


def draw(pool: Ensemble, case: Case, seed: int) -> Ensemble:
    """Return a random choice of the clusterings of a pool, another one for each number of a setting."""
    rng = generator(seed, Stage.STUDY_DRAWS, case.n_features, case.n_members)
    chosen: list[tuple[int, ...]] = []
    while len(chosen) <= case.number:
        found = tuple(sorted(rng.choice(pool.n_members, case.n_members, replace=False).tolist()))
        if found not in chosen:
            chosen.append(found)
    return Ensemble.from_memberships([pool.block(q) for q in chosen[-1]])


def _by_case(
    cases: Sequence[Case], tasks: Sequence[ScoreTask], scores: Sequence[Mapping[str, float]]
) -> list[Scored]:
    found: dict[Case, dict[str, dict[str, dict[str, float]]]] = {
        case: {form: {measure: {} for measure in MEASURES} for form in FORMS} for case in cases
    }
    for (case, name, form), of_method in zip(tasks, scores, strict=True):
        for measure, score in of_method.items():
            found[case][form][measure][name] = score
    return [Scored(case, of_case) for case, of_case in found.items()]


def member_pools(
    name: str, cases: Sequence[Case], settings: SoftStudySettings, executor: Executor
) -> MemberPools:
    """Return the pools that the ensembles of a data set are drawn from."""
    points = read_by_rank_zero(executor, lambda: points_of(name, settings.data_dir))
    seen = dict.fromkeys(case.n_features for case in cases)
    by_features = {n: _pool(points.X, name, n, settings, executor) for n in seen}
    return MemberPools(by_features, np.asarray(points.labels), settings)


def _pool(X: Floats, name: str, n_features: int, settings: SoftStudySettings, executor: Executor) -> Ensemble:
    data = DATA_SETS[name]
    return Ensemble.generate(
        X,
        base="gmm-random",
        n_members=data.pool_size,
        k=data.n_classes,
        features=n_features,
        soft=True,
        random_state=settings.seed * 1_000 + n_features,
        executor=executor,
    )


def _answers(
    soft: Ensemble, method: str, options: Mapping[str, Any], case: Case, settings: SoftStudySettings
) -> list[Labels]:
    k = DATA_SETS[case.data].n_classes
    hard = replace(soft, memberships=None)
    if hard.merged()[0].n_samples < k:
        return [np.zeros(soft.n_samples, dtype=np.int32)]  # too few hard rows for some: 0 for all methods
    ensemble = hard if method in HARD.values() else soft
    seeds = (settings.seed * 1_000 + run for run in range(settings.n_runs))
    return [combine(ensemble, k, method, random_state=seed, n_threads=1, **options) for seed in seeds]


def _mean(score: Callable[..., float], classes: Labels, runs: Sequence[Labels]) -> float:
    return float(np.mean([score(classes, labels) for labels in runs]))
