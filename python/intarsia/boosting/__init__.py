"""Boost-clustering and bagg-clustering: rounds of a simple clusterer on drawn points, and their vote."""

from intarsia.boosting.rounds import Round
from intarsia.boosting.stability import Stability, most_stable

__all__ = ["Round", "Stability", "most_stable"]
