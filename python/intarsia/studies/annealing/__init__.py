"""The experiments of paper 5: consensus by simulated annealing on agreement measures."""

from intarsia.studies.annealing.plan import Plan
from intarsia.studies.annealing.study import FIGURES, TABLES, Study

__all__ = ["FIGURES", "TABLES", "Plan", "Study"]
