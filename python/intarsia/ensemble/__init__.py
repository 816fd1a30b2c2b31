"""Ensembles: several clusterings of the same points, hard or soft."""

from intarsia.ensemble.ensemble import Ensemble

__all__ = ["Ensemble"]
