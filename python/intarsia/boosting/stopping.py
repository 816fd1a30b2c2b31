"""Pseudoloss to beta, and when to stop: the two rules of the paper."""

from __future__ import annotations

from math import log
from typing import NamedTuple

#: A smaller pseudoloss counts as this: beta is then 1e10, and weights stay finite.
LEAST_EPSILON = 1e-10
#: Rounds in a row below the largest pseudoloss so far that end the boosting.
PATIENCE = 3

ABOVE_HALF = "pseudoloss above one half"
NO_LONGER_GROWS = f"pseudoloss below its largest value {PATIENCE} rounds running"
ALL_ROUNDS = "all rounds done"
BASE_FAILED = "the base clusterer failed"
ONE_CLUSTER = "one cluster: nothing to boost"


class Beta(NamedTuple):
    """A round's beta and its logarithm."""

    value: float
    log: float


def beta_of(epsilon: float) -> Beta:
    """Return (1 - epsilon) / epsilon and its logarithm, both finite."""
    capped = max(epsilon, LEAST_EPSILON)
    if capped >= 1:  # only an index above 1 can do that; such a round is never used
        return Beta(0.0, float("-inf"))
    beta = (1 - capped) / capped
    return Beta(beta, log(beta))


class StopRule:
    """Looks at the pseudoloss of one round after another and says why to stop, if it is time to."""

    def __init__(self) -> None:
        self._largest = 0.0
        self._below = 0

    def reason(self, epsilon: float) -> str | None:
        """Take the next pseudoloss in."""
        if epsilon > 0.5:
            return ABOVE_HALF
        if epsilon < self._largest:
            self._below += 1
            return NO_LONGER_GROWS if self._below == PATIENCE else None
        self._below, self._largest = 0, epsilon
        return None
