"""The consensus functions by name. A new one is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.result import Consensus
from intarsia.ensemble import Ensemble

#: Called with a canonical ensemble of distinct rows (so point weights count), k >= 2 and the options.
ConsensusFunction = Callable[[Ensemble, int, ConsensusOptions], Consensus]


def _lazy(module: str, name: str) -> ConsensusFunction:
    """Return the function `name` of `intarsia.consensus.<module>`, imported when first called."""

    def call(ensemble: Ensemble, k: int, options: ConsensusOptions) -> Consensus:
        function: ConsensusFunction = getattr(import_module(f"intarsia.consensus.{module}"), name)
        return function(ensemble, k, options)

    return call


METHODS: dict[str, ConsensusFunction] = {
    "best": _lazy("best", "best"),
    "cspa": _lazy("cspa", "cspa"),
    "eac": _lazy("eac", "eac"),
    "hbgf": _lazy("hbgf", "hbgf"),
    "hgpa": _lazy("hgpa", "hgpa"),
    "itk": _lazy("itk", "itk"),
    "kmodes": _lazy("kmodes", "kmodes"),
    "mcla": _lazy("mcla", "mcla"),
    "mixmns": _lazy("mixmns", "mixmns"),
    "qmi": _lazy("qmi", "qmi"),
    "sa-ji": _lazy("annealing", "sa_ji"),
    "sa-nmi": _lazy("annealing", "sa_nmi"),
    "sa-ri": _lazy("annealing", "sa_ri"),
    "sa-wi": _lazy("annealing", "sa_wi"),
    "scspa": _lazy("scspa", "scspa"),
    "shbgf": _lazy("hbgf", "shbgf"),
    "smcla": _lazy("smcla", "smcla"),
    "vote": _lazy("vote", "vote"),
}

#: Functions to which `combine` gives every point, not distinct rows with weights: they move point by point.
WANTS_EVERY_POINT = frozenset({"sa-ji", "sa-nmi", "sa-ri", "sa-wi"})
