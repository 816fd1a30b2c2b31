"""Streams of random numbers for Python, named as in C++ (`rng.hpp`): seed, stage, task, substream."""

from __future__ import annotations

import numpy as np

from intarsia._core import Stage


def generator(seed: int, stage: Stage, *task: int) -> np.random.Generator:
    """Return the generator of a stream: who draws, and when, does not matter.

    Parameters
    ----------
    seed : int
        From 0 to 2**64 - 1.
    stage : Stage
        What the numbers are for. It is in the key, where C++ has 0: no stream is one of C++.
    *task : int
        Up to three numbers that tell the streams of a stage apart.
    """
    # NumPy counts in the lowest word, so that a stream has 2**64 blocks for itself
    counter = np.zeros(4, dtype=np.uint64)
    counter[1 : len(task) + 1] = task
    key = np.array([seed, int(stage)], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))
