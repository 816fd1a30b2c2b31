"""What every base clusterer can do, and what one fit of it gives."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Labels, Points


@dataclass(frozen=True, eq=False)
class BaseFit:
    """One clustering of some points, and the way to label others.

    Attributes
    ----------
    labels : int32 array of shape (n_samples,)
        From 0; -1 marks points that the clusterer left out. The cluster's number is its row of `centers` and
        its column of `memberships`.
    centers : float64 array of shape (n_clusters, n_features) or None
        Where the clusterer has them.
    cost : float or None
        What the clusterer makes small, where it is one number: the smaller, the better.
    n_iter : int
        Iterations, 0 where it does not say.
    """

    labels: Labels
    centers: Floats | None = None
    cost: float | None = None
    n_iter: int = 0

    def label(self, X: Points, n_threads: int = 1) -> Labels:
        """Return the clusters of any points: those of the nearest centres."""
        if self.centers is None:
            raise ValueError("clusters without centres cannot tell whose a new point is.")
        return _core.assign_to_centres(X, None, self.centers, n_threads)[0]

    def memberships(self, X: Points, n_threads: int = 1) -> Floats:
        """Return how much any points belong to each cluster; rows sum to 1. Soft clusterers only."""
        raise ValueError("a hard clustering has no memberships; use labels.")

    def summary(self) -> BaseFit:
        """Return what is light enough to be kept of many fits: no model, no points."""
        return BaseFit(self.labels, self.centers, self.cost, self.n_iter)


@dataclass(frozen=True, eq=False)
class NearestFit(BaseFit):
    """Clusters that new points share with the nearest of the points clustered."""

    points: Points | None = None

    def label(self, X: Points, n_threads: int = 1) -> Labels:
        """Return the label of the nearest point."""
        from intarsia.neighbours import Neighbours  # here: clusterers with centres do without

        known, new = (np.ascontiguousarray(points, dtype=np.float64) for points in (self.points, X))
        return np.asarray(self.labels[Neighbours(known, n_threads).nearest(1, new)[0][:, 0]])


class BaseClusterer(Protocol):
    """A way to cluster points; settings are its attributes, data and randomness come with `fit`."""

    @property
    def takes_weights(self) -> bool:
        """Whether `fit` heeds weights; where it does not, all points count the same."""
        ...

    @property
    def is_soft(self) -> bool:
        """Whether its fits have memberships."""
        ...

    @property
    def predicts(self) -> bool:
        """Whether it labels new points in a way of its own, not by their nearest neighbours alone."""
        ...

    def fit(
        self,
        X: Points,
        n_clusters: int,
        *,
        weights: Floats | None = None,
        seed: int = 0,
        task: int = 0,
        n_threads: int = 1,
        seconds: float = inf,
    ) -> BaseFit:
        """Cluster points: a pure function of its arguments, except `n_threads`, while no clock ends it.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Finite points, float64 or float32 in C order; nobody writes into them.
        n_clusters : int
            At most the number of distinct points; a clusterer that finds it itself may ignore it.
        weights : float64 array of shape (n_samples,), optional
            Weights >= 0; None: all one.
        seed, task : int
            The name of the random stream: another task, another start.
        n_threads : int
            Threads inside.
        seconds : float
            After so many a clusterer that can gives what it has so far, at least one pass over the points.
        """
        ...


def one_seed(seed: int, task: int | None) -> int:
    """Return a stream's name as one number, all that estimators take; without a task the seed itself."""
    return seed if task is None else (seed * 100_003 + task) % 2**31
