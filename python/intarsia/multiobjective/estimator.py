"""Multiobjective clustering as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from intarsia.arrays import Labels, Points
from intarsia.executor import resolve_threads
from intarsia.multiobjective.algorithms import Instance
from intarsia.multiobjective.chosen import assigned, best_clusters
from intarsia.multiobjective.fitting import MultiobjectiveFit
from intarsia.multiobjective.goodness import base_seed


class MultiobjectiveClustering(ClusterMixin, BaseEstimator, MultiobjectiveFit):  # type: ignore[misc]
    """The best clusters of several algorithms, each the most stable one for its part of the points.

    Every algorithm, with every combination of its parameters, proposes clusters. A cluster is as good as it
    is found again when its algorithm clusters resamples of the points (mean normalised mutual information).
    Those clusters are chosen that are good, overlap little and leave few points out (Law, Topchy and Jain,
    2004).

    Parameters
    ----------
    n_clusters : int or None
        How many clusters to choose; None leaves it free.
    algorithms : mapping or sequence of (clusterer, grid), optional
        Names among `intarsia.base.registry.BASES` or scikit-learn clusterers, each with a grid: names of
        parameters and the values that each takes, `n_clusters` among them. By default k-means, EM, single
        link and spectral clustering with parameters that fit the points.
    search : {"auto", "hill", "exact"}
        Hill climbing; with a proof by branch and bound; "auto" gives the proof up when it takes long.
    assign : bool
        Give points of no chosen cluster to that with the nearest mean.
    overlap_cost, uncovered_cost : float
        Gamma 1, for each ordered pair times the share of its points that it has in common; gamma 2, times
        the share of points in no chosen cluster. Divided by `first_guess` where `n_clusters` is None.
    overlap : {"min", "max"}
        Whether shared points are counted in the smaller or in the larger cluster of a pair.
    min_size : int or float, optional
        Least points of a candidate, or their share; by default 2 %, with more than twelve clusters a quarter
        of an even one.
    n_resamples, subsample, replace
        How many resamples, which share of the points each draws, and whether with replacement.
    first_guess : int, optional
        A rough number of clusters where it is free; by default the median number of candidates that an
        algorithm proposes.
    max_clusters : int, optional
        Most clusters where their number is free; by default twice the first guess, at least 10.
    n_init : int
        Starts of k-means and EM, of which the best counts.
    n_starts : int
        Starts of hill climbing.
    max_nodes : int, optional
        Nodes of branch and bound for each number of clusters.
    random_state : int, RandomState, Generator or None
        Seed of everything.
    n_threads : int or None
        Threads; None asks ``SLURM_CPUS_PER_TASK``, ``OMP_NUM_THREADS``, then takes all processors.
    executor : Executor, optional
        Who computes; the result does not depend on it.
    callback : callable, optional
        Called with the stage, steps done, steps in all, and the objective so far.
    checkpoint : path, optional
        Folder that keeps the resamples that are done.
    checkpoint_every : float
        Seconds between two writes.
    resume : bool
        Go on from what the folder has.

    Attributes
    ----------
    labels_ : int32 array of shape (n_samples,)
        -1 for points of no cluster, unless `assign`; points of several go to the best of them.
    clusters_ : list of ChosenCluster
        Members, algorithm, parameters, goodness and size of every chosen cluster.
    unassigned_, conflicting_ : int64 arrays
        Points in none of them, and in several.
    objective_, lower_bound_ : float
        What the choice costs, and what any choice costs at least (minus infinity after hill climbing alone).
    proven_ : bool
        Whether no choice is better by more than a millionth.
    n_candidates_ : int
        Different clusters to choose from.
    n_failures_ : int
        Fits that failed and were tried again with other points and starts.
    n_clusters_ : int
        Clusters chosen.
    """

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        return np.ascontiguousarray(validate_data(self, X, reset=reset, dtype=np.float64, order="C"))

    def predict(self, X: ArrayLike) -> Labels:
        """Return the clusters of new points: each algorithm that has a chosen cluster says who is in it."""
        check_is_fitted(self)
        points = self._validate(X, reset=False)
        threads = resolve_threads(self.n_threads)
        if not self._labellers:  # not before somebody asks: most never do
            self._labellers.update(self._fitted_again(threads))
        found = {place: fit.label(points, threads) for place, fit in self._labellers.items()}
        inside = np.column_stack([found[c.family, c.place] == c.label for c in self._chosen])
        labels = best_clusters(inside, self._goodness)
        return assigned(points, labels, self._centres) if self.assign else labels

    def partitions(self) -> list[tuple[Instance, Labels]]:
        """Return every algorithm with its parameters, and what it found in all points."""
        check_is_fitted(self)
        families = zip(self._work.families, self._work.references, strict=True)
        return [pair for family, labels in families for pair in zip(family.instances(), labels, strict=True)]

    def choose_again(
        self, n_clusters: int | None = None, first_guess: int | None = None
    ) -> MultiobjectiveClustering:
        """Choose among the same candidates with another number of clusters; nothing is clustered again."""
        check_is_fitted(self)
        asked = self.n_clusters, self.first_guess
        self.n_clusters, self.first_guess = n_clusters, first_guess
        try:
            self._check_number(len(self.labels_))
            return self._choose()
        except (TypeError, ValueError):
            self.n_clusters, self.first_guess = asked  # what is there is still the answer to these
            raise

    def _fitted_again(self, n_threads: int) -> dict[tuple[int, int], Any]:
        """Return what labels new points, for each partition that has a chosen cluster."""
        work, made = self._work, {}
        for f, place in dict.fromkeys((c.family, c.place) for c in self._chosen):
            family, labels = work.families[f], work.references[f][place]
            seed = base_seed(work.seed, family, 0, self._attempts[f])
            made[f, place] = family.labeller(work.X, place, labels, seed, n_threads)
        return made
