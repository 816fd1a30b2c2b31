"""How long measured tasks take on many ranks: they go to whoever is free, their results to everybody."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """One `executor.map`: what kind each task was, its seconds, and the bytes of its result."""

    kinds: tuple[str, ...]
    seconds: tuple[float, ...]
    n_bytes: tuple[int, ...]


@dataclass(frozen=True)
class Network:
    """Bytes a second that a rank can receive, and seconds that a message takes however short it is."""

    bandwidth: float
    latency: float


def makespan(seconds: Sequence[float], n_ranks: int, draw: float = 0.0) -> float:
    """Seconds until the last task ends when each rank takes the next one as soon as it is free."""
    free = [0.0] * min(n_ranks, max(1, len(seconds)))
    for duration in seconds:
        heapq.heapreplace(free, free[0] + draw + duration)
    return max(free)


def gather_seconds(n_bytes: Sequence[int], n_ranks: int, network: Network) -> float:
    """Seconds until every rank has every result: a tree of messages, and all bytes into each rank."""
    if n_ranks == 1:
        return 0.0
    return network.latency * math.ceil(math.log2(n_ranks)) + sum(n_bytes) / network.bandwidth


def predict_seconds(stages: Sequence[Stage], serial: float, n_ranks: int, network: Network) -> float:
    """Seconds of the whole job; what is between the stages every rank does for itself."""
    draw = 0.0 if n_ranks == 1 else network.latency
    work = sum(makespan(stage.seconds, n_ranks, draw) for stage in stages)
    return serial + work + sum(gather_seconds(stage.n_bytes, n_ranks, network) for stage in stages)
