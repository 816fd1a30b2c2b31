"""A user's own script in which one rank is lost: python lost_rank.py HOW RANK."""

import os
import sys

if sys.argv[1] == "gone before anything" and os.environ["PMI_RANK"] == sys.argv[2]:
    sys.exit()

import numpy as np

from intarsia import Examce
from intarsia.launch import launched_rank

HOW, LOST = sys.argv[1], int(sys.argv[2])
X = np.random.default_rng(0).normal(size=(200, 2))


def leave_when(stage, done, total, cost):
    """A callback that ends one rank in the middle of a fit."""
    if HOW == "leaves inside" and launched_rank() == LOST:
        sys.exit(3)


class Leaving:
    """A base clusterer that ends one rank in the middle of a task."""

    def get_params(self, deep=True):
        return {}

    def fit_predict(self, X):
        if launched_rank() == LOST:
            sys.exit(3)
        return np.arange(len(X)) % 3


if launched_rank() == LOST and HOW == "raises before":
    raise KeyError("only here")
if launched_rank() == LOST and HOW == "leaves before":
    sys.exit(3)
base = Leaving() if HOW == "leaves a task" else "kmeans"
Examce(3, n_base_runs=20, base=base, random_state=0, callback=leave_when).fit(X)
if launched_rank() == LOST and HOW == "leaves between":
    sys.exit(3)
Examce(4, n_base_runs=20, random_state=0).fit(X)
