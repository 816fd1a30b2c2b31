"""The experiments of paper 3: consensus of soft clusterings beside that of hard ones."""

from intarsia.studies.soft.figures import FIGURES
from intarsia.studies.soft.settings import SoftStudySettings
from intarsia.studies.soft.study import TABLES, Study

__all__ = ["FIGURES", "TABLES", "SoftStudySettings", "Study"]
