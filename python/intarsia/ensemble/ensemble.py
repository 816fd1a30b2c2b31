"""`Ensemble`: several clusterings of the same points, validated once, then never changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from intarsia.arrays import Floats, Ids, Labels
from intarsia.ensemble import canonical as _canonical
from intarsia.ensemble.hard import encode_members
from intarsia.ensemble.indicator import indicator_matrix
from intarsia.ensemble.soft import join_memberships
from intarsia.ensemble.weights import check_member_weights


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
