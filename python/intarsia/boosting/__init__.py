"""Boost-clustering and bagg-clustering: rounds of a simple clusterer on drawn points, and their vote."""

from intarsia.boosting.estimator import BaggingClustering, BoostClustering
from intarsia.boosting.rounds import Round
from intarsia.boosting.stability import Stability, most_stable

__all__ = ["BaggingClustering", "BoostClustering", "Round", "Stability", "most_stable"]
