"""EXAMCE: pool the clusters of many base runs, recombine them by exact covering."""

from intarsia.examce.estimator import Examce
from intarsia.examce.state import ExamceResult

__all__ = ["Examce", "ExamceResult"]
