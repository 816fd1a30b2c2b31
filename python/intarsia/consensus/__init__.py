"""Consensus functions: from an ensemble to one clustering, without looking at the data."""

from intarsia.consensus.combine import combine, combine_full
from intarsia.consensus.options import ConsensusOptions
from intarsia.consensus.registry import METHODS
from intarsia.consensus.result import Consensus

__all__ = ["METHODS", "Consensus", "ConsensusOptions", "combine", "combine_full"]
