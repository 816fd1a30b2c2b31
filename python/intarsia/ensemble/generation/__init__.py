"""Ensembles made from data: one base clusterer, many views of the points."""

from intarsia.ensemble.generation.generate import generate_ensemble
from intarsia.ensemble.generation.settings import BASES, MemberSettings

__all__ = ["BASES", "MemberSettings", "generate_ensemble"]
