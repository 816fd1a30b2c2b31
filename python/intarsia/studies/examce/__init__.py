"""The experiments of paper 1: minimum sum of squares by exact recombination of clusters."""

from intarsia.studies.examce.plan import Plan
from intarsia.studies.examce.study import Study, experiments

__all__ = ["Plan", "Study", "experiments"]
