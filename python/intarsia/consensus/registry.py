"""The consensus functions by name. A new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from intarsia.consensus.protocol import Consensus, ConsensusFunction, ConsensusOptions
from intarsia.ensemble import Ensemble


def _lazy(module: str, name: str) -> ConsensusFunction:
    """Return the function `name` of `intarsia.consensus.<module>`, imported when first called."""

    def call(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
        function: ConsensusFunction = getattr(import_module(f"intarsia.consensus.{module}"), name)
        return function(ensemble, k, options)

    return call


METHODS: dict[str, ConsensusFunction] = {
    "best": _lazy("best", "best"),
    "cspa": _lazy("graph.cspa", "cspa"),
    "eac": _lazy("evidence.eac", "eac"),
    "hbgf": _lazy("graph.hbgf", "hbgf"),
    "hgpa": _lazy("graph.hgpa", "hgpa"),
    "itk": _lazy("labels.itk", "itk"),
    "kmodes": _lazy("labels.kmodes", "kmodes"),
    "mcla": _lazy("graph.mcla", "mcla"),
    "mixmns": _lazy("labels.mixmns", "mixmns"),
    "qmi": _lazy("labels.qmi", "qmi"),
    "sa-ji": _lazy("annealing.methods", "sa_ji"),
    "sa-nmi": _lazy("annealing.methods", "sa_nmi"),
    "sa-ri": _lazy("annealing.methods", "sa_ri"),
    "sa-wi": _lazy("annealing.methods", "sa_wi"),
    "scspa": _lazy("graph.scspa", "scspa"),
    "shbgf": _lazy("graph.hbgf", "shbgf"),
    "smcla": _lazy("graph.smcla", "smcla"),
    "vote": _lazy("labels.vote", "vote"),
}

_POINT_BY_POINT = frozenset({"best", "sa-ji", "sa-nmi", "sa-ri", "sa-wi"})
#: These balance their parts, and equal points that are one vertex cannot go to different parts.
BALANCED = frozenset({"cspa", "hbgf", "hgpa", "scspa", "shbgf"})
#: Up to this many points balanced functions keep all points apart; beyond, equal ones are merged.
KEEP_APART = 2_000


def wants_every_point(method: str, params: Mapping[str, Any], n_samples: int) -> bool:
    """Whether a function gets every point, not distinct rows with weights.

    It does where it moves point by point, draws points or breaks ties at random, or balances few points.
    "best" does, and merges for those of its methods that do not.
    """
    if method in BALANCED:
        merge = params.get("merge")
        return n_samples <= KEEP_APART if merge is None else not merge
    plain_start = params.get("init") in ("random", "partition")
    return method in _POINT_BY_POINT or plain_start or params.get("ties") == "random"
