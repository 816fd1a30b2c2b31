"""Ensembles made from data: one base clusterer, many views of the points."""

from intarsia.ensemble.generate.generate import generate_ensemble

__all__ = ["generate_ensemble"]
