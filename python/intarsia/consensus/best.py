"""`best`: several consensus functions, of which the one that agrees most with the members is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from intarsia.consensus.problem import solve_points
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.consensus.registry import METHODS
from intarsia.ensemble import Ensemble
from intarsia.metrics.ensembles import anmi
from intarsia.validation import check_option

#: Tried by default where registered: those that are fast on large ensembles.
CANDIDATES = ("mcla", "hbgf", "vote", "qmi", "kmodes", "itk", "mixmns")
SOFT_CANDIDATES = ("smcla", "shbgf", *CANDIDATES)


def best(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Run `methods` and keep the answer of highest average NMI to the members, the first where equal.

    A method that refuses is passed over; the note says which were tried, with their scores.
    """
    names = _names(options.method_options("best", methods=None)["methods"], ensemble.is_soft)
    plain = replace(options, params={})
    scores: dict[str, float] = {}
    answers: dict[str, Consensus] = {}
    refusals: list[str] = []
    for name in names:
        try:
            answers[name] = solve_points(ensemble, k, name, plain)
        except (ValueError, ImportError) as error:
            refusals.append(f"{name} refused: {error}")
        else:
            scores[name] = anmi(answers[name].labels, ensemble)
    if not answers:
        raise ValueError(f"best: no method gave an answer ({'; '.join(refusals)}).")
    return _kept(answers, scores, refusals)


def _kept(answers: dict[str, Consensus], scores: dict[str, float], refusals: Sequence[str]) -> Consensus:
    first = max(scores, key=lambda name: round(scores[name], 12))
    tried = ", ".join(f"{name} {score:.4f}" for name, score in scores.items())
    note = "; ".join([f"{first}, the best by average NMI of {tried}", *refusals])
    return replace(answers[first], objective=scores[first], history=(), note=note)


def _names(methods: Any, is_soft: bool) -> tuple[str, ...]:
    if methods is None:
        return tuple(name for name in (SOFT_CANDIDATES if is_soft else CANDIDATES) if name in METHODS)
    names = (methods,) if isinstance(methods, str) else tuple(methods)
    for name in names:
        check_option("methods", name, tuple(known for known in METHODS if known != "best"))
    if not names:
        raise ValueError("methods should name at least one method.")
    return names
