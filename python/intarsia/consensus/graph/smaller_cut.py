"""A cut of a small dense graph made smaller by moving and swapping single vertices."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from intarsia.arrays import Floats, Labels

#: Beyond this many vertices the dense graph and the steps take too long.
MAX_VERTICES = 1_024
_ROUNDING = 1e-9  # a gain below this share of the heaviest edge is none


def smaller_cut(graph: Floats, parts: Labels, k: int) -> Labels:
    """Return parts of which no single move and no swap of two vertices makes the cut smaller.

    Parameters
    ----------
    graph : array of shape (n, n)
        Edge weights >= 0, symmetric, zero on the diagonal.
    parts : int array of shape (n,)
        Where to start; no part becomes empty, nor larger than the largest one of these (or an even share).
    k : int
        Number of parts.
    """
    found = parts.copy()
    limit = max(-(-len(found) // k), int(np.bincount(found, minlength=k).max()))
    ties: Floats = graph @ np.eye(k)[found]
    least = _ROUNDING * float(graph.max(initial=0.0))
    while True:
        moves = _move_gains(ties, found, limit)
        vertex, part = divmod(int(moves.argmax()), k)
        swap = _best_swap(graph, ties, found, k, more_than=max(least, float(moves[vertex, part])))
        if swap is not None:
            one, other = swap
            there = int(found[other])
            _move(graph, ties, found, other, int(found[one]))
            _move(graph, ties, found, one, there)
        elif moves[vertex, part] > least:
            _move(graph, ties, found, vertex, part)
        else:
            return found


def _move_gains(ties: Floats, parts: Labels, limit: int) -> Floats:
    """Return how much smaller the cut becomes when a vertex goes to a part, -inf where it may not."""
    vertices, sizes = np.arange(len(parts)), np.bincount(parts, minlength=ties.shape[1])
    gains = ties - ties[vertices, parts][:, None]
    gains[:, sizes >= limit] = -np.inf
    gains[sizes[parts] == 1] = -np.inf
    gains[vertices, parts] = -np.inf
    return gains


def _best_swap(
    graph: Floats, ties: Floats, parts: Labels, k: int, more_than: float
) -> tuple[int, int] | None:
    """Return the two vertices whose change of places makes the cut smallest, if it gains more than that."""
    one_way = ties - ties[np.arange(len(parts)), parts][:, None]
    members = [np.flatnonzero(parts == part) for part in range(k)]
    most = np.array([one_way[vertices].max(axis=0, initial=-np.inf) for vertices in members])
    found, best = None, more_than
    for a, b in combinations(range(k), 2):
        if most[a, b] + most[b, a] <= best:
            continue  # even without an edge between them: most pairs of parts end here
        ours, theirs = members[a], members[b]
        gains = one_way[ours, b][:, None] + one_way[theirs, a] - 2.0 * graph[np.ix_(ours, theirs)]
        row, column = divmod(int(gains.argmax()), len(theirs))
        if gains[row, column] > best:
            found, best = (int(ours[row]), int(theirs[column])), float(gains[row, column])
    return found


def _move(graph: Floats, ties: Floats, parts: Labels, vertex: int, part: int) -> None:
    ties[:, parts[vertex]] -= graph[:, vertex]
    ties[:, part] += graph[:, vertex]
    parts[vertex] = part
