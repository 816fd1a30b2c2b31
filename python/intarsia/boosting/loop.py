"""Boost-clustering and bagg-clustering: each reads like the algorithm."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from intarsia import _core
from intarsia.boosting.judge import Judge
from intarsia.boosting.round_fit import BaseFailedError, RoundTask, fit_round
from intarsia.boosting.rounds import Rounds
from intarsia.boosting.stopping import ALL_ROUNDS, BASE_FAILED, StopRule, beta_of
from intarsia.executor import Executor

_log = logging.getLogger("intarsia.boosting")

OnRound = Callable[[int], None]


def boost(
    task: RoundTask,
    judge: Judge,
    rounds: Rounds,
    max_rounds: int,
    stop: bool,
    on_round: OnRound | None = None,
) -> str:
    """Run one round after another, each drawn by what the last one did badly; return why it ended."""
    weights = np.full(len(task.X), 1 / len(task.X))
    rule = StopRule()
    for number in range(1, max_rounds + 1):
        try:
            fit = fit_round(number, replace(task, weights=weights))
        except BaseFailedError as failure:
            if number == 1:
                raise
            warnings.warn(f"{failure}; the rounds before it are the answer.", stacklevel=4)
            return BASE_FAILED
        view = judge.look_at(fit.hypothesis)
        quality = judge.quality_of(view)
        epsilon = _core.pseudoloss(weights, quality, task.n_threads)
        rounds.add(fit, view, epsilon, weights)
        _log.info("round %d: pseudoloss %.6f", number, epsilon)
        if on_round is not None:
            on_round(number)
        reason = rule.reason(epsilon)
        if stop and reason is not None:
            return reason
        if epsilon <= 0.5:  # beyond, beta would turn the weights around; only stop=False gets here
            weights = _core.reweighted(weights, quality, beta_of(epsilon).log, task.n_threads)
    return ALL_ROUNDS


def bag(
    task: RoundTask,
    judge: Judge,
    rounds: Rounds,
    n_rounds: int,
    executor: Executor,
    on_round: OnRound | None = None,
) -> str:
    """Draw all rounds with equal weights, side by side; then judge them in their order."""
    weights = np.full(len(task.X), 1 / len(task.X))
    for fit in executor.map(fit_round, range(1, n_rounds + 1), task, on_round):
        view = judge.look_at(fit.hypothesis)
        epsilon = _core.pseudoloss(weights, judge.quality_of(view), judge.n_threads)
        rounds.add(fit, view, epsilon, weights)
    return ALL_ROUNDS
