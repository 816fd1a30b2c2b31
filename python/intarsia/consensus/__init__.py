"""Consensus functions: from an ensemble to one clustering, without looking at the data."""

from intarsia.consensus.agreement import mean_agreement
from intarsia.consensus.annealing import anneal
from intarsia.consensus.choose_k import KChoice, KScore, choose_k
from intarsia.consensus.combine import AllAnswers, combine, combine_all, combine_full
from intarsia.consensus.estimator import ConsensusClustering
from intarsia.consensus.evidence import cut_evidence
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.refine import refine
from intarsia.consensus.registry import METHODS
from intarsia.consensus.result import Consensus
from intarsia.consensus.schedule import Schedule

__all__ = [
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
