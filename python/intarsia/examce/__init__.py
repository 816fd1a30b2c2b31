"""EXAMCE: pool the clusters of many base runs, recombine them by exact covering."""

from intarsia.examce.estimator import Examce
from intarsia.examce.result import ExamceResult

__all__ = ["Examce", "ExamceResult"]
