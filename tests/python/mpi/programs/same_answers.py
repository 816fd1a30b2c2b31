"""Checks that public functions answer alike on every rank, for any seed: python same_answers.py WHAT..."""

import hashlib
import sys

import numpy as np

import intarsia
from intarsia import (
    Ensemble,
    choose_k,
    combine,
    combine_all,
    combine_full,
    load_demo,
    metrics,
)
from intarsia.base.runs import base_runs, best_of_runs
from intarsia.consensus import cut_evidence, refine
from intarsia.executor import SerialExecutor, make_executor

X = np.ascontiguousarray(load_demo("iris").X[::3])
EXECUTOR = make_executor(1)
RANK = EXECUTOR.rank


def members(soft):
    options = {"k": (2, 4), "random_state": 0, "executor": SerialExecutor()}
    return Ensemble.generate(X, "gmm" if soft else "kmeans", 6, soft=soft, **options)


def width(points, chosen):
    return float(np.ptp(points[chosen], axis=0).sum())


HARD, SOFT = members(soft=False), members(soft=True)

MULTI = {
    "n_resamples": 3,
    "n_init": 2,
    "algorithms": {
        "kmeans": {"n_clusters": range(2, 4)},
        "single-link": {"n_clusters": [2, 5]},
        "spectral": {"n_clusters": [3], "sigma": [0.5]},
    },
}
ESTIMATORS = {
    "kmeans": ("KMeans", {"n_clusters": 3, "n_init": 3}),
    "hk-means": ("HKMeans", {"n_clusters": 3, "n_init": 3}),
    "random-swap": ("RandomSwap", {"n_clusters": 3, "n_swaps": 20}),
    "j-means": ("JMeans", {"n_clusters": 3}),
    "vns": ("VNS", {"n_clusters": 3, "n_swaps": 5}),
    "gmm": ("GaussianMixture", {"n_components": 3, "n_init": 3}),
    "fcm": ("FuzzyCMeans", {"n_clusters": 3, "n_init": 3}),
    "examce": ("Examce", {"n_clusters": 3, "effort": "paper", "n_base_runs": 6}),
    "pmedian": ("Examce", {"n_clusters": 3, "criterion": "pmedian", "effort": "fast", "n_base_runs": 4}),
    "entropy": ("Examce", {"n_clusters": 3, "criterion": "entropy", "effort": "fast", "n_base_runs": 4}),
    "bic": ("Examce", {"n_clusters": (1, 5), "criterion": "bic", "effort": "fast", "n_base_runs": 4}),
    "bic-none": ("Examce", {"n_clusters": None, "criterion": "bic", "effort": "fast", "n_base_runs": 4}),
    "own-cost": ("Examce", {"n_clusters": 3, "criterion": width, "effort": "paper", "n_base_runs": 2}),
    "boosting": ("BoostClustering", {"n_clusters": 3, "max_rounds": 4}),
    "bagging": ("BaggingClustering", {"n_clusters": 3, "n_rounds": 4}),
    "multi": ("MultiobjectiveClustering", {"n_clusters": 3, **MULTI}),
    "multi-none": ("MultiobjectiveClustering", {"n_clusters": None, **MULTI}),
    "consensus": ("ConsensusClustering", {"n_clusters": 3, "n_members": 6, "method": "qmi"}),
    "consensus-none": (
        "ConsensusClustering",
        {"n_clusters": None, "n_members": 6, "method": "kmodes", "k": 4},
    ),
}


def fitted(what, seed, **who):
    kind, params = ESTIMATORS[what]
    return getattr(intarsia, kind)(**params, random_state=seed, **who).fit(X).labels_


FUNCTIONS = {
    "generate": lambda seed, **who: Ensemble.generate(X, "gmm", 6, random_state=seed, **who).labels,
    "generate-foreign": lambda seed, **who: (
        Ensemble.generate(X, intarsia.KMeans(n_init=2), 6, select=3, random_state=seed, **who).labels
    ),
    "choose_k": lambda seed, **who: choose_k(HARD, "itk", random_state=seed, **who).consensus.labels,
    "all": lambda seed, **who: combine_all(HARD, 3, random_state=seed, **who).table(),
    "all-none": lambda seed, **who: combine_all(HARD, None, random_state=seed, **who).table(),
    "full": lambda seed, **who: combine_full(HARD, 3, "itk", random_state=seed, **who).labels,
    "refine": lambda seed, **who: combine(HARD, 3, "vote", refine=True, random_state=seed, **who),
    "spectral": lambda seed, **who: combine(HARD, 3, "hbgf", solver="spectral", random_state=seed, **who),
    "stable": lambda seed, **who: stable(seed, **without_threads(who)),
    "predict": lambda seed, **who: (
        intarsia.ConsensusClustering(3, n_members=6, random_state=seed, **who).fit(X).predict(X + 0.1)
    ),
}

#: Those that every rank computes for itself: they have no executor, and may have no seed.
ALONE = {
    "pac": lambda seed: metrics.pac(HARD, n_pairs=99, random_state=seed),
    "cdf": lambda seed: metrics.consensus_cdf(HARD, n_pairs=99, random_state=seed)[1],
    "connectivity": lambda seed: metrics.connectivity(X, HARD[0], n_pairs=20, random_state=seed),
    "single-link": lambda seed: intarsia.SingleLink(3).fit(X).labels_,
    "x-means": lambda seed: intarsia.XMeans(5, random_state=seed, n_threads=1).fit(X).labels_,
    "spectral-clustering": lambda seed: intarsia.Spectral(3, random_state=seed).fit(X).labels_,
}

#: Those that have an executor and no seed, or only a number.
SEEDLESS = {
    "evidence": lambda **who: cut_evidence(HARD, 0.5, **who).labels,
    "refined": lambda **who: refine(HARD, HARD[0], **who).labels,
    "pairwise": lambda **who: metrics.pairwise(HARD, **without_threads(who)),
    "diversity": lambda **who: metrics.diversity(HARD, **without_threads(who)),
    "runs": lambda **who: base_runs(X, "kmeans", 3, n_runs=4, **everybody(who))[3].labels,
    "best-run": lambda **who: best_of_runs(X, "kmeans", 3, n_runs=4, **everybody(who)).fit.labels,
}


def without_threads(who):
    return {name: value for name, value in who.items() if name != "n_threads"}


def everybody(who):
    return {"executor": EXECUTOR, **without_threads(who)}


def stable(seed, **who):
    from intarsia import BoostClustering  # here: most programs need no scikit-learn
    from intarsia.boosting import most_stable

    model = BoostClustering(3, max_rounds=3, random_state=seed, n_threads=1)
    return [score.agreement for score in most_stable(model, X, (2, 3), n_repeats=2, **who)[1]]


def answer(what, seed, **who):
    if what in ALONE:
        return ALONE[what](seed)
    if what in SEEDLESS:
        return SEEDLESS[what](**who)
    if what in ESTIMATORS:
        return fitted(what, seed, **who)
    if what in FUNCTIONS:
        return FUNCTIONS[what](seed, **who)
    method, k = what.removesuffix("-none"), None if what.endswith("-none") else 3
    ensemble = SOFT if method in ("scspa", "shbgf", "smcla") else HARD
    return combine(ensemble, k, method, random_state=seed, **who)


def check(what):
    seeds = {
        "given": lambda: 5,
        "none": lambda: None,
        "generator": lambda: np.random.default_rng(RANK),
        "state": lambda: np.random.RandomState(RANK),
    }
    for kind, seed in seeds.items():
        found = answer(what, seed(), n_threads=1)
        prints = EXECUTOR.gather(hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest())
        assert len(set(prints)) == 1, f"{what}, seed {kind}: ranks differ"
        if kind == "given":
            np.testing.assert_array_equal(found, answer(what, 5, executor=SerialExecutor()), what)


for word in sys.argv[1:]:
    check(word)
if RANK == 0:
    print("same")
