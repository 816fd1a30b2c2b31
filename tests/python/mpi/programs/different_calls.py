"""Ranks that do not call alike: python different_calls.py WHAT; rank 0 prints what each of them hears."""

import sys

import numpy as np

from intarsia import (
    ConsensusClustering,
    Ensemble,
    Examce,
    FuzzyCMeans,
    GaussianMixture,
    KMeans,
    choose_k,
    combine,
)
from intarsia.executor import make_executor

X = np.random.default_rng(0).normal(size=(60, 2))
LABELS = np.random.default_rng(1).integers(3, size=(60, 5))
EXECUTOR = make_executor(1)
RANK = EXECUTOR.rank


def other_data():
    moved = X.copy()
    moved[RANK, 0] += RANK
    return moved


CALLS = {
    "k": lambda: KMeans(3 + RANK, n_init=4, random_state=0).fit(X),
    "n_init": lambda: KMeans(3, n_init=4 + 6 * RANK, random_state=0).fit(X),
    "data": lambda: GaussianMixture(3, random_state=0).fit(other_data()),
    "examce": lambda: Examce(3, effort="paper", random_state=0).fit(other_data()),
    "seed": lambda: FuzzyCMeans(3, random_state=RANK).fit(X),
    "seed or none": lambda: ConsensusClustering(3, random_state=RANK or None).fit(X),
    "members": lambda: Ensemble.generate(X, n_members=5 + RANK, random_state=0),
    "method": lambda: combine(LABELS, 3, ("qmi", "itk")[RANK % 2], random_state=0),
    "method and k": lambda: combine(LABELS, (3, None)[RANK % 2], "qmi", random_state=0),
    "option": lambda: combine(LABELS, 3, "qmi", n_init=3 + RANK, random_state=0),
    "labels": lambda: combine((LABELS + (LABELS == RANK)).clip(0, 2), 3, "kmodes", random_state=0),
    "function": lambda: choose_k(LABELS, "qmi") if RANK else combine(LABELS, 3, "qmi"),
}

heard = "nothing"
try:
    CALLS[sys.argv[1]]()
except ValueError as error:
    heard = str(error)
every = EXECUTOR.gather(heard)
if RANK == 0:
    print(*every, sep="\n")
