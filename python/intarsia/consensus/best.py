"""`best`: every affordable consensus function, of which the one that agrees most with the members is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from intarsia.arrays import Ids
from intarsia.consensus.affordable import ALLOWANCE, work_of
from intarsia.consensus.problem import solve_points
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.consensus.registry import METHODS
from intarsia.ensemble import Ensemble
from intarsia.metrics.ensembles import anmi
from intarsia.validation import check_option

#: Tried by default where registered; the first counts where equal. Not hgpa: it misleads on uneven data, and
#: the answer would depend on what else is installed.
CANDIDATES = (
    *("mcla", "hbgf", "vote", "qmi", "kmodes", "itk", "mixmns", "eac", "cspa"),
    *("sa-ri", "sa-ji", "sa-wi", "sa-nmi"),
)
SOFT_CANDIDATES = ("smcla", "shbgf", "scspa", *CANDIDATES)


def best(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
    """Run `methods` side by side and keep the answer of highest average NMI to the members.

    By default those that take no more than ALLOWANCE, the same for each; the note says which were tried, with
    their scores, which would take longer, and which refused. Where scores are equal the first counts.
    """
    asked = options.method_options("best", methods=None)["methods"]
    merged = ensemble.merged()
    names, too_long = _names(asked, ensemble, merged[0].n_samples, k)
    trial = _Trial(ensemble, merged, k, options.seed)
    tried = dict(zip(names, options.executor.map(_try, names, trial), strict=True))
    refusals = [f"{name} refused: {one.refusal}" for name, one in tried.items() if one.answer is None]
    if len(refusals) == len(tried):
        raise ValueError(f"best: no method gave an answer ({'; '.join(refusals)}).")
    skipped = [f"left out, too long at this size: {', '.join(too_long)}"] if too_long else []
    return _kept(tried, [*skipped, *refusals])


@dataclass(frozen=True, eq=False)
class _Trial:
    """What all methods get: the points, their distinct rows with each point's, and a seed."""

    points: Ensemble
    merged: tuple[Ensemble, Ids]
    k: int
    seed: int


class _Tried(NamedTuple):
    answer: Consensus | None
    score: float
    refusal: str


def _try(method: str, trial: _Trial) -> _Tried:
    options = ConsensusOptions(trial.seed)  # one thread: the methods share the workers
    try:
        found = solve_points(trial.points, trial.k, method, options, trial.merged)
    except (ValueError, ImportError) as error:
        return _Tried(None, 0.0, str(error))
    return _Tried(found, anmi(found.labels, trial.points), "")


def _kept(tried: Mapping[str, _Tried], remarks: Sequence[str]) -> Consensus:
    scores = {name: one.score for name, one in tried.items() if one.answer is not None}
    first = max(scores, key=lambda name: round(scores[name], 12))
    answer = tried[first].answer
    assert answer is not None
    listed = ", ".join(f"{name} {score:.4f}" for name, score in scores.items())
    note = "; ".join([f"{first}, the best by average NMI of {listed}", *remarks])
    return replace(answer, method=first, objective=scores[first], history=(), note=note)


def _names(methods: Any, points: Ensemble, n_rows: int, k: int) -> tuple[list[str], list[str]]:
    """Return the methods to try, and those left out for their length; what was asked for is tried."""
    if methods is None:
        known = [name for name in (SOFT_CANDIDATES if points.is_soft else CANDIDATES) if name in METHODS]
        too_long = [name for name in known if work_of(name, points, n_rows, k) > ALLOWANCE]
        return [name for name in known if name not in too_long], too_long
    names = [methods] if isinstance(methods, str) else list(methods)
    for name in names:
        check_option("methods", name, tuple(known for known in METHODS if known != "best"))
    if not names:
        raise ValueError("methods should name at least one method.")
    return names, []
