"""`Ensemble`: several clusterings of the same points, validated once, then never changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble.canonical import canonical_order, distinct_rows, renumbered_members
from intarsia.ensemble.hard import encode_members
from intarsia.ensemble.soft import indicator_matrix, join_memberships, most_likely
from intarsia.executor import Executor
from intarsia.validation import check_count

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Several clusterings of the same points; made by `from_labels`, `from_memberships`, `load`, `generate`.

    Attributes
    ----------
    labels : int32 array of shape (n_samples, n_members)
        Label of each point in each member, -1 where missing; the most likely cluster of a soft member.
    n_classes : int array of shape (n_members,)
        Number of clusters of each member.
    memberships : float64 array of shape (n_samples, sum(n_classes)) or None
        Soft members side by side; all zero where a member does not know a point. None for hard members.
    member_weights : float64 array of shape (n_members,)
        Positive, with mean 1.
    point_weights : float64 array of shape (n_samples,)
        How many points each row stands for: ones, or counts after `merged`.
    """

    labels: Labels
    n_classes: Ids
    memberships: Floats | None
    member_weights: Floats
    point_weights: Floats

    def __post_init__(self) -> None:
        for array in (self.labels, self.n_classes, self.memberships, self.member_weights, self.point_weights):
            if array is not None:
                array.setflags(write=False)
        unknown = ~(self.labels >= 0).any(axis=1)
        if unknown.any():
            raise ValueError(
                f"point {int(np.argmax(unknown))} is missing in every member: it needs one label at least."
            )

    @classmethod
    def from_labels(
        cls, labels: ArrayLike | Sequence[ArrayLike], member_weights: ArrayLike | None = None
    ) -> Ensemble:
        """Return an ensemble of hard clusterings.

        Parameters
        ----------
        labels : list of label vectors, or array of shape (n_samples, n_members)
            Labels are whole numbers or text; -1, NaN, None and empty text mean missing. A list or tuple holds
            one vector per member, an array one member per column.
        member_weights : array of shape (n_members,), optional
            Positive; scaled to mean 1.
        """
        codes, n_classes = encode_members(labels)
        weights = check_member_weights(member_weights, codes.shape[1])
        return cls(codes, n_classes, None, weights, np.ones(len(codes)))

    @classmethod
    def from_memberships(
        cls, memberships: Sequence[ArrayLike], member_weights: ArrayLike | None = None
    ) -> Ensemble:
        """Return an ensemble of soft clusterings.

        Parameters
        ----------
        memberships : list of arrays of shape (n_samples, n_classes of the member)
            Rows are >= 0 and sum to 1; a row of zeros or NaN is missing.
        member_weights : array of shape (n_members,), optional
            Positive; scaled to mean 1.
        """
        joined, labels, n_classes = join_memberships(memberships)
        weights = check_member_weights(member_weights, labels.shape[1])
        return cls(labels, n_classes, joined, weights, np.ones(len(labels)))

    @classmethod
    def load(cls, *paths: str | os.PathLike[str]) -> Ensemble:
        """Read an ensemble from NPZ, CSV or Parquet; several files give their members to one ensemble.

        One row per point. Hard: one column per member. Soft: columns named `member:cluster`, the clusters of
        a member side by side. An NPZ file holds `labels`, or `memberships` with `n_classes`, maybe weights.
        """
        if not paths:
            raise TypeError("at least one file is needed.")
        loaded: Ensemble = _user("ensemble.files", "load_ensemble")(paths)
        return loaded

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ensemble as NPZ (with its weights), CSV or Parquet (without), by the path's suffix."""
        _user("ensemble.files", "save_ensemble")(path, self)

    @classmethod
    def generate(
        cls,
        X: ArrayLike,
        base: Any = "kmeans",
        n_members: int = 20,
        k: Any = None,
        *,
        features: int | float | None = None,
        projection: int | None = None,
        hyperplanes: int | None = None,
        bootstrap: bool = False,
        subsample: int | float | None = None,
        soft: bool = False,
        select: int | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
        executor: Executor | None = None,
        on_done: Callable[[int], None] | None = None,
    ) -> Ensemble:
        """Cluster the points many times, each time seeing something else of them.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The points.
        base : str, clusterer, or a list of such
            What makes a member: a name among `intarsia.base.registry.BASES` or a scikit-learn clusterer; the
            members take those of a list in turn. "gmm" is EM from a k-means run, "gmm-random" from random
            points, which makes members differ more.
        n_members : int
            How many to make.
        k : int or (least, most)
            Clusters of a member, drawn anew for each; by default from 2 to sqrt(n_samples), at most 20.
        features : int or float, optional
            Random features a member sees: how many, or which share (vertical partitions).
        projection : int, optional
            Random directions a member sees; 1 projects to a line.
        hyperplanes : int, optional
            Cut the points by so many random hyperplanes instead of clustering them.
        bootstrap : bool
            Cluster a sample with replacement; points not drawn are labelled too where the base can predict.
        subsample : int or float, optional
            Cluster so many (or this share) of the points; the others are missing (horizontal partitions).
        soft : bool
            Keep memberships instead of labels.
        select : int, optional
            Keep so many members, those nearest to the median diversity.
        random_state : int, RandomState, Generator or None
            Member q is a function of q, X and this seed alone.
        n_threads, executor
            Who computes.
        on_done : callable, optional
            Called with the number of members made.
        """
        made = _user("ensemble.generate", "generate_members")(
            X,
            base,
            n_members,
            k,
            features=features,
            projection=projection,
            hyperplanes=hyperplanes,
            bootstrap=bootstrap,
            subsample=subsample,
            soft=soft,
            select=select,
            random_state=random_state,
            n_threads=n_threads,
            executor=executor,
            on_done=on_done,
        )
        ensemble: Ensemble = made.ensemble
        return ensemble

    def __repr__(self) -> str:
        low, high = int(self.n_classes.min()), int(self.n_classes.max())
        clusters = f"{low}" if low == high else f"{low} to {high}"
        kind = "soft" if self.is_soft else "hard"
        return f"Ensemble({self.n_members} {kind} members, {self.n_samples} points, {clusters} clusters)"

    def __len__(self) -> int:
        """Return the number of members."""
        return self.n_members

    def __getitem__(self, member: int | slice | Sequence[int] | Ids) -> Any:
        """Return the labels of one member, or the ensemble of several."""
        if isinstance(member, int | np.integer):
            if not -self.n_members <= member < self.n_members:
                raise IndexError(f"no member {member}; there are {self.n_members}, counted from 0.")
            return self.labels[:, member]
        chosen = np.arange(self.n_members)[member]
        if not len(chosen):
            raise IndexError("an ensemble needs at least one member.")
        return self.subset(chosen)

    def __iter__(self) -> Iterator[Labels]:
        """Go over the labels of the members."""
        return (self.labels[:, q] for q in range(self.n_members))

    def select(self, n_members: int) -> Ensemble:
        """Return the members whose mean diversity (1 - NMI with the others) is nearest to the median."""
        return self.subset(self.nearest_to_median(n_members))

    def nearest_to_median(self, n_members: int) -> Ids:
        """Return which members `select` would keep."""
        if check_count("n_members", n_members) > self.n_members:
            raise ValueError(f"n_members={n_members} should be at most {self.n_members}, all there are.")
        chosen: Ids = _user("metrics.ensembles", "members_of_median_diversity")(self, n_members)
        return chosen

    def subset(self, members: Ids, points: NDArray[np.bool_] | None = None) -> Ensemble:
        """Return some of the members, for those of the points that are marked (all of them by default)."""
        columns = np.concatenate([np.arange(self.offsets[q], self.offsets[q + 1]) for q in members])
        rows = np.ones(self.n_samples, dtype=bool) if points is None else points
        soft = None if self.memberships is None else np.ascontiguousarray(self.memberships[rows][:, columns])
        weights = self.member_weights[members]
        return Ensemble(
            np.ascontiguousarray(self.labels[rows][:, members]),
            self.n_classes[members],
            soft,
            weights / weights.mean(),
            self.point_weights[rows],
        )

    @property
    def n_samples(self) -> int:
        """Number of points (of distinct rows after `merged`)."""
        return int(self.labels.shape[0])

    @property
    def n_members(self) -> int:
        """Number of clusterings."""
        return int(self.labels.shape[1])

    @property
    def is_soft(self) -> bool:
        """Whether the members are soft."""
        return self.memberships is not None

    @cached_property
    def offsets(self) -> Ids:
        """First indicator column of each member, and the number of columns at the end."""
        return np.concatenate([[0], np.cumsum(self.n_classes)]).astype(np.int64)

    def block(self, member: int) -> NDArray[Any]:
        """Return the memberships of one soft member (a view)."""
        if self.memberships is None:
            raise ValueError("a hard ensemble has no memberships; use labels.")
        return self.memberships[:, self.offsets[member] : self.offsets[member + 1]]

    def canonical(self) -> Ensemble:
        """Return the same ensemble whatever its labels were called and its members' order was.

        Clusters of a member are numbered by first appearance (soft ones in the descending lexicographic order
        of their columns, which is the same thing for hard ones); members are sorted by content.
        """
        return self.canonical_form()[0]

    def canonical_form(self) -> tuple[Ensemble, Ids]:
        """Return `canonical`, and for each of its indicator columns the original column."""
        orders, members = canonical_order(self.labels, self.offsets, self.memberships, self.member_weights)
        columns = np.concatenate([self.offsets[q] + orders[q] for q in members])
        n_classes = self.n_classes[members]
        if self.memberships is None:
            joined, labels = None, renumbered_members(self.labels, orders, members)
        else:
            joined = np.ascontiguousarray(self.memberships[:, columns])
            labels = most_likely(joined, n_classes)
        weights = self.member_weights[members]
        return replace(
            self, labels=labels, n_classes=n_classes, memberships=joined, member_weights=weights
        ), columns

    def merged(self) -> tuple[Ensemble, Ids]:
        """Return the distinct rows with their total point weights, and for each point its row.

        Exact for consensus functions that treat equal rows alike. Those that balance their parts (`cspa`,
        `hbgf`, `hgpa` and soft forms) may tear equal points apart: they get all points where these are few.
        The rows are in order of first appearance; ``n_samples / merged.n_samples`` is the reduction.
        """
        kept, rows = distinct_rows(self.labels, self.n_classes, self.memberships)
        joined = None if self.memberships is None else self.memberships[kept]
        weights = np.bincount(rows, weights=self.point_weights, minlength=len(kept)).astype(np.float64)
        return replace(self, labels=self.labels[kept], memberships=joined, point_weights=weights), rows

    def indicator(self) -> sparse.csr_array:
        """Return the sparse matrix H (hard: one 1 per known label) or S (soft: the memberships)."""
        return indicator_matrix(self.labels, self.offsets, self.memberships)


def check_member_weights(member_weights: ArrayLike | None, n_members: int) -> Floats:
    """Return positive weights of mean 1."""
    if member_weights is None:
        return np.ones(n_members)
    weights = np.array(member_weights, dtype=np.float64)
    if weights.shape != (n_members,):
        raise ValueError(f"member_weights.shape={weights.shape} should be ({n_members},).")
    bad = ~(np.isfinite(weights) & (weights > 0))
    if bad.any():
        at = int(np.argmax(bad))
        raise ValueError(f"member_weights[{at}]={weights[at]:g} should be finite and > 0.")
    scaled: Floats = weights / weights.mean()
    return scaled


def _user(module: str, name: str) -> Callable[..., Any]:
    """Return a function that works with ensembles, found when called: a value imports none of its users."""
    function: Callable[..., Any] = getattr(import_module(f"intarsia.{module}"), name)
    return function
