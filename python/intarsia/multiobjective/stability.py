"""All resamples of all families: spread over workers, kept between kills, averaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from intarsia.arrays import Floats
from intarsia.executor import Executor, on_rank_zero
from intarsia.multiobjective.checkpoint import Checkpoint
from intarsia.multiobjective.goodness import Scores, Work, n_labels, score_resample


@dataclass(frozen=True, eq=False)
class Stability:
    """What the resamples say.

    Attributes
    ----------
    means : list of arrays, or None where a family failed on every resample
        The mean score of every cluster of every partition of a family, one after another.
    n_failures : int
        Fits that failed.
    """

    means: list[Floats | None]
    n_failures: int


def run_resamples(
    work: Work, executor: Executor, on_done: Callable[[int], None], checkpoint: Checkpoint | None = None
) -> Stability:
    """Score all families on all resamples; every task is a pure function of its numbers.

    With a checkpoint one resample is done after another; without, workers need not wait for each other.
    """
    n_families = len(work.families)
    numbers = range(1, work.resampling.n_resamples + 1)
    tasks = [(family, number) for number in numbers for family in range(n_families)]
    done = [] if checkpoint is None else _begun(checkpoint, executor)
    step = len(tasks) if checkpoint is None else n_families
    while len(done) < len(tasks):
        before = len(done)
        batch = tasks[before : before + step]
        done += executor.map(score_resample, batch, work, lambda n, before=before: on_done(before + n))  # type: ignore[misc]
        if checkpoint is not None and executor.rank == 0:
            checkpoint.note(done)
    return _averaged(done, work)


def _begun(checkpoint: Checkpoint, executor: Executor) -> list[Scores]:
    found = executor.agree(on_rank_zero(executor, checkpoint.load))
    assert found is not None  # rank 0 has read
    return found


def _averaged(done: Sequence[Scores], work: Work) -> Stability:
    n_families = len(work.families)
    means: list[Floats | None] = []
    for family in range(n_families):
        width = sum(map(n_labels, work.references[family]))
        rows = [scores.values for scores in done[family::n_families]]
        values = np.array(rows).reshape(len(rows), width)  # an algorithm may find no cluster at all
        worked = values[~np.isnan(values).any(axis=1)]
        means.append(worked.mean(axis=0) if len(worked) else None)
    return Stability(means, sum(len(scores.failures) for scores in done))
