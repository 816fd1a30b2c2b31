"""A cut of a small dense graph made smaller by moving and swapping single vertices."""

from __future__ import annotations

import numpy as np

from intarsia.arrays import Floats, Labels

#: Beyond this many vertices a step, which looks at every pair, takes too long.
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
        moves, swaps = _move_gains(ties, found, limit), _swap_gains(graph, ties, found)
        vertex, part = divmod(int(moves.argmax()), k)
        one, other = divmod(int(swaps.argmax()), len(found))
        if max(moves[vertex, part], swaps[one, other]) <= least:
            return found
        if moves[vertex, part] >= swaps[one, other]:
            _move(graph, ties, found, vertex, part)
        else:
            there = int(found[other])
            _move(graph, ties, found, other, int(found[one]))
            _move(graph, ties, found, one, there)


def _move_gains(ties: Floats, parts: Labels, limit: int) -> Floats:
    """Return how much smaller the cut becomes when a vertex goes to a part, -inf where it may not."""
    vertices, sizes = np.arange(len(parts)), np.bincount(parts, minlength=ties.shape[1])
    gains = ties - ties[vertices, parts][:, None]
    gains[:, sizes >= limit] = -np.inf
    gains[sizes[parts] == 1] = -np.inf
    gains[vertices, parts] = -np.inf
    return gains


def _swap_gains(graph: Floats, ties: Floats, parts: Labels) -> Floats:
    """Return how much smaller the cut becomes when two vertices change places."""
    one_way = ties[:, parts] - ties[np.arange(len(parts)), parts][:, None]
    gains: Floats = one_way + one_way.T - 2.0 * graph
    gains[parts[:, None] == parts] = -np.inf
    return gains


def _move(graph: Floats, ties: Floats, parts: Labels, vertex: int, part: int) -> None:
    ties[:, parts[vertex]] -= graph[:, vertex]
    ties[:, part] += graph[:, vertex]
    parts[vertex] = part
