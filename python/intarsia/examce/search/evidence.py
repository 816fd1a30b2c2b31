"""When a search is done: what agreement between searches that know nothing of each other tells.

A new chain of swaps that ends by itself at the best partition is a *hit*. When a population rests, a rival
is searched from scratch: it reaches the same cost, an *agreement*, or rests too; then both are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from intarsia.examce.search.population import ROUNDING, StepFacts, idle_steps, n_hits
from intarsia.examce.settings import Effort


class Verdict(Enum):
    """What the step that was seen last calls for."""

    GO_ON = "go on"
    MERGE = "merge"


@dataclass
class Evidence:
    """What has been seen so far, and whose step is wanted next.

    Attributes
    ----------
    turn
        The population whose next step is wanted: 0 is the first, which holds the answer.
    n_rivals
        Rivals that were called so far; the last one's number, if its turn is not over.
    n_agreements, n_vain_merges, has_merged, n_steps
        What the rules ask about.
    settled
        Whether the search is over.
    """

    turn: int = 0
    n_rivals: int = 0
    n_agreements: int = 0
    n_vain_merges: int = 0
    has_merged: bool = False
    n_steps: int = 0
    settled: bool = False

    def weigh_first(self, course: Sequence[StepFacts], rules: Effort) -> None:
        """Take account of a step of the first population."""
        self._count(rules)
        if course[-1].gained:
            self.n_agreements = self.n_vain_merges = 0  # about a partition that was not the best
        if n_hits(course) >= rules.n_hits:
            self.settled = True
        elif idle_steps(course) >= (rules.rest_after_merge if self.has_merged else rules.rest_after):
            self._call_rival(rules)

    def weigh_rival(self, course: Sequence[StepFacts], cost: float, rules: Effort) -> Verdict:
        """Take account of a step of the rival; `cost` is the first population's."""
        self._count(rules)
        if abs(course[-1].cost - cost) <= ROUNDING * abs(cost):
            self.n_agreements += 1
            self.settled |= self.n_agreements >= rules.n_agreements
            self._call_rival(rules)
        elif is_at_rest(course, rules):
            return Verdict.MERGE
        return Verdict.GO_ON

    def weigh_merge(self, gained: bool, rules: Effort) -> None:
        """Take account of a merge with the rival: the first population goes on."""
        self.has_merged = True
        self.n_vain_merges = 0 if gained else self.n_vain_merges + 1
        self.n_agreements = 0 if gained else self.n_agreements
        self.settled |= self.n_vain_merges >= rules.n_merges
        self.turn = 0

    def _call_rival(self, rules: Effort) -> None:
        self.n_rivals += 1
        self.turn = self.n_rivals
        self.settled |= rules.n_merges == 0

    def _count(self, rules: Effort) -> None:
        self.n_steps += 1
        self.settled |= self.n_steps >= rules.max_steps


def is_at_rest(course: Sequence[StepFacts], rules: Effort) -> bool:
    """Whether a rival has gone on for long enough without gain."""
    return idle_steps(course) >= rules.rest_after
