"""The experiments of paper 2: boost-clustering and bagg-clustering."""

from intarsia.studies.boosting.settings import BoostingStudySettings
from intarsia.studies.boosting.study import FIGURES, TABLES, Study

__all__ = ["FIGURES", "TABLES", "BoostingStudySettings", "Study"]
