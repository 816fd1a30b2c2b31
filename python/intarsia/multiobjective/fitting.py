"""Multiobjective clustering from points to labels, as a plain class: it does not wait for scikit-learn."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import signature
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from intarsia._core import Stage
from intarsia.arrays import Floats, Labels, Points
from intarsia.executor import Executor, executor_for_runs, resolve_threads, use_executor
from intarsia.executor.choose import agreed_seed, check_same_fit
from intarsia.multiobjective.algorithms import Algorithms, Family, Instance, default_algorithms, families_of
from intarsia.multiobjective.candidates import Candidate, SelectionData, candidates_of
from intarsia.multiobjective.checkpoint import Checkpoint
from intarsia.multiobjective.chosen import (
    ChosenCluster,
    assigned,
    best_clusters,
    by_first_point,
    centres,
    memberships,
)
from intarsia.multiobjective.goodness import Partitions, Resampling, Work, cluster_everybody, n_labels
from intarsia.multiobjective.search import SEARCHES, SearchSettings, choose
from intarsia.multiobjective.stability import Stability, run_resamples
from intarsia.streams import generator
from intarsia.validation import (
    check_count,
    check_distinct,
    check_n_clusters,
    check_option,
    check_points,
    check_positive,
    check_spread,
    check_tol,
)

OVERLAPS = ("min", "max")
_SHARE = 0.02  # of all points: smaller clusters are no candidates by default
_OF_A_CLUSTER = 0.25  # and those below this part of an even cluster are

Callback = Callable[[str, int, int, float], None]

Self = TypeVar("Self", bound="MultiobjectiveFit")


class MultiobjectiveFit:
    """What `MultiobjectiveClustering` is asked, and how it comes to its answer."""

    _labellers: dict[tuple[int, int], Any]
    _centres: Floats

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        algorithms: Algorithms | None = None,
        search: str = "auto",
        assign: bool = False,
        overlap_cost: float = 0.4,
        uncovered_cost: float = 5.0,
        overlap: str = "min",
        min_size: float | None = None,
        n_resamples: int = 50,
        subsample: float = 0.9,
        replace: bool = False,
        first_guess: int | None = None,
        max_clusters: int | None = None,
        n_init: int = 5,
        n_starts: int = 2000,
        max_nodes: int | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
        callback: Callback | None = None,
        checkpoint: str | PathLike[str] | None = None,
        checkpoint_every: float = 60.0,
        resume: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.algorithms = algorithms
        self.search = search
        self.assign = assign
        self.overlap_cost = overlap_cost
        self.uncovered_cost = uncovered_cost
        self.overlap = overlap
        self.min_size = min_size
        self.n_resamples = n_resamples
        self.subsample = subsample
        self.replace = replace
        self.first_guess = first_guess
        self.max_clusters = max_clusters
        self.n_init = n_init
        self.n_starts = n_starts
        self.max_nodes = max_nodes
        self.random_state = random_state
        self.n_threads = n_threads
        self.executor = executor
        self.callback = callback
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return what was asked, by name."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def fit(self: Self, X: ArrayLike, y: object = None) -> Self:
        """Cluster the points.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points, float64 or float32.
        y : ignored
        """
        points = self._validate(X, reset=True)
        executor = use_executor(self.executor, self.n_threads)
        check_same_fit(executor, self, X=points)
        self._check(points)
        seed = agreed_seed(self.random_state, executor)
        asked = default_algorithms(points, self.n_clusters) if self.algorithms is None else self.algorithms
        families = families_of(asked, int(self.n_init), self._resampling().size(len(points)))
        who, inside = executor_for_runs(len(families) * int(self.n_resamples), executor=executor)
        work = self._clustered(Work(points, families, self._resampling(), seed, inside), who)
        self._pool = self._candidates(work, self._resampled(work, who))
        self._work = work
        return self._choose()

    def _validate(self, X: ArrayLike, reset: bool) -> Points:
        return check_points(X)

    def _check(self, points: Points) -> None:
        self._check_number(len(points))
        if self.n_clusters is not None:
            check_distinct(points, None, int(self.n_clusters))
        check_option("search", self.search, SEARCHES)
        check_option("overlap", self.overlap, OVERLAPS)
        for name in ("overlap_cost", "uncovered_cost"):
            if not isfinite(check_tol(getattr(self, name), name)):
                raise ValueError(f"{name}={getattr(self, name)} should be finite.")
        for name in ("n_resamples", "n_init", "n_starts"):
            check_count(name, getattr(self, name))
        if self.max_nodes is not None:
            check_count("max_nodes", self.max_nodes)
        if not 0 < check_positive("subsample", self.subsample) <= 1:
            raise ValueError(f"subsample={self.subsample} should be above 0 and at most 1.")
        check_positive("checkpoint_every", self.checkpoint_every)
        if self.resume and self.checkpoint is None:
            raise ValueError("resume=True needs a checkpoint folder.")
        self._least_size(len(points))
        check_spread(points, None)

    def _check_number(self, n: int) -> None:
        if self.n_clusters is not None:
            check_n_clusters(self.n_clusters, n)
        for name in ("first_guess", "max_clusters"):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name))

    def _least_size(self, n: int) -> int:
        if self.min_size is None:
            share = _SHARE if self.n_clusters is None else min(_SHARE, _OF_A_CLUSTER / self.n_clusters)
            return max(1, int(np.ceil(share * n)))
        if isinstance(self.min_size, float):
            if not 0 <= self.min_size < 1:
                raise ValueError(
                    f"min_size={self.min_size} should be a share from 0 to 1, or a whole number."
                )
            return max(1, int(np.ceil(self.min_size * n)))
        return check_count("min_size", self.min_size)

    def _resampling(self) -> Resampling:
        return Resampling(int(self.n_resamples), float(self.subsample), bool(self.replace))

    def _clustered(self, work: Work, executor: Executor) -> Work:
        """Cluster all points by every family; those that fail are left out."""
        n = len(work.families)
        found = executor.map(cluster_everybody, range(n), work, self._tell("clusterings", n))
        kept = [f for f, one in enumerate(found) if one.labels is not None]
        self._warn_of_failures(work.families, found)
        if not kept:
            raise ValueError(f"every algorithm failed, the first with {found[0].failures[-1]}")
        self._attempts = [len(found[f].failures) for f in kept]
        self.n_failures_ = sum(self._attempts)
        references = [found[f].labels or [] for f in kept]
        return replace(work, families=[work.families[f] for f in kept], references=references)

    def _warn_of_failures(self, families: Sequence[Family], found: Sequence[Partitions]) -> None:
        for family, one in zip(families, found, strict=True):
            if one.labels is None:
                warnings.warn(
                    f"{family.text} always failed and is left out: {one.failures[-1]}", stacklevel=4
                )

    def _resampled(self, work: Work, executor: Executor) -> Stability:
        tell = self._tell("resamples", len(work.families) * work.resampling.n_resamples)
        self._checkpoint = self._make_checkpoint(work)
        stability = run_resamples(work, executor, tell, self._checkpoint)
        self._checkpoint = None
        self.n_failures_ += stability.n_failures
        return stability

    def _make_checkpoint(self, work: Work) -> Checkpoint | None:
        if self.checkpoint is None:
            return None
        identity = {
            "data": hashlib.sha256(work.X.tobytes()).hexdigest(),
            "seed": work.seed,
            "algorithms": [family.identity() for family in work.families],
            "n_init": int(self.n_init),
            "resampling": vars(work.resampling),
        }
        return Checkpoint(Path(self.checkpoint), float(self.checkpoint_every), bool(self.resume), identity)

    def save_checkpoint(self) -> bool:
        """Write what a running fit has done, if it keeps any; another thread may ask for it."""
        checkpoint = getattr(self, "_checkpoint", None)
        return checkpoint is not None and checkpoint.save()

    def _candidates(self, work: Work, stability: Stability) -> list[Candidate]:
        partitions, goodness = [], []
        for f, (family, means) in enumerate(zip(work.families, stability.means, strict=True)):
            if means is None:
                warnings.warn(f"{family.text} failed on every resample and is left out.", stacklevel=3)
                continue
            references = work.references[f]
            ends = np.cumsum([n_labels(labels) for labels in references])
            goodness += np.split(means, ends)[:-1]
            for place, (instance, labels) in enumerate(zip(family.instances(), references, strict=True)):
                partitions.append((f, place, instance, labels))
        if not partitions:
            raise ValueError("every algorithm failed on every resample: give others, or a larger subsample.")
        least = self._least_size(len(work.X))
        self._typical = _typical_count(partitions, least)
        candidates = candidates_of(partitions, goodness, least)
        self.n_candidates_ = len(candidates)
        return candidates

    def selection_data(self) -> SelectionData:
        """Return the candidates as the selection sees them: goodness, overlaps, points."""
        return SelectionData.of(self._pool, len(self._work.X), self.overlap, resolve_threads(self.n_threads))

    def _choose(self: Self) -> Self:
        work, candidates = self._work, self._pool
        self._refuse_too_few(len(candidates))
        seed = int(generator(work.seed, Stage.SELECTION).integers(2**63))
        threads = resolve_threads(self.n_threads)
        choice = choose(self.selection_data(), self._search_settings(), seed, threads)
        self.objective_, self.lower_bound_ = choice.objective, choice.lower_bound
        self.proven_, self.hill_objective_ = choice.is_proved, choice.hill_objective
        self._keep(by_first_point([candidates[c] for c in choice.chosen]))
        self._tell("choice", 1)(1)
        return self

    def _refuse_too_few(self, n_candidates: int) -> None:
        least = self._least_size(len(self._work.X))
        size = f"at least {least} point{'' if least == 1 else 's'}"
        if n_candidates == 0:
            raise ValueError(f"no cluster found has {size}: give more algorithms or a smaller min_size.")
        if self.n_clusters is not None and n_candidates < self.n_clusters:
            raise ValueError(
                f"n_clusters={self.n_clusters} should be <= {n_candidates}, the number of different "
                f"candidates of {size}: give more algorithms or a smaller min_size."
            )

    def _keep(self, chosen: list[Candidate]) -> None:
        X = self._work.X
        self._chosen, self._labellers = chosen, {}
        self.clusters_ = [ChosenCluster.of(candidate) for candidate in chosen]
        self.n_clusters_ = len(chosen)
        self._goodness: Floats = np.array([candidate.goodness for candidate in chosen])
        inside = memberships([candidate.members for candidate in chosen], len(X))
        labels = best_clusters(inside, self._goodness)
        self.unassigned_ = np.flatnonzero(~inside.any(axis=1))
        self.conflicting_ = np.flatnonzero(inside.sum(axis=1) > 1)
        self._centres = centres(X, labels, self.n_clusters_)
        self.labels_ = assigned(X, labels, self._centres) if self.assign else labels

    def _search_settings(self) -> SearchSettings:
        guess = self.first_guess or self._typical
        return SearchSettings(
            None if self.n_clusters is None else int(self.n_clusters),
            self.search,
            float(self.overlap_cost),
            float(self.uncovered_cost),
            int(guess),
            int(self.max_clusters or max(10, 2 * guess)),
            int(self.n_starts),
            self.max_nodes,
        )

    def _tell(self, stage: str, total: int) -> Callable[[int], None]:
        def tell(n_done: int) -> None:
            if self.callback is not None:
                self.callback(stage, n_done, total, getattr(self, "objective_", np.inf))

        return tell


def _typical_count(partitions: Sequence[tuple[int, int, Instance, Labels]], least: int) -> int:
    """Return the median number of clusters that are large enough."""
    counts = [int((np.bincount(labels[labels >= 0]) >= least).sum()) for *_, labels in partitions]
    return max(1, int(np.median(counts)))
