"""The experiments of paper 4: multiobjective clustering."""

from intarsia.studies.multiobjective.published import CASES
from intarsia.studies.multiobjective.study import MultiobjectiveStudySettings, Study

__all__ = ["CASES", "MultiobjectiveStudySettings", "Study"]
