"""Base runs over the bracket k-w … k+w, as tasks that anybody may compute."""

from __future__ import annotations

import numpy as np

from intarsia.arrays import Ids


def bracket_of(k: int, width: int | None, n_distinct: int) -> tuple[int, int]:
    """Return the smallest and largest number of clusters of the base runs."""
    w = k // 10 if width is None else width
    return max(1, k - w), min(n_distinct, k + w)


def spread_runs(n_runs: int, k: int, low: int, high: int) -> Ids:
    """Return the number of clusters of each run; k gets the largest share and the first run.

    Parameters
    ----------
    n_runs : int
        Number of runs; the first m runs of a longer list are the list of m runs as far as possible, so that
        more runs contain fewer.
    k, low, high : int
        The target and the bracket around it.
    """
    others = [c for step in range(1, high - low + 1) for c in (k - step, k + step) if low <= c <= high]
    # One turn: k, then every other size once, with k again after every four others and at least once.
    spacing = min(4, max(1, len(others)))
    turn = [k]
    for position, c in enumerate(others, start=1):
        turn.append(c)
        if position % spacing == 0:
            turn.append(k)
    repeats = -(-n_runs // len(turn))
    return np.array((turn * repeats)[:n_runs], dtype=np.int64)
