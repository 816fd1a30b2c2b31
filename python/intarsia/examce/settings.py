"""How much the search does, and what it is given. Work is counted, not timed, so that results repeat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from intarsia.arrays import Floats, Labels
from intarsia.base.registry import check_base
from intarsia.examce.cover.problem import CountRange, Solver
from intarsia.examce.criteria.protocol import Criterion, SizeLimits
from intarsia.validation import check_count, check_n_clusters


@dataclass(frozen=True)
class Effort:
    """One level of effort: the published loop, or how much evidence ends the search.

    Attributes
    ----------
    searches : bool
        Whether populations are searched; otherwise the published loop is all.
    base_init : str
        How base runs start: the paper's random points, or k-means++.
    n_base_runs : int or None
        Base runs in all, over the bracket; None asks the criterion.
    n_arrivals : int
        So many chains and rivals that come to the best partition without knowing it end the search.
    rest_after, rest_after_merge : int
        Covers without gain after which a population rests, before and after its first merge.
    n_merges : int
        So many merges running that gain nothing end the search, too; 0: no rivals, the first rest does.
    max_steps : int
        Steps of all populations at most.
    max_work : float
        Distances at most, for each point and cluster; with a horizon see `most_work`.
    has_horizon : bool
        Whether the search ends, too, after some times the work at which the cost was last worth noting.
    """

    searches: bool
    base_init: str
    n_base_runs: int | None = None
    n_arrivals: int = 0
    rest_after: int = 0
    rest_after_merge: int = 0
    n_merges: int = 0
    max_steps: int = 0
    max_work: float = math.inf
    has_horizon: bool = False


EFFORTS = {
    "fast": Effort(True, "k-means++", None, 1, 2, 0, 0, 1000, max_work=55.0),
    "default": Effort(True, "k-means++", None, 3, 6, 2, 4, 1000, has_horizon=True),
    "high": Effort(True, "k-means++", None, 6, 12, 4, 6, 10_000),
    "paper": Effort(False, "random", 150),
}

_FEWEST_RUNS, _ASKED_RUNS, _MOST_RUNS = 4, 20, 150
LARGE_DATA = 20_000  # points from which a kernel call is worth several threads, and HiGHS has no chance


@dataclass(frozen=True)
class ExamceSettings:
    """Everything that decides what is computed, apart from the criterion and the data."""

    effort: Effort
    n_base_runs: int | None
    bracket: int | None
    base: Any
    solver: Solver
    tau: int
    time_limit: float | None
    seed: int

    def base_runs_for(self, criterion: Criterion, k: int) -> int:
        """Return how many base runs to make: as asked, by effort, or as the criterion would have it."""
        asked = self.n_base_runs if self.n_base_runs is not None else self.effort.n_base_runs
        if asked is not None:
            return asked
        affordable = criterion.affordable_runs(k)
        if affordable == 0 and self.base == criterion.bases[0]:
            return 0
        least = _FEWEST_RUNS if affordable > 0 else _ASKED_RUNS  # somebody asked for this clusterer
        return int(np.clip(affordable, least, _MOST_RUNS))


def kernel_threads(n_samples: int, n_workers: int) -> int:
    """Return the threads inside one kernel call: waking them pays on large data only."""
    return n_workers if n_samples > LARGE_DATA else 1


def choose_base(base: Any, criterion: Criterion) -> Any:
    """Return the base clusterer, the criterion's own for None; refuse what is none."""
    if base is None:
        return criterion.bases[0]
    if base not in criterion.bases:
        check_base(base)
    return base


def check_counts(n_clusters: Any, n_samples: int, criterion: Criterion) -> CountRange:
    """Return how many clusters there may be: one number; where allowed, a range or None for 1 to √n."""
    if n_clusters is not None and not isinstance(n_clusters, (tuple, list)):
        k = check_n_clusters(n_clusters, n_samples)
        return CountRange(k, k)
    if not criterion.takes_ranges:
        raise ValueError(f"n_clusters={n_clusters!r} should be one number for criterion={criterion.name!r}.")
    if n_clusters is None:
        return CountRange(1, max(1, math.isqrt(n_samples)))
    if len(n_clusters) != 2 or n_clusters[0] > n_clusters[1]:
        raise ValueError(f"n_clusters={n_clusters!r} should be the least and the most.")
    return CountRange(*(check_n_clusters(k, n_samples) for k in n_clusters))


def limit_sizes(
    min_size: int | None,
    max_size: int | None,
    counts: CountRange,
    n_samples: int,
    all_count: bool,
    criterion: Criterion,
) -> SizeLimits:
    """Return the size limits, any size without them and without one that the criterion would have."""
    if min_size is None and (least := criterion.least_size(counts, n_samples)) > 1:
        min_size = least if max_size is None else min(least, check_count("max_size", max_size, most=np.inf))
    if min_size is None and max_size is None:
        return SizeLimits(1, n_samples)
    from intarsia.examce.criteria.sizes import check_sizes

    return check_sizes(min_size, max_size, counts, n_samples, all_count)


def heavy_points(weights: Floats | None, criterion: Criterion) -> NDArray[np.bool_] | None:
    """Mark the points that the search sees, those of positive weight; None when it sees all."""
    if weights is None:
        return None
    if not criterion.takes_weights:
        raise ValueError(f"criterion={criterion.name!r} takes no sample_weight.")
    if weights.all():
        return None
    if not criterion.has_representatives:  # the others could not be told a cluster afterwards
        raise ValueError(f"criterion={criterion.name!r} takes no sample_weight of 0.")
    return weights > 0


def own_partitions(given: Any, n_samples: int, heavy: NDArray[np.bool_] | None) -> list[Labels]:
    """Return the partitions that a user gives, on the points that the search sees, numbered from 0."""
    if given is None or (isinstance(given, (list, tuple)) and not given):
        return []
    from intarsia.ensemble import Ensemble  # here: most fits are given none
    from intarsia.ensemble.hard import encode_members

    try:
        labels = given.labels if isinstance(given, Ensemble) else encode_members(given)[0]
    except (TypeError, ValueError) as error:
        raise type(error)(f"init_partitions: {error}") from error
    if len(labels) != n_samples:
        raise ValueError(f"init_partitions: {len(labels)} labels of each should be {n_samples}.")
    return [without_gaps(member if heavy is None else member[heavy]) for member in labels.T]


def without_gaps(labels: Labels) -> Labels:
    """Return labels from 0 on without gaps; a mixture may have components that are nobody's likeliest."""
    inside = labels >= 0
    numbered = np.full(len(labels), -1, dtype=np.int32)
    numbered[inside] = np.unique(labels[inside], return_inverse=True)[1]
    return numbered
