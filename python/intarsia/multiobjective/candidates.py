"""The candidate clusters of all algorithms, each set of points once, with the best goodness it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels, Members
from intarsia.multiobjective.algorithms import Instance
from intarsia.multiobjective.goodness import n_labels


@dataclass(frozen=True, eq=False)
class Candidate:
    """A cluster that some algorithm found.

    Attributes
    ----------
    members : int32 array
        Its points, ascending.
    instance : Instance
        Who found it.
    family, place, label : int
        Its number among the labels of a partition of a family.
    goodness : float
        How stable it is.
    """

    members: Members
    instance: Instance
    family: int
    place: int
    label: int
    goodness: float


def candidates_of(
    partitions: Sequence[tuple[int, int, Instance, Labels]], goodness: Sequence[Floats], min_size: int
) -> list[Candidate]:
    """Return the clusters of at least `min_size` points, equal sets of points once: the best of them.

    Parameters
    ----------
    partitions : sequence of (family, place, instance, labels)
        What the algorithms found in all points.
    goodness : sequence of arrays
        For each partition the goodness of its clusters.
    min_size : int
        Least points of a candidate.
    """
    best: dict[bytes, Candidate] = {}
    for (family, place, instance, labels), values in zip(partitions, goodness, strict=True):
        for label in range(n_labels(labels)):
            members = np.flatnonzero(labels == label).astype(np.int32)
            if len(members) < min_size:
                continue
            made = Candidate(members, instance, family, place, label, float(values[label]))
            key = members.tobytes()
            if key not in best or made.goodness > best[key].goodness:
                best[key] = made
    return list(best.values())


@dataclass(frozen=True, eq=False)
class SelectionData:
    """Candidates as the selection sees them.

    Attributes
    ----------
    goodness : float64 array of shape (n_candidates,)
    overlap : float64 array of shape (n_candidates, n_candidates)
        Shared points over those of the smaller (or larger) one; zero on the diagonal.
    offsets, members : arrays
        The patterns of each candidate, in compressed rows.
    n_points : float64 array of shape (n_patterns,)
        Points of each pattern: of those that lie in the same candidates.
    """

    goodness: Floats
    overlap: Floats
    offsets: Ids
    members: Members
    n_points: Floats

    @classmethod
    def of(cls, candidates: Sequence[Candidate], n: int, rule: str, n_threads: int) -> SelectionData:
        """Measure the candidates among n points."""
        rows = [candidate.members for candidate in candidates]
        return cls.of_rows(rows, np.array([one.goodness for one in candidates]), n, rule, n_threads)

    @classmethod
    def of_rows(
        cls, rows: Sequence[Members], goodness: Floats, n: int, rule: str, n_threads: int
    ) -> SelectionData:
        """Measure overlaps of sets of points and merge points that lie in the same of them."""
        offsets, members = _compressed(rows)
        shared = _core.shared_points(offsets, members, n, n_threads).astype(np.float64)
        patterns = _core.membership_patterns(offsets, members, n)
        counts = np.bincount(patterns).astype(np.float64)
        return cls(
            goodness, _overlap(shared, rule), *_compressed([np.unique(patterns[row]) for row in rows]), counts
        )

    def __len__(self) -> int:
        return len(self.goodness)

    def problem(self, overlap_cost: float, uncovered_cost: float, by_mean: bool) -> _core.Selection:
        """Return the problem for the search in C++."""
        data = (self.goodness, self.overlap, self.offsets, self.members, self.n_points)
        return _core.Selection(*data, overlap_cost, uncovered_cost, by_mean)


def _compressed(rows: Sequence[Members]) -> tuple[Ids, Members]:
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return offsets, np.concatenate(rows).astype(np.int32)


def _overlap(shared: Floats, rule: str) -> Floats:
    sizes = np.diag(shared)
    of_two = (np.minimum if rule == "min" else np.maximum)(sizes, sizes[:, None])
    overlap: Floats = shared / of_two
    np.fill_diagonal(overlap, 0.0)
    return np.ascontiguousarray(overlap)
