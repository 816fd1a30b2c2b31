"""Single moves between clusters of which only costs are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from intarsia.arrays import Ids, Labels
from intarsia.examce.cover.problem import CountRange
from intarsia.examce.criteria.protocol import SizeLimits, count_clusters

if TYPE_CHECKING:
    from intarsia.examce.criteria.by_cost import ByCost

_ROUNDING = 1e-12  # of the costs that are compared: a smaller gain may be none


def never() -> bool:
    """Say that there is time."""
    return False


class CostMoves:
    """A partition under single moves: clusters may become empty and be opened again meanwhile."""

    def __init__(self, criterion: ByCost, labels: Labels) -> None:
        self._criterion = criterion
        self._labels = labels.copy()
        self._clusters = [np.flatnonzero(labels == c) for c in range(count_clusters(labels))]

    def labels_now(self) -> Labels:
        """Return the partition, numbered without gaps."""
        return np.unique(self._labels, return_inverse=True)[1].astype(np.int32)

    def improve(self, counts: CountRange, sizes: SizeLimits, is_late: Callable[[], bool]) -> Labels:
        """Visit the points in turn and move each to its best cluster until a pass moves none."""
        moved = True
        while moved and not is_late():
            moved = False
            for point in range(len(self._labels)):
                target = self._best_target(point, counts, sizes)
                if target is not None:
                    self._move(point, target)
                    moved = True
        return self.labels_now()

    def close(self, cluster: int) -> None:
        """Let the members of a cluster join the nearest others, one after the other."""
        for point in self._clusters[cluster]:
            others = [c for c in self._filled() if c != cluster]
            distances = [self._distance(int(point), c) for c in others]
            self._move(int(point), others[int(np.argmin(distances))])

    def open(self, point: int) -> None:
        """Let a point be a cluster of its own."""
        self._move(point, self._empty_cluster())

    def keep_sizes(self, sizes: SizeLimits) -> None:
        """Fill clusters that are too small, then thin those that are too large, by the cheapest moves."""
        while (small := [c for c in self._filled() if self._size(c) < sizes.least]) != []:
            givers = [c for c in self._filled() if self._size(c) > sizes.least]
            self._move(*self._cheapest(givers, small[:1]))
        while (large := [c for c in self._filled() if self._size(c) > sizes.most]) != []:
            self._move(*self._cheapest(large[:1], [c for c in self._filled() if self._size(c) < sizes.most]))

    def _cheapest(self, givers: list[int], takers: list[int]) -> tuple[int, int]:
        moves = [(int(point), c) for giver in givers for point in self._clusters[giver] for c in takers]
        changes = [self._distance(i, c) - self._distance(i, int(self._labels[i])) for i, c in moves]
        return moves[int(np.argmin(changes))]

    def _best_target(self, point: int, counts: CountRange, sizes: SizeLimits) -> int | None:
        home = int(self._labels[point])
        targets = self._targets(home, counts, sizes)
        if not targets:
            return None
        here = self._distance(point, home)
        distances = [self._distance(point, c) for c in targets]
        best = int(np.argmin(distances))
        gain, added = here - distances[best], self._magnitude(home) + self._magnitude(targets[best])
        return targets[best] if gain > _ROUNDING * (added + abs(here) + abs(distances[best])) else None

    def _targets(self, home: int, counts: CountRange, sizes: SizeLimits) -> list[int]:
        filled, alone = self._filled(), self._size(home) == 1
        if alone and len(filled) - 1 not in counts:
            return []
        if not alone and self._size(home) <= sizes.least:
            return []
        targets = [c for c in filled if c != home and self._size(c) < sizes.most]
        if not alone and sizes.least <= 1 and len(filled) + 1 in counts:
            targets.append(self._empty_cluster())
        return targets

    def _distance(self, point: int, cluster: int) -> float:
        return self._criterion.distance_to(self._clusters[cluster], point)

    def _magnitude(self, cluster: int) -> float:
        return abs(self._criterion.cost_of(self._clusters[cluster]))

    def _filled(self) -> list[int]:
        return [c for c, members in enumerate(self._clusters) if len(members)]

    def _size(self, cluster: int) -> int:
        return len(self._clusters[cluster])

    def _empty_cluster(self) -> int:
        for c, members in enumerate(self._clusters):
            if len(members) == 0:
                return c
        self._clusters.append(np.empty(0, dtype=np.int64))
        return len(self._clusters) - 1

    def _move(self, point: int, target: int) -> None:
        home = int(self._labels[point])
        self._clusters[home] = without(self._clusters[home], point)
        self._clusters[target] = joined(self._clusters[target], point)
        self._labels[point] = target


def is_among(members: Ids, point: int) -> bool:
    """Whether a point is one of the ascending members."""
    place = members.searchsorted(point)
    return bool(place < len(members) and members[place] == point)


def joined(members: Ids, point: int) -> Ids:
    """Return ascending members with one more."""
    place = members.searchsorted(point)
    return np.concatenate((members[:place], [point], members[place:]))


def without(members: Ids, point: int) -> Ids:
    """Return ascending members without one of them."""
    place = members.searchsorted(point)
    return np.concatenate((members[:place], members[place + 1 :]))
