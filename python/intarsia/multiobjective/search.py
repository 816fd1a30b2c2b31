"""The choice of clusters: hill climbing, then branch and bound with its answer as cutoff."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from intarsia import _core
from intarsia.arrays import Members
from intarsia.multiobjective.candidates import SelectionData
from intarsia.multiobjective.exact import TOLERANCE, Costs, prove

SEARCHES = ("auto", "hill", "exact")
#: Branch and bound nodes of "auto" for each number of clusters, and of "exact".
AUTO_NODES, EXACT_NODES = 200, 1_000_000


@dataclass(frozen=True)
class SearchSettings:
    """How clusters are chosen.

    Attributes
    ----------
    n_clusters : int or None
        How many; None leaves it free.
    overlap_cost, uncovered_cost : float
        Gamma 1 and gamma 2; divided by `first_guess` where the number is free.
    first_guess, max_clusters : int
        Of a free number.
    """

    n_clusters: int | None
    search: str
    overlap_cost: float
    uncovered_cost: float
    first_guess: int
    max_clusters: int
    n_starts: int
    max_nodes: int | None

    def costs(self) -> tuple[float, float]:
        """Return both prices as they count."""
        guess = 1 if self.n_clusters is not None else self.first_guess
        return self.overlap_cost / guess, self.uncovered_cost / guess


@dataclass(frozen=True)
class Choice:
    """The chosen candidates.

    Attributes
    ----------
    chosen : int32 array
        Their numbers.
    objective, lower_bound : float
        What they cost, and what any choice costs at least; minus infinity where nobody asked.
    is_proved : bool
        Whether none is better by more than a millionth.
    hill_objective : float
        What hill climbing had found.
    n_hits : int
        Starts of hill climbing that ended at its best objective.
    """

    chosen: Members
    objective: float
    lower_bound: float
    is_proved: bool
    hill_objective: float
    n_hits: int


def choose(data: SelectionData, settings: SearchSettings, seed: int, n_threads: int) -> Choice:
    """Choose clusters: at least `n_starts` descents, then a proof where it is asked for."""
    problem = data.problem(*settings.costs(), settings.n_clusters is None)
    least, most = _range(data, settings)
    chosen, objective, n_hits, _ = problem.hill_climb(least, most, settings.n_starts, seed, n_threads)
    climbed = Choice(chosen, objective, -np.inf, False, objective, n_hits)
    return climbed if settings.search == "hill" else _proved(climbed, data, problem, settings)


def _range(data: SelectionData, settings: SearchSettings) -> tuple[int, int]:
    if settings.n_clusters is not None:
        return settings.n_clusters, settings.n_clusters
    return 1, min(settings.max_clusters, len(data))


def _proved(
    climbed: Choice, data: SelectionData, problem: _core.Selection, settings: SearchSettings
) -> Choice:
    """Let branch and bound look for something better, for each number of clusters."""
    overlap_cost, uncovered_cost = settings.costs()
    nodes = settings.max_nodes or (AUTO_NODES if settings.search == "auto" else EXACT_NODES)
    chosen, objective = climbed.chosen, climbed.objective
    least, most = _range(data, settings)
    bounds, proved = [], True
    for k in range(least, most + 1):
        reward = 1.0 if settings.n_clusters is not None else 1.0 / k
        best = -reward * float(np.sort(data.goodness)[::-1][:k].sum())
        if best > objective - TOLERANCE:  # not even without overlaps and gaps
            bounds.append(best)
            continue
        costs = Costs(reward, overlap_cost, uncovered_cost)
        found = prove(data, k, costs, objective - TOLERANCE, nodes)
        if found.chosen is not None:
            better = problem.objective(found.chosen)
            if better < objective:
                chosen, objective = found.chosen, better
        bounds.append(found.bound)
        proved = proved and found.is_proved
    bound = min(objective, *bounds)
    return Choice(chosen, objective, bound, proved, climbed.objective, climbed.n_hits)
