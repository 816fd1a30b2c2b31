"""Consensus functions: from an ensemble to one clustering, without looking at the data."""

from typing import TYPE_CHECKING, Any

from intarsia.consensus.annealing.agreement import mean_agreement
from intarsia.consensus.annealing.methods import anneal
from intarsia.consensus.annealing.refine import refine
from intarsia.consensus.annealing.schedule import Schedule
from intarsia.consensus.choose_k import KChoice, KScore, choose_k
from intarsia.consensus.combine import AllAnswers, combine, combine_all, combine_full
from intarsia.consensus.evidence.eac import cut_evidence
from intarsia.consensus.printed import AS_PRINTED
from intarsia.consensus.protocol import Consensus, ConsensusOptions
from intarsia.consensus.registry import METHODS

if TYPE_CHECKING:
    from intarsia.consensus.estimator import ConsensusClustering

__all__ = [
    "AS_PRINTED",
    "METHODS",
    "AllAnswers",
    "Consensus",
    "ConsensusClustering",
    "ConsensusOptions",
    "KChoice",
    "KScore",
    "Schedule",
    "anneal",
    "choose_k",
    "combine",
    "combine_all",
    "combine_full",
    "cut_evidence",
    "mean_agreement",
    "refine",
]


def __getattr__(name: str) -> Any:
    if name != "ConsensusClustering":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from intarsia.consensus.estimator import ConsensusClustering  # on first use: it waits for scikit-learn

    return ConsensusClustering
