"""Ensembles made from data: one base clusterer, many views of the points."""

from intarsia.ensemble.generate.generate import Generated, generate_members

__all__ = ["Generated", "generate_members"]
