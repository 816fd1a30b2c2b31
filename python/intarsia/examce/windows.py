"""Windows: neighbouring clusters searched by themselves and put back; this scales to many clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from intarsia.arrays import Floats, Ids, Labels
from intarsia.examce.cover_result import Clock
from intarsia.examce.criteria import Mssc
from intarsia.examce.state import ExamceState

CLUSTERS_PER_WINDOW = 40


@dataclass(frozen=True)
class WindowTask:
    """One window in one cycle: its clusters, and the stream of its random numbers."""

    window: int
    cycle: int
    clusters: Ids


@dataclass(frozen=True)
class _Shared:
    criterion: Mssc
    labels: Labels
    swaps_per_cluster: float
    clock: Clock
    seed: int


def search_windows(state: ExamceState) -> None:
    """Search every window of the best partition; what they find fits together, since windows are disjoint."""
    start, cycle = state.holdings.incumbent, state.cycle
    windows = split_clusters(start.centers, CLUSTERS_PER_WINDOW, state.settings.seed, cycle)
    tasks = [WindowTask(w, cycle, clusters) for w, clusters in enumerate(windows)]
    effort = state.settings.effort
    shared = _Shared(
        state.criterion, start.labels, effort.swaps_per_cluster, state.clock, state.settings.seed
    )
    labels = start.labels.copy()
    for points, found in state.executor.map(_search, tasks, shared):
        labels[points] = found
    state.holdings.offer(labels, state.n_rounds)


def split_clusters(centers: Floats, size: int, seed: int, cycle: int) -> list[Ids]:
    """Halve the centres along random directions until no part has more than `size`; each cycle differs."""
    rng = np.random.Generator(np.random.Philox(key=seed, counter=cycle))
    parts = [np.arange(len(centers))]
    while max(map(len, parts)) > size:
        direction = rng.normal(size=centers.shape[1]) * np.ptp(centers, axis=0)
        parts = [half for part in parts for half in _halve(centers, part, direction, size)]
    return parts


def _halve(centers: Floats, part: Ids, direction: Floats, size: int) -> list[Ids]:
    if len(part) <= size:
        return [part]
    order = part[np.argsort(centers[part] @ direction, kind="stable")]
    middle = len(part) // 2
    return [np.sort(order[:middle]), np.sort(order[middle:])]


def _search(task: WindowTask, shared: _Shared) -> tuple[Ids, Labels]:
    points = np.flatnonzero(np.isin(shared.labels, task.clusters))
    k = len(task.clusters)
    part = shared.criterion.subset(points)
    labels = np.searchsorted(task.clusters, shared.labels[points]).astype(np.int32)
    found, _, _, _ = part.swap_search(
        labels,
        k,
        n_swaps=part.affordable_swaps(k, shared.swaps_per_cluster),
        seconds=shared.clock.remaining(),
        seed=shared.seed,
        task=1000 + task.window,  # islands have the streams below
        substream=task.cycle,
    )
    return points, task.clusters[found].astype(np.int32)
