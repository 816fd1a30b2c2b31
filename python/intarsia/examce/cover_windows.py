"""Covers of windows: the pool recombined exactly among neighbouring clusters, the rest left as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from intarsia._core import ColumnPool
from intarsia.arrays import Ids, Labels
from intarsia.examce.cover import CoverLimits, CoverSolution, solve_cover
from intarsia.examce.cover_result import Clock
from intarsia.examce.holdings import Holdings
from intarsia.examce.pool import cost_of
from intarsia.examce.settings import LARGE_DATA
from intarsia.examce.state import ExamceState
from intarsia.examce.windows import split_clusters

CLUSTERS_PER_COVER = 40
_PATIENCE = 8
_TURNS = 1000  # of one round at most: the random streams of the next begin there
_WINDOW_LIMITS = CoverLimits(
    n_rounds=1, n_roundings=6, core_factor=24.0, first_core_factor=12.0, max_gap=0.01, max_nodes=200
)


@dataclass(frozen=True)
class CoverWindowTask:
    """Some clusters of the best partition, to be recombined among themselves."""

    window: int
    turn: int
    clusters: Ids


@dataclass(frozen=True)
class CoverWindow:
    """The window's points and their clusters now, by the numbers of the whole partition."""

    points: Ids
    labels: Labels


def window_tasks(state: ExamceState, turn: int) -> list[CoverWindowTask]:
    """Windows of the best partition that together hold every cluster once; none where one would hold all."""
    centers = state.holdings.incumbent.centers
    if len(centers) <= CLUSTERS_PER_COVER or len(state.criterion.X) > LARGE_DATA:
        return []
    windows = split_clusters(centers, CLUSTERS_PER_COVER, state.settings.seed, turn)
    return [CoverWindowTask(w, turn, clusters) for w, clusters in enumerate(windows)]


def recombine_windows(state: ExamceState) -> None:
    """Cover windows again and again, drawn anew each time, until a few turns have gained nothing."""
    shared = (state.holdings, state.settings.seed, state.clock)
    turn, last = _TURNS * state.n_rounds, _TURNS * state.n_rounds + _PATIENCE
    while turn < last and not state.is_over():
        before = state.cost
        join_windows(state, state.executor.map(_recombine, window_tasks(state, turn), shared))
        turn += 1
        if state.cost < before:
            last = turn + _PATIENCE


def _recombine(task: CoverWindowTask, shared: tuple[Holdings, int, Clock]) -> CoverWindow:
    return recombine_window(task, *shared)


def recombine_window(task: CoverWindowTask, holdings: Holdings, seed: int, clock: Clock) -> CoverWindow:
    """Cover the window's points by the columns that lie inside it."""
    whole = holdings.incumbent.labels
    points = np.flatnonzero(np.isin(whole, task.clusters))
    k, criterion = len(task.clusters), holdings.criterion.subset(points)
    pool = columns_within(holdings.pool, points)
    labels = np.searchsorted(task.clusters, whole[points]).astype(np.int32)
    ids = criterion.add_clusters(pool, labels, k, 0)
    known = CoverSolution(np.sort(ids), cost_of(pool, ids))
    remaining = clock.remaining()
    cover = solve_cover(
        pool,
        k,
        incumbent=known,
        limits=_WINDOW_LIMITS,
        time_limit=None if math.isinf(remaining) else remaining,
        seed=seed,
        task=_TURNS * task.turn + task.window,
    )
    found = criterion.local_search(criterion.remove_duplicates(pool, cover.columns), k)
    return CoverWindow(points, task.clusters[found].astype(np.int32))


def join_windows(state: ExamceState, windows: list[CoverWindow]) -> None:
    """Put the windows back; what they found fits together, since they are disjoint."""
    if not windows:
        return
    labels = state.holdings.incumbent.labels.copy()
    for window in windows:
        labels[window.points] = window.labels
    state.holdings.offer(labels, state.n_rounds)
    state.holdings.offer(state.criterion.local_search(labels, state.k), state.n_rounds)


def columns_within(pool: ColumnPool, points: Ids) -> ColumnPool:
    """Return the columns that hold none but these points, which are numbered anew."""
    place = np.full(pool.n_points, -1, dtype=np.int32)
    place[points] = np.arange(len(points), dtype=np.int32)
    inside = np.logical_and.reduceat(place[pool.members] >= 0, pool.offsets[:-1])
    kept = pool.subset(np.flatnonzero(inside))
    return ColumnPool(len(points), kept.offsets, place[kept.members], kept.costs, kept.origins)
