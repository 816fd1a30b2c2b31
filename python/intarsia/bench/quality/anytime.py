"""What an anytime method has found by which second of CPU time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from numpy.typing import NDArray

from intarsia.arrays import Floats
from intarsia.bench.measure import cost_of
from intarsia.clock import Clock

Labels = NDArray[Any]
#: One run of a method: takes the number of the run, returns labels and the method's own cost.
Attempt: TypeAlias = Callable[[int], tuple[Labels, float]]


@dataclass(frozen=True)
class Mark:
    """The best cost at the end of a budget, and what was really spent until then."""

    budget: float
    cost: float
    cpu_s: float
    wall_s: float
    n_runs: int
    status: str = "done"


@dataclass(frozen=True)
class Attempted:
    """One finished run: CPU seconds when it began and ended, wall clock at its end, and its labels."""

    began: float
    ended: float
    wall: float
    labels: Labels
    cost: float


@dataclass
class AnytimeRuns:
    """The finished runs of one method, in order."""

    runs: list[Attempted] = field(default_factory=list)

    def mark(self, X: Floats, budget: float) -> Mark:
        """Return the best of the runs that began within the budget; the first always counts."""
        # a run that is under way when the budget ends is finished and counted: the peers get the benefit
        within = [run for run in self.runs if run.began < budget] or self.runs[:1]
        best = min(within, key=lambda run: run.cost)
        return Mark(budget, cost_of(X, best.labels), within[-1].ended, within[-1].wall, len(within))


def repeat_until(budget: float, attempt: Attempt) -> AnytimeRuns:
    """Run again and again until the CPU budget is used; at least once."""
    course, clock = AnytimeRuns(), Clock()
    for number in count():
        began = clock.cpu_seconds()
        labels, cost = attempt(number)
        ended = clock.cpu_seconds()  # read once: what is reported is what ended the loop
        course.runs.append(Attempted(began, ended, clock.seconds(), labels, cost))
        if ended >= budget:
            break
    return course
