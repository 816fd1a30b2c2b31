"""The experiments of paper 5: consensus by simulated annealing on agreement measures."""

from intarsia.studies.annealing.runs import AnnealingStudySettings
from intarsia.studies.annealing.study import FIGURES, TABLES, Study

__all__ = ["FIGURES", "TABLES", "AnnealingStudySettings", "Study"]
