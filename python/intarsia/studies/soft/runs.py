"""Scores of every method on every ensemble: EM members over random features, combined soft and hardened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from intarsia.arrays import Floats, Labels
from intarsia.consensus import combine
from intarsia.ensemble import Ensemble
from intarsia.executor import Executor, make_executor
from intarsia.metrics import normalized_mutual_information, purity
from intarsia.studies.published.soft import DATA_SETS, NOT_ON
from intarsia.studies.soft.data import points_of
from intarsia.studies.soft.plan import Case, Plan

#: The paper's names: ours. Methods of the first group get the hardened ensemble.
HARD = {"CSPA": "cspa", "MCLA": "mcla", "HBGF": "hbgf", "MixMns": "mixmns"}
SOFT = {"sCSPA": "scspa", "sMCLA": "smcla", "sHBGF": "shbgf", "ITK": "itk"}
MEASURES = {"NMI": normalized_mutual_information, "CVC": purity}
_DRAW = 6  # second word of the key: keeps these draws apart from those of the members
OnDone = Callable[..., None]


@dataclass(frozen=True)
class Scored:
    """An ensemble and its scores: by measure, then by method, averages over the runs."""

    case: Case
    scores: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Bench:
    """What the ensembles of one data set and feature number share."""

    pool: Ensemble
    classes: Labels
    plan: Plan


def run_cases(cases: Sequence[Case], plan: Plan, on_done: OnDone) -> list[Scored]:
    """Score every method on every ensemble, in the order of the cases."""
    executor = make_executor(plan.n_threads)
    scored: list[Scored] = []
    for name, of_data in groupby(cases, key=lambda case: case.data):
        points = points_of(name, plan.data_dir)
        for n_features, group in groupby(of_data, key=lambda case: case.n_features):
            pool = _pool(points.X, name, n_features, plan, executor)
            bench = Bench(pool, np.asarray(points.labels), plan)
            scored += executor.map(run_case, list(group), bench, on_done)
    return scored


def run_case(case: Case, bench: Bench) -> Scored:
    """Score every method on one ensemble."""
    soft = draw(bench.pool, case, bench.plan.seed)
    hard = replace(soft, memberships=None)
    left_out = NOT_ON.get(case.data, ())
    labels = {
        name: _answers(hard if name in HARD else soft, method, case, bench.plan)
        for name, method in {**HARD, **SOFT}.items()
        if name not in left_out
    }
    return Scored(
        case,
        {
            measure: {name: _mean(score, bench.classes, runs) for name, runs in labels.items()}
            for measure, score in MEASURES.items()
        },
    )


def draw(pool: Ensemble, case: Case, seed: int) -> Ensemble:
    """Return a random choice of the clusterings of a pool."""
    key = np.random.Philox(key=[seed, _DRAW], counter=[0, case.n_features, case.n_members, case.number])
    chosen = np.random.Generator(key).choice(pool.n_members, case.n_members, replace=False)
    return Ensemble.from_memberships([pool.block(int(q)) for q in np.sort(chosen)])


def _pool(X: Floats, name: str, n_features: int, plan: Plan, executor: Executor) -> Ensemble:
    data = DATA_SETS[name]
    return Ensemble.generate(
        X,
        base="gmm",
        n_members=data.pool_size,
        k=data.n_classes,
        features=n_features,
        soft=True,
        random_state=plan.seed * 1_000 + n_features,
        executor=executor,
    )


def _answers(ensemble: Ensemble, method: str, case: Case, plan: Plan) -> list[Labels]:
    k = DATA_SETS[case.data].n_classes
    if ensemble.merged()[0].n_samples < k:
        return [np.zeros(ensemble.n_samples, dtype=np.int32)]  # what cannot be told apart scores 0
    seeds = (plan.seed * 1_000 + run for run in range(plan.n_runs))
    return [combine(ensemble, k, method, random_state=seed, n_threads=1) for seed in seeds]


def _mean(score: Callable[..., float], classes: Labels, runs: Sequence[Labels]) -> float:
    return float(np.mean([score(classes, labels) for labels in runs]))
