"""`Ensemble`: several clusterings of the same points, validated once, then never changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import check_array

from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import canonical as _canonical
from intarsia.ensemble.hard import encode_members
from intarsia.ensemble.indicator import indicator_matrix
from intarsia.ensemble.soft import join_memberships
from intarsia.ensemble.weights import check_member_weights
from intarsia.executor import Executor, make_executor
from intarsia.validation import check_count, seed_from


@dataclass(frozen=True, eq=False)
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
        from intarsia.ensemble.files import load_ensemble

        if not paths:
            raise TypeError("at least one file is needed.")
        return load_ensemble(paths)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ensemble as NPZ (with its weights), CSV or Parquet (without), by the path's suffix."""
        from intarsia.ensemble.files import save_ensemble

        save_ensemble(path, self)

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
        base : {"kmeans", "hk-means", "gmm", "fcm"} or scikit-learn clusterer
            What makes a member.
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
        from intarsia.ensemble.generation.generate import generate_ensemble
        from intarsia.ensemble.generation.settings import member_settings

        points = np.ascontiguousarray(check_array(X, dtype=np.float64))
        settings = member_settings(
            points.shape,
            base=base,
            k=k,
            features=features,
            projection=projection,
            hyperplanes=hyperplanes,
            bootstrap=bootstrap,
            subsample=subsample,
            soft=soft,
        )
        check_count("n_members", n_members)
        if select is not None and check_count("select", select) > n_members:
            raise ValueError(f"select={select} should be at most n_members={n_members}.")
        return generate_ensemble(
            points,
            settings,
            n_members=n_members,
            select=select,
            seed=seed_from(random_state),
            executor=executor or make_executor(n_threads),
            on_done=on_done,
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
        return _canonical.canonical_form(self)[0]

    def merged(self) -> tuple[Ensemble, Ids]:
        """Return the distinct rows with their total point weights, and for each point its row.

        Exact: no consensus function of this package tells points with equal rows apart. The rows are in
        order of first appearance; ``n_samples / merged.n_samples`` is the reduction.
        """
        return _canonical.merge_rows(self)

    def indicator(self) -> sparse.csr_array:
        """Return the sparse matrix H (hard: one 1 per known label) or S (soft: the memberships)."""
        return indicator_matrix(self.labels, self.offsets, self.memberships)
