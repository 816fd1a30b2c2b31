"""Runs of one instance within one budget compared: mean and best of each method, and who is ahead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from intarsia.bench.quality.run_file import Run

SAME = 1e-9  # relative: the order of a sum changes no verdict


@dataclass(frozen=True)
class Score:
    """One method in one comparison."""

    mean: float
    best: float
    n_runs: int
    cpu_s: float


@dataclass(frozen=True)
class BudgetComparison:
    """One instance within one budget; `reference` is the best value known for the instance."""

    label: str
    budget: float
    reference: float
    scores: dict[str, Score]

    def above(self, cost: float) -> float:
        """Return how many percent a cost lies above the reference."""
        return 100.0 * (cost / self.reference - 1.0)

    def best_peer(self, peers: Iterable[str]) -> str | None:
        """Return the peer of least mean, None where no peer has run."""
        ran = [peer for peer in peers if peer in self.scores]
        return min(ran, key=lambda peer: self.scores[peer].mean, default=None)

    def is_ahead(self, method: str, peers: Iterable[str]) -> bool | None:
        """Whether the method's mean is at or below every peer's; None where there is nothing to compare."""
        rival = self.best_peer(peers)
        if rival is None or method not in self.scores:
            return None
        return self.scores[method].mean <= self.scores[rival].mean * (1.0 + SAME)


def compare_runs(runs: Sequence[Run], best_known: Mapping[str, float]) -> list[BudgetComparison]:
    """Group runs by instance and budget, in the order in which instances first appear, budgets growing."""
    good = [run for run in runs if not run.has_failed]
    references = _references(good, best_known)
    grouped: dict[tuple[str, float], dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in good:
        grouped[run.label, run.budget][run.method].append(run)
    order = list(references)
    keys = sorted(grouped, key=lambda key: (order.index(key[0]), key[1]))
    return [BudgetComparison(*key, references[key[0]], _scores(grouped[key])) for key in keys]


def count_ahead(cells: Iterable[BudgetComparison], method: str, peers: Sequence[str]) -> tuple[int, int]:
    """Return in how many cells the method is ahead of every peer, and how many cells can tell."""
    verdicts = [comparison.is_ahead(method, peers) for comparison in cells]
    return verdicts.count(True), len(verdicts) - verdicts.count(None)


def _references(runs: Iterable[Run], best_known: Mapping[str, float]) -> dict[str, float]:
    references: dict[str, float] = {}
    for run in runs:
        known = references.get(run.label, best_known.get(run.label, run.cost))
        references[run.label] = min(known, run.cost)
    return references


def _scores(by_method: Mapping[str, Sequence[Run]]) -> dict[str, Score]:
    return {method: _score(runs) for method, runs in by_method.items()}


def _score(runs: Sequence[Run]) -> Score:
    costs = [run.cost for run in runs]
    cpu = sum(run.cpu_s for run in runs) / len(runs)
    return Score(sum(costs) / len(costs), min(costs), len(costs), cpu)
