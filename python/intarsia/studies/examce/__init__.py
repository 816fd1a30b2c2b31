"""The experiments of paper 1: minimum sum of squares by exact recombination of clusters."""

from intarsia.studies.examce.settings import ExamceStudySettings
from intarsia.studies.examce.study import Study, experiments

__all__ = ["ExamceStudySettings", "Study", "experiments"]
