"""When a search ends: the rules, on courses that are written down by hand."""

from __future__ import annotations

import pytest

from intarsia.examce.search.contest import Evidence, Verdict, is_at_rest
from intarsia.examce.search.population import StepFacts, idle_covers, n_hits, uncovered_work
from intarsia.examce.settings import Effort

RULES = Effort(True, "k-means++", None, 2, 3, 1, 2, 100)


def course(*steps: str) -> list[StepFacts]:
    """Steps by letters: g gained (one, from 10), h hit, . a vain cover, - a vain chain."""
    facts, cost = [], 10.0
    for step in steps:
        cost -= step == "g"
        history = {"cover_status": "gap"} if step == "." else {}
        facts.append(StepFacts(cost, step == "g", step == "h", 12.0, 1.0, history))
    return facts


@pytest.mark.parametrize(
    ("steps", "idle"), [("", 0), ("g", 0), ("g..", 2), ("g.g", 0), ("g.gh.", 1), ("g.--.", 2)]
)
def test_idle_covers_are_those_since_the_last_gain(steps: str, idle: int) -> None:
    assert idle_covers(course(*steps)) == idle


@pytest.mark.parametrize(("steps", "hits"), [("g", 0), ("gh", 1), ("gh.h", 2), ("ghhg", 0), ("ghhgh", 1)])
def test_hits_of_a_partition_that_is_no_longer_the_best_do_not_count(steps: str, hits: int) -> None:
    assert n_hits(course(*steps)) == hits


@pytest.mark.parametrize(("steps", "work"), [("", 0), ("g-", 2), ("g-.", 0), ("g.-h", 2)])
def test_work_since_the_last_cover(steps: str, work: float) -> None:
    assert uncovered_work(course(*steps)) == work


def seen(evidence: Evidence, *steps: str) -> Evidence:
    """Let the evidence see every step of a course of the first population."""
    facts = course(*steps)
    for n in range(1, len(facts) + 1):
        evidence.weigh_first(facts[:n], RULES)
    return evidence


def test_two_hits_settle_it() -> None:
    assert not seen(Evidence(), *"gh").settled
    assert not seen(Evidence(), *"ghgh").settled
    assert seen(Evidence(), *"gh-h").settled


def test_a_population_at_rest_calls_a_rival_sooner_after_a_merge() -> None:
    evidence = seen(Evidence(), *"g..")
    assert evidence.turn == 0
    evidence.weigh_first(course(*"g..."), RULES)
    assert (evidence.turn, evidence.settled) == (1, False)
    evidence.weigh_merge(False, RULES)
    assert evidence.turn == 0
    evidence.weigh_first(course(*"g...g."), RULES)
    assert evidence.turn == 2


def test_two_rivals_that_arrive_at_the_same_cost_settle_it() -> None:
    evidence = Evidence(turn=1, n_rivals=1)
    assert evidence.weigh_rival(course(*"g"), 9.0 * (1 + 1e-14), RULES) is Verdict.GO_ON
    assert (evidence.turn, evidence.n_arrivals, evidence.settled) == (2, 1, False)
    assert evidence.weigh_rival(course(*"gg"), 9.0, RULES) is Verdict.GO_ON  # below: it goes on
    assert (evidence.turn, evidence.n_arrivals) == (2, 1)
    evidence.weigh_rival(course(*"g"), 9.0, RULES)
    assert evidence.settled


def test_a_hit_and_a_rival_settle_it_unless_a_merge_gains_in_between() -> None:
    for gains in (False, True):
        evidence = seen(Evidence(), *"gh...")
        assert (evidence.turn, evidence.n_arrivals) == (1, 1)
        evidence.weigh_merge(gains, RULES)
        evidence.weigh_first(course(*"g."), RULES)
        evidence.weigh_rival(course(*"g"), 9.0, RULES)
        assert evidence.settled is not gains


def test_a_better_partition_voids_arrivals_and_vain_merges() -> None:
    evidence = Evidence(n_arrivals=1, n_vain_merges=1, has_merged=True)
    evidence.weigh_first(course(*"g.g"), RULES)
    assert (evidence.n_arrivals, evidence.n_vain_merges) == (0, 0)
    evidence = Evidence(turn=1, n_rivals=1, n_arrivals=1, n_vain_merges=1)
    evidence.weigh_merge(True, RULES)
    assert (evidence.n_arrivals, evidence.n_vain_merges, evidence.settled) == (0, 0, False)


def test_rivals_at_rest_are_merged_and_vain_merges_settle_it() -> None:
    evidence = Evidence(turn=1, n_rivals=1)
    assert is_at_rest(course(*"g..."), RULES)
    assert evidence.weigh_rival(course(*"g..."), 5.0, RULES) is Verdict.MERGE
    evidence.weigh_merge(False, RULES)
    assert not evidence.settled
    evidence.weigh_merge(False, RULES)
    assert evidence.settled


def test_without_rivals_the_first_rest_settles_it_and_steps_are_limited() -> None:
    alone = Effort(True, "k-means++", None, 2, 3, 0, 0, 100)
    evidence = Evidence()
    evidence.weigh_first(course(*"g..."), alone)
    assert evidence.settled
    evidence = Evidence(n_steps=99)
    evidence.weigh_first(course(*"g"), RULES)
    assert evidence.settled
