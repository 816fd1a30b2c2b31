"""Size limits when there is no time for a flow: points beyond them move to the nearest mean with room."""

from __future__ import annotations

import numpy as np

from intarsia import _core
from intarsia.arrays import Floats, Ids, Labels
from intarsia.examce.criteria.protocol import Data

_ROUNDS = 4  # after these the few that are left go wherever there is room
_VALUES = 2**15  # whose differences are looked at together: they fit into a cache


def move_to_room(data: Data, labels: Labels, means: Floats) -> Labels:
    """Return labels within the size limits: those farthest from their means leave, and clusters fill up."""
    kept, k = labels.copy(), len(means)
    own = _squared_to(data.X, means, labels)
    rank = _ranks(labels, own)
    leaves = rank >= data.sizes.most
    lacking = int(np.maximum(0, data.sizes.least - np.bincount(labels, minlength=k)).sum())
    spare = np.flatnonzero((rank >= data.sizes.least) & ~leaves)
    n_more = max(0, lacking - int(leaves.sum()))
    leaves[spare[np.argsort(-own[spare], kind="stable")[:n_more]]] = True
    kept[leaves] = -1
    for size in (data.sizes.least, data.sizes.most):
        _fill(data, kept, means, size)
    return kept


def _fill(data: Data, labels: Labels, means: Floats, size: int) -> None:
    """Let points of no cluster enter clusters that are smaller: where they are nearest, nearest first."""
    room = np.maximum(0, size - np.bincount(labels[labels >= 0], minlength=len(means)))
    rest = np.flatnonzero(labels < 0)
    X = data.X[rest]
    for _ in range(_ROUNDS):
        with_room = np.flatnonzero(room)
        if len(rest) == 0 or len(with_room) == 0:
            return
        nearest = _core.assign_to_centres(X, None, means[with_room], data.n_threads)[0]
        wanted = with_room[nearest].astype(np.int32)
        enters = _ranks(wanted, _squared_to(X, means, wanted)) < room[wanted]
        labels[rest[enters]] = wanted[enters]
        room -= np.bincount(wanted[enters], minlength=len(means))
        rest, X = rest[~enters], X[~enters]
    anywhere = np.repeat(np.arange(len(means), dtype=np.int32), room)[: len(rest)]
    labels[rest[: len(anywhere)]] = anywhere


def _squared_to(X: Floats, means: Floats, labels: Labels) -> Floats:
    """Return the squared distance of each point to the mean that its label names."""
    squares, step = np.empty(len(X)), max(1, _VALUES // X.shape[1])
    for begin in range(0, len(X), step):
        rows = slice(begin, begin + step)
        away = X[rows] - means[labels[rows]]
        squares[rows] = np.einsum("ij,ij->i", away, away)
    return squares


def _ranks(labels: Labels, distances: Floats) -> Ids:
    """Return for each point how many of its cluster are nearer, or as near and before it."""
    order = np.lexsort((distances, labels))
    sizes = np.bincount(labels)
    ranks = np.empty(len(labels), dtype=np.int64)
    ranks[order] = np.arange(len(labels)) - (np.cumsum(sizes) - sizes)[labels[order]]
    return ranks
